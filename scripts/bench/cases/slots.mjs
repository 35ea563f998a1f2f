import { setTimeout as sleep } from 'node:timers/promises';
import { inFlight } from '../../in-flight.mjs';
import { quickScale } from '../processes.mjs';
import { slotSuppliers } from '../slot-suppliers.mjs';
import { pixPayout } from '../../drills/requests.mjs';

const atOnce = 200;

/** The payout's throughput with more payouts at once than there are slots, by how a worker's slots are chosen. */
export const slots = Object.keys(slotSuppliers).map((name) => ({
  name: `slots-${name}`,
  title: `payout, slots ${name}`,
  isOnDemand: true,
  prepare: async ({ processes }) => {
    processes.slotsWorker(name);
    // Its first poll: it has to read its code, and get a token.
    await sleep(4_000);
  },
  run: async (bench, { payments }) => {
    const client = bench.clientOf(quickScale, `slots-${name}`);
    const { answers, latenciesMs } = await inFlight(payments, atOnce, async () => {
      const code = bench.freshCode();
      const request = pixPayout(code, { tags: ['postback-silent'], watch_days: 0 });
      await client.startPayout({ method: 'pix', ...request });
      await bench.ended(`payout-${code}`);
      return `payout-${code}`;
    });
    return { count: payments, workflowIds: answers, latenciesMs };
  },
  finish: ({ processes }) => processes.end(`slots-${name}`),
}));
