import { expect } from 'vitest';
import { test } from './support/deployment.js';
import { pixPayout } from './support/oms.js';

const perSecond = 4;
const rows = 20;
/** What Temporal hands out at once after a time without calls: a second's worth on each of a queue's four partitions. */
const atOnce = 4 * perSecond;

test.override('settings', { scope: 'file' }, { CREATING_CALLS_PER_SECOND: String(perSecond) });

test('two batches at once share the pace of CREATING_CALLS_PER_SECOND', async ({ deployment }) => {
  await Promise.all([deployment.worker(), deployment.gateway()]);
  const { oms, sandbox } = deployment;
  const batch = (name: string) =>
    oms.post('/v1/payout-batches', {
      ...{ batch_id: name, starts_per_second: 200 },
      payouts: Array.from({ length: rows }, (_, row) => ({
        method: 'pix',
        ...pixPayout(`${name}-${String(row)}x`),
      })),
    });
  const begunAt = Date.now();
  await Promise.all(['first', 'second'].map(batch));
  await sandbox.until(({ payouts }) => payouts.length === 2 * rows);
  const sentAt = sandbox.ledger().payouts.map(({ created_at }) => Date.parse(created_at));
  // From before the first is handed out: a busy machine only adds to it.
  const seconds = (Math.max(...sentAt) - begunAt) / 1_000;
  expect(seconds).toBeGreaterThan((2 * rows - atOnce) / perSecond - 1);
  expect(sandbox.ledger().payouts.every(({ times_created: times }) => times === 1)).toBe(true);
});
