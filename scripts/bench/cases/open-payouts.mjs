import { setTimeout as sleep } from 'node:timers/promises';
import { inFlight } from '../../in-flight.mjs';
import { memoryMb } from '../processes.mjs';
import { pixPayout } from '../../drills/requests.mjs';

const quietMs = 60_000;
/** A creating call that waits for long is put off: more payouts at a time would take longer. */
const atOnce = 200;

/**
 * What so many open payouts cost that nothing happens to: memory of worker and server, their CPU in a minute, and pages of
 * the service's list. No postback comes, so that each is read by its read schedule, which the reconciliation thins.
 */
export const openPayouts = {
  name: 'open-payouts',
  title: 'open payouts',
  isOnce: true,
  isOnDemand: true,
  longestMs: 3_600_000,
  run: async (bench, { open }) => {
    const rows = [];
    let started = 0;
    // Each as it comes: the next may take many minutes.
    const add = (row) => {
      rows.push(row);
      console.log(`${String(row.open)} open payouts, worker ${String(Math.round(row.workerMb.now))} MB`);
    };
    add({ open: 0, ...(await standing(bench)) });
    for (const target of open) {
      const startedMs = Date.now();
      while (started < target) {
        const count = Math.min(atOnce, target - started);
        await inFlight(count, 60, async () => {
          const code = bench.freshCode();
          const request = pixPayout(code, { tags: ['stuck', 'postback-silent'] });
          await bench.usual.startPayout({ method: 'pix', ...request });
        });
        started += count;
        while ((await bench.count("PaymentKind = 'payout' AND PaymentStatus = 'claimed'")) < started)
          await sleep(500);
      }
      const seconds = (Date.now() - startedMs) / 1_000;
      const standsAt = await standing(bench);
      add({ open: target, seconds, ...standsAt, listReads: await readsOfARound(bench) });
    }
    return { openPayouts: rows };
  },
};

/** How many pages of the service's list one round of the reconciliation reads. */
async function readsOfARound(bench) {
  const read = async () =>
    (await bench.http('sandbox', 'GET', '/sandbox/ledger')).calls['GET /v1/payouts'] ?? 0;
  const before = await read();
  await bench.usual.reconcile();
  return (await read()) - before;
}

async function standing({ processes }) {
  const before = processes.cpuMs();
  await sleep(quietMs);
  const after = processes.cpuMs();
  const memory = (name) => memoryMb(processes.pidOf(name));
  return {
    cpuMsAMinute: { server: after.server - before.server, worker: after.worker - before.worker },
    workerMb: memory('worker'),
    serverMb: memory('server'),
  };
}
