import { setTimeout as sleep } from 'node:timers/promises';
import { inFlight } from '../../in-flight.mjs';
import { pixPayout } from '../../drills/requests.mjs';
import { batchLimits } from '../../../dist/src/domain/batch-limits.js';
import { batchPageId } from '../../../dist/src/domain/ids.js';

const silent = 'postback-silent';
const failed = "PaymentKind = 'payout' AND PaymentStatus = 'error'";

const codesOf = (bench, count) => Array.from({ length: count }, () => bench.freshCode());

async function requestBatch(bench, codes, tags) {
  const batchId = `${bench.freshCode()}b`;
  const payouts = codes.map((code) => ({
    method: 'pix',
    ...pixPayout(code, { tags, watch_days: 0 }),
  }));
  const batch = { batch_id: batchId, starts_per_second: 200, payouts };
  await bench.http('quick', 'POST', '/v1/payout-batches', batch);
  const pages = Array.from({ length: Math.ceil(codes.length / batchLimits.pageRows) }, (_, at) => at + 1);
  return {
    batchId,
    allStarted: () =>
      Promise.all(pages.map((page) => bench.client.workflow.getHandle(batchPageId(batchId, page)).result())),
  };
}

async function startBatch(bench, codes, tags) {
  const { allStarted, batchId } = await requestBatch(bench, codes, tags);
  await allStarted();
  return batchId;
}

/** Temporal lets so many wait at a time, and some more. */
const waitingAtOnce = 500;
const allEnded = (bench, codes) =>
  inFlight(codes.length, waitingAtOnce, (at) => bench.ended(`payout-${codes[at]}`));

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

const backlogMs = 5_000;
const singles = 20;

/** From the start of single payouts to their end, while a batch of ten times as many as `--payments` is under way. */
export const besideBatch = {
  name: 'beside-batch',
  title: 'payout beside a batch, start to done',
  isOnDemand: true,
  longestMs: 900_000,
  run: async (bench, { payments }) => {
    const codes = codesOf(bench, payments * 10);
    const { allStarted } = await requestBatch(bench, codes, [silent]);
    await sleep(backlogMs);
    const { latenciesMs } = await inFlight(singles, 1, async () => {
      const code = bench.freshCode();
      const request = pixPayout(code, { tags: [silent], watch_days: 0 });
      await bench.quick.startPayout({ method: 'pix', ...request });
      await bench.ended(`payout-${code}`);
    });
    await allStarted();
    await allEnded(bench, codes);
    return { count: codes.length + singles, latenciesMs };
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
