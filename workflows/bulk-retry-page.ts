import {
  ActivityCancellationType,
  CancellationScope,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  setCurrentDetails,
  setHandler,
  TemporalFailure,
} from '@temporalio/workflow';
import type { BulkRetryPageInput, BulkRetryPageProgress } from '../src/contract/bulk-retry.js';
import { bulkRetryWorkflowId } from '../src/domain/ids.js';
import { pageDetails } from './bulk-retry/details.js';
import { RetryPage, type RetryPageSnapshot } from './bulk-retry/page.js';
import {
  allowRetriesSignal,
  bulkRetryPageQuery,
  bulkRetryReportQuery,
  pageProgressSignal,
} from './messages.js';
import { inBulk } from './shared/activities.js';
import { goOnInNewRun, needsNewRun } from './shared/new-run.js';

/**
 * One page of a bulk retry: retries its payouts as far as the bulk retry allows, looks for the outcomes, and holds the
 * report. Each payout decides for itself, and takes one retry of a bulk retry at most.
 */
export async function bulkRetryPage(
  input: BulkRetryPageInput,
  snapshot?: RetryPageSnapshot,
): Promise<BulkRetryPageProgress> {
  const page = new RetryPage(input, Date.now(), snapshot);
  let retries: CancellationScope | undefined;
  let outcomeReads: CancellationScope | undefined;
  let isAllowedAnew = false;
  setHandler(allowRetriesSignal, (allowed) => {
    page.allow(allowed, Date.now());
    isAllowedAnew = true;
    outcomeReads?.cancel();
    if (page.retryAt === Infinity) retries?.cancel();
  });
  setHandler(bulkRetryPageQuery, () => page.progress(Date.now(), retries !== undefined));
  setHandler(bulkRetryReportQuery, () => page.report());

  for (;;) {
    isAllowedAnew = false;
    if (await isItsTime(page, () => isAllowedAnew)) {
      retries = new CancellationScope();
      await retrySome(page, input, retries);
      retries = undefined;
      await report(page, input);
    }
    if (Date.now() >= page.outcomesDueAt && !isAllowedAnew) {
      outcomeReads = new CancellationScope();
      await readOutcomes(page, input, outcomeReads);
      outcomeReads = undefined;
    }
    await report(page, input);
    if (page.isOver(Date.now())) return page.progress(Date.now());
    if (needsNewRun()) {
      await goOnInNewRun<typeof bulkRetryPage>(input, page.snapshot());
    }
    if (page.retryAt > Date.now() && !isAllowedAnew) await somethingToDo(page, () => isAllowedAnew);
  }
}

async function somethingToDo(page: RetryPage, isAllowedAnew: () => boolean): Promise<void> {
  const waitMs = Math.min(page.outcomesDueAt, page.retryAt) - Date.now();
  if (waitMs <= 0) return;
  if (!Number.isFinite(waitMs)) await condition(isAllowedAnew);
  else await condition(isAllowedAnew, waitMs, { summary: 'the next read of outcomes, or the next retries' });
}

/** Whether to retry now. Waits as a slow pace asks; then not, when more or less of it is allowed meanwhile. */
async function isItsTime(page: RetryPage, isAllowedAnew: () => boolean): Promise<boolean> {
  if (page.retryAt > Date.now()) return false;
  const { waitMs } = page.stride;
  const stillMs = page.retriedAt + waitMs - Date.now();
  if (waitMs === 0 || stillMs <= 0) return true;
  return !(await condition(isAllowedAnew, stillMs, { summary: 'the pace of the bulk retry' }));
}

/** Retries some payouts; a pause or a stop interrupts that within seconds. */
async function retrySome(
  page: RetryPage,
  { bulk_retry_id, by, filter, reason }: BulkRetryPageInput,
  scope: CancellationScope,
): Promise<void> {
  const { perSecond, rows } = page.stride;
  const payouts = page.take(rows);
  // A payout takes one retry of an attempt at most, and shows whose it was.
  const { retryPayouts } = inBulk({
    startToCloseTimeout: '1 hour',
    // A worker learns of a cancellation by its heartbeats, which the SDK sends every four fifths of this.
    heartbeatTimeout: '10 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: `retry ${String(payouts.length)} payouts`,
  });
  const retry = () => retryPayouts({ bulk_retry_id, by, filter, payouts, per_second: perSecond, reason });
  try {
    page.taken(payouts, payouts.length === 0 ? [] : await scope.run(retry), Date.now());
  } catch (error) {
    // Its worker is gone: any of them may have been retried.
    if (!(error instanceof TemporalFailure) || !scope.consideredCancelled) throw error;
    page.taken(
      payouts,
      payouts.map(() => null),
      Date.now(),
    );
  }
}

/** Reads outcomes, until another allowance arrives: that is reported first. */
async function readOutcomes(
  page: RetryPage,
  { bulk_retry_id }: BulkRetryPageInput,
  scope: CancellationScope,
): Promise<void> {
  const payouts = page.unsettled;
  const { readRetries } = inBulk({
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '1 minute',
    summary: `read the outcomes of ${String(payouts.length)} payouts`,
  });
  try {
    page.outcomesRead(await scope.run(() => readRetries({ bulk_retry_id, payouts })), Date.now());
  } catch (error) {
    if (!isCancellation(error)) throw error;
  }
}

/** Reports to the bulk retry how far the page has come, until it knows. One that was terminated retries no more. */
async function report(page: RetryPage, { bulk_retry_id, page: number }: BulkRetryPageInput): Promise<void> {
  const bulkRetry = getExternalWorkflowHandle(bulkRetryWorkflowId(bulk_retry_id));
  for (let news = page.news(Date.now()); news !== undefined; news = page.news(Date.now())) {
    setCurrentDetails(pageDetails(bulk_retry_id, number, news));
    try {
      await bulkRetry.signal(pageProgressSignal, news);
    } catch {
      page.abandoned();
    }
  }
}
