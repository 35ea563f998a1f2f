import { setTimeout as sleep } from 'node:timers/promises';
import { inFlight } from '../../in-flight.mjs';
import { pixPayout } from '../../drills/requests.mjs';

const absent = 404;
const retryMs = 20;

/** As soon as the service knows it. */
async function setStatus(bench, code, status) {
  for (;;) {
    try {
      return await bench.setStatus('payouts', code, status);
    } catch (error) {
      if (error.statusCode !== absent) throw error;
      await sleep(retryMs);
    }
  }
}

/**
 * Payouts against a service that is final so long after their start, with the usual waiting times, so that their rate
 * says nothing: CPU and events do. No postback comes, but where the next read would be minutes away.
 */
const finalAfter = (seconds, { tags = ['stuck', 'postback-silent'], ...more } = {}) => ({
  name: `final-${String(seconds)}s`,
  title: `payout by client, final after ${String(seconds)} s`,
  ...more,
  run: async (bench, { payments }) => {
    const { answers } = await inFlight(payments, payments, async () => {
      const code = bench.freshCode();
      await bench.usual.startPayout({ method: 'pix', ...pixPayout(code, { tags, watch_days: 0 }) });
      await sleep(seconds * 1_000);
      await setStatus(bench, code, 'done');
      await bench.ended(`payout-${code}`);
      return `payout-${code}`;
    });
    return { count: payments, workflowIds: answers };
  },
});

export const finals = [
  ...[0.1, 1, 5].map((seconds) => finalAfter(seconds)),
  finalAfter(60, { tags: ['stuck'], isOnDemand: true, longestMs: 600_000 }),
];
