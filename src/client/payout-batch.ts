import { setImmediate as nextTurn } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/common';
import { z } from 'zod';
import { RowCheck } from '../contract/check-rows.js';
import {
  batchId as batchIdSchema,
  payoutBatchPageState,
  uncheckedBatch,
  type PayoutBatchInput,
  type PayoutBatchPageState,
  type PayoutBatchState,
  type PayoutRow,
} from '../contract/payout-batch.js';
import type { FieldProblem } from '../contract/problems.js';
import { batchPageId } from '../domain/ids.js';
import { startOnce, type StartedFor } from '../temporal/start-once.js';
import { codesOfBatch } from './batch-codes.js';
import { pagesOf, startOfPage } from './batch-pages.js';
import { lineOf } from './row-lines.js';
import { batchStateOf } from './batch-state.js';
import { BatchConflictError, BatchNotFoundError, InvalidRequestError } from './errors.js';
import { describeExecution } from './execution.js';
import { ownPayments } from './own-payments.js';
import { parseRequest } from './parse.js';
import { requireRoom } from './require-room.js';
import { query } from './query.js';
import { callTemporal, unlessNotFound } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

/** A batch whose rows are all good. */
export type CheckedBatch = { batch_id: string; starts_per_second?: number | undefined; payouts: PayoutRow[] };

/** A batch that was started, or found, as it stands. */
export type StartedBatch = { readonly state: PayoutBatchState; readonly repeated: boolean };

type BatchOptions = StartedFor & {
  readonly taskQueue: string;
  /** What each payout of it gets. */
  readonly timing: { poll_scale?: number; reconciled?: boolean };
};

/** Checking ten thousand rows takes a while, in which other requests want to be answered: after so long they get a turn. */
const turnMs = 10;
const pagesAtOnce = 4;
const codesASearch = 100;

/** Checks all rows of a batch, and what else may be wrong with one. @throws InvalidRequestError listing the faults of all of them by row */
export async function checkBatch(
  request: unknown,
  problemOf: (row: unknown) => FieldProblem | undefined = () => undefined,
): Promise<CheckedBatch> {
  const { payouts: rows, ...head } = parseRequest(uncheckedBatch, request);
  const check = new RowCheck({ problemOf, lineOf });
  let turnEndsAt = performance.now() + turnMs;
  for (const row of rows) {
    check.add([row]);
    if (performance.now() < turnEndsAt) continue;
    await nextTurn();
    turnEndsAt = performance.now() + turnMs;
  }
  if (check.count > 0) throw new InvalidRequestError(check.problems, check.count);
  return { ...head, payouts: check.payouts };
}

/**
 * Starts every page of a batch, or finds those that the same batch started before. Each is a workflow that starts
 * its payouts by itself.
 *
 * Safe to repeat after any error: it goes on where it ended.
 *
 * @throws BatchConflictError, TooManyRunningError, TemporalUnavailableError
 */
export async function startBatch(
  calls: TemporalCalls,
  { timing, ...options }: BatchOptions,
  { payouts, batch_id, starts_per_second }: CheckedBatch,
): Promise<StartedBatch> {
  const head = { batch_id, ...timing, ...(starts_per_second === undefined ? {} : { starts_per_second }) };
  const [first, ...others] = pagesOf(head, payouts);
  if (first === undefined) throw new Error('A batch has a page.');
  const start = async (page: PayoutBatchInput) => {
    const outcome = await callTemporal(calls, () => startOnce(calls.client, startOfPage(page), options));
    if (outcome.kind === 'conflict') throw new BatchConflictError(outcome.workflowId, outcome.difference);
    return outcome.kind === 'existing';
  };
  await requireRoom(calls, 'payoutBatch', batchPageId(batch_id, 1), options.owner);
  // Whoever has the first page has the batch_id: of two different batches only one goes beyond it.
  const repeated = await start(first);
  for (let at = 0; at < others.length; at += pagesAtOnce) {
    await Promise.all(others.slice(at, at + pagesAtOnce).map(start));
  }
  if (!repeated) return { repeated, state: batchStateOf([first, ...others].map(begunPage)) };
  return { repeated, state: await readBatch(calls, batch_id) };
}

/** @throws InvalidRequestError when it is no batch_id: it could be a card number, and goes nowhere */
function firstPageId(batchId: string): string {
  return batchPageId(parseRequest(z.object({ batch_id: batchIdSchema }), { batch_id: batchId }).batch_id, 1);
}

/** Who owns a batch; null when it is nobody's. @throws BatchNotFoundError, InvalidRequestError */
export async function batchOwner(calls: TemporalCalls, batchId: string): Promise<string | null> {
  const workflowId = firstPageId(batchId);
  const ask = () => describeExecution(calls, workflowId);
  return (await unlessNotFound(ask, () => new BatchNotFoundError(workflowId))).owner;
}

/** How far a batch has come. @throws BatchNotFoundError, InvalidRequestError */
export async function readBatch(calls: TemporalCalls, batchId: string): Promise<PayoutBatchState> {
  const workflowId = firstPageId(batchId);
  const first = await readPage(calls, batchId, 1);
  if (first === undefined) throw new BatchNotFoundError(workflowId);
  const others: (PayoutBatchPageState | undefined)[] = [];
  for (let page = 2; page <= first.pages; page += pagesAtOnce) {
    const numbers = Array.from({ length: Math.min(pagesAtOnce, first.pages - page + 1) }, (_, i) => page + i);
    others.push(...(await Promise.all(numbers.map((number) => readPage(calls, batchId, number)))));
  }
  return batchStateOf([first, ...others]);
}

/**
 * How many payouts of a batch have which status now: a few searches a page, a moment behind. A code that another owner
 * had taken before counts for nothing: what became of that payout is not for the owner of the batch.
 */
export async function batchPayouts(
  calls: TemporalCalls,
  taskQueue: string,
  { batch_id, pages }: Pick<PayoutBatchState, 'batch_id' | 'pages'>,
): Promise<Record<string, number>> {
  const { payoutsOf } = ownPayments(calls.client, taskQueue);
  const byStatus = new Map<string, number>();
  const owner = await batchOwner(calls, batch_id);
  for (let page = 1; page <= pages; page += 1) {
    const codes = await codesOfBatch(calls, batch_id, page);
    for (let at = 0; at < codes.length; at += codesASearch) {
      for (const payout of await payoutsOf(codes.slice(at, at + codesASearch), [])) {
        if (payout.started_by !== owner) continue;
        const status = payout.status ?? 'unknown';
        byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      }
    }
  }
  return Object.fromEntries(byStatus);
}

async function readPage(
  calls: TemporalCalls,
  batchId: string,
  page: number,
): Promise<PayoutBatchPageState | undefined> {
  try {
    return payoutBatchPageState.parse(await query(calls, batchPageId(batchId, page), 'state'));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** A page as it stands the moment it was started. */
function begunPage({ batch_id, page, pages, rows, payouts }: PayoutBatchInput): PayoutBatchPageState {
  const counts = { started: 0, existing: 0, conflict: 0, failed: 0, pending: payouts.length };
  return { batch_id, page, pages, rows, status: 'waiting', counts, errors: [] };
}
