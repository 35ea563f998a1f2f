import {
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { PayoutBatchInput, PayoutBatchPageState } from '../src/contract/payout-batch.js';
import { longestTurnMs, strideOf } from '../src/domain/batch-limits.js';
import { batchPageId } from '../src/domain/ids.js';
import { batchCodesQuery, batchPageQuery, previousPageFinishedSignal } from './messages.js';
import { BatchPage } from './payout-batch/page.js';
import { inBulk } from './shared/activities.js';

/**
 * One page of a batch of payouts: starts each of its rows once, in their order and no faster than asked. Pages take
 * turns. Cancelled, it starts no more; what it has started goes on.
 *
 * Endpoints of its payouts: `POST /v1/payout/pix`, `POST /v1/payout/transfer`.
 */
export async function payoutBatch(input: PayoutBatchInput): Promise<PayoutBatchPageState> {
  const page = new BatchPage(input);
  let isItsTurn = page.number === 1;
  setHandler(batchPageQuery, () => page.state());
  setHandler(batchCodesQuery, () => page.partnerCodes());
  setHandler(previousPageFinishedSignal, () => {
    isItsTurn = true;
  });
  const problem = page.problem();
  if (problem !== undefined) {
    page.reject([{ row: page.firstRow, field: '(workflow)', message: problem }]);
    return page.state();
  }
  try {
    const checking = inBulk({ startToCloseTimeout: '1 minute', summary: 'check every row' });
    const { problems } = await checking.checkPayoutBatch({ batch: input });
    if (problems.length > 0) {
      page.reject(problems);
      return page.state();
    }
    if (!isItsTurn) {
      await condition(() => isItsTurn, longestTurnMs(page.firstRow - 1, page.startsPerSecond), {
        summary: 'the page before this one',
      });
    }
    page.moveTo('starting');
    while (!page.finished) await startSome(page, input);
    page.moveTo('finished');
    await passTurn(page);
  } catch (error) {
    if (isCancellation(error)) page.moveTo('cancelled');
    throw error;
  }
  return page.state();
}

async function startSome(page: BatchPage, { poll_scale, reconciled }: PayoutBatchInput): Promise<void> {
  const { perSecond, rows, waitMs } = strideOf(page.startsPerSecond);
  if (waitMs > 0) await sleep(waitMs, { summary: 'the pace of the batch' });
  // Each start is idempotent, and the heartbeat carries how far the previous attempt has come.
  const { startPayouts } = inBulk({
    startToCloseTimeout: '1 hour',
    heartbeatTimeout: '30 seconds',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    summary: `start payouts from row ${String(page.firstRow + page.settled)}`,
  });
  const outcomes = await startPayouts({
    payouts: page.next(rows),
    starts_per_second: perSecond,
    timing: {
      ...(poll_scale === undefined ? {} : { poll_scale }),
      ...(reconciled === undefined ? {} : { reconciled }),
    },
  });
  page.settle(outcomes);
}

/** A next page that does not exist yet, or is over, does not wait for it. */
async function passTurn(page: BatchPage): Promise<void> {
  if (page.number >= page.pages) return;
  try {
    await getExternalWorkflowHandle(batchPageId(page.batchId, page.number + 1)).signal(
      previousPageFinishedSignal,
    );
  } catch (error) {
    if (isCancellation(error)) throw error;
  }
}
