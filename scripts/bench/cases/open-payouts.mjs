import { setTimeout as sleep } from 'node:timers/promises';
import { inFlight } from '../../in-flight.mjs';
import { memoryMb } from '../processes.mjs';
import { pixPayout } from '../../drills/requests.mjs';

const quietMs = 60_000;

/**
 * What so many open payouts cost that nothing happens to: memory of worker and server, and their CPU in a minute. No
 * postback comes, so that each is read by its read schedule, which the reconciliation thins.
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
      await inFlight(target - started, 60, async () => {
        const code = bench.freshCode();
        const request = pixPayout(code, { tags: ['stuck', 'postback-silent'] });
        await bench.usual.startPayout({ method: 'pix', ...request });
      });
      started = target;
      while ((await bench.count("PaymentKind = 'payout' AND PaymentStatus = 'claimed'")) < target)
        await sleep(500);
      const seconds = (Date.now() - startedMs) / 1_000;
      add({ open: target, seconds, ...(await standing(bench)) });
    }
    return { openPayouts: rows };
  },
};

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
