import { setTimeout as sleep } from 'node:timers/promises';
import { pixPayout } from '../../drills/requests.mjs';

const silent = 'postback-silent';
const failed = "PaymentKind = 'payout' AND PaymentStatus = 'error'";

const codesOf = (bench, count) => Array.from({ length: count }, () => bench.freshCode());

async function startBatch(bench, codes, tags) {
  const batchId = `${bench.freshCode()}b`;
  const payouts = codes.map((code) => ({
    method: 'pix',
    ...pixPayout(code, { tags, watch_days: 0 }),
  }));
  const batch = { batch_id: batchId, starts_per_second: 200, payouts };
  await bench.http('quick', 'POST', '/v1/payout-batches', batch);
  // Its end says that all are started.
  await bench.client.workflow.getHandle(`batch-${batchId}-1`).result();
  return batchId;
}

const allEnded = (bench, codes) => Promise.all(codes.map((code) => bench.ended(`payout-${code}`)));

/** Until each payout of one batch is done. */
export const batch = {
  name: 'batch',
  title: 'payouts of a batch, no postback',
  run: async (bench, { payments }) => {
    const codes = codesOf(bench, payments);
    await startBatch(bench, codes, [silent]);
    await allEnded(bench, codes);
    return { count: payments, workflowIds: codes.map((code) => `payout-${code}`) };
  },
};

/** Of payouts that have failed before: from the request to its report. At most 50 a second are retried. */
export const bulkRetry = {
  name: 'bulk-retry',
  title: 'retries of a bulk retry',
  prepare: async (bench, { payments }) => {
    const codes = codesOf(bench, payments);
    const batchId = await startBatch(bench, codes, ['error-once', silent]);
    while ((await bench.count(failed)) < payments) await sleep(200);
    return { codes, batchId };
  },
  run: async (bench, _sizes, { codes, batchId }) => {
    const id = bench.freshCode();
    const plan = { per_second: 50, canary: 0, reason: 'the bank is back', filter: { batch_id: batchId } };
    await bench.http('quick', 'POST', '/v1/bulk-retries', { bulk_retry_id: id, ...plan });
    await bench.client.workflow.getHandle(`bulk-retry-${id}`).result();
    const { counts } = await bench.http('quick', 'GET', `/v1/bulk-retries/${id}`);
    // A payout that does not answer on a busy machine is refused: it is not counted, and nothing waits for it.
    const done = await doneOf(bench, codes);
    return { count: counts.done, refused: counts.refused, workflowIds: done };
  },
};

async function doneOf(bench, codes) {
  const ids = codes.slice(-10).map((code) => `payout-${code}`);
  const statuses = await Promise.all(
    ids.map(async (id) => (await bench.client.workflow.getHandle(id).describe()).status.name),
  );
  return ids.filter((_, at) => statuses[at] === 'COMPLETED');
}
