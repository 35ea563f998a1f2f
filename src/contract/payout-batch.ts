import { z } from 'zod';
import { batchLimits } from '../domain/batch-limits.js';
import { batchIdProblem } from '../domain/ids.js';
import { pollScale, reconciled, reference } from './fields.js';
import { pixPayoutBody, transferPayoutBody } from './payout.js';

/** The caller's unique reference of a batch, and its idempotency key. */
export const batchId = reference(
  'Your unique reference of the batch, and its idempotency key',
  batchIdProblem,
  '-[0-9]+',
);

/** At most so many starts a second; 25 unless given. */
export const startsPerSecond = z
  .number('must be a number from 0.1 to 200')
  .min(0.1, 'must be from 0.1 to 200')
  .max(200, 'must be from 0.1 to 200')
  .optional();

/** One payout of a batch: the body of POST /v1/payouts/{method}, and the method. */
export const payoutRow = z.discriminatedUnion(
  'method',
  [
    pixPayoutBody.safeExtend({ method: z.literal('pix') }),
    transferPayoutBody.safeExtend({ method: z.literal('transfer') }),
  ],
  'must be a payout with the method pix or transfer',
);
export type PayoutRow = z.infer<typeof payoutRow>;

/** A batch before its rows are checked, which happens row by row. */
export const uncheckedBatch = z.strictObject({
  batch_id: batchId,
  starts_per_second: startsPerSecond,
  payouts: z
    .array(z.unknown(), 'must be a list of payouts')
    .min(1, 'must hold a payout')
    .max(
      batchLimits.rows,
      `must hold at most ${String(batchLimits.rows)} payouts; send the others as another batch`,
    ),
});

/** The body of POST /v1/payout-batches. */
export const payoutBatchBody = uncheckedBatch.extend({
  payouts: z.array(payoutRow).min(1).max(batchLimits.rows),
});
export type PayoutBatchBody = z.infer<typeof payoutBatchBody>;

/** What the workflow `payoutBatch` starts from: one page of a batch. */
export const payoutBatchInput = z.strictObject({
  batch_id: batchId,
  /** From 1. */
  page: z.int().min(1),
  pages: z.int().min(1),
  /** The number that this page's first payout has in the batch, from 1; and how many the whole batch has. */
  first_row: z.int().min(1),
  rows: z.int().min(1),
  /** Of all payouts of the batch: distinguishes it from another one under the same batch_id. */
  digest: z.string().max(128),
  starts_per_second: startsPerSecond,
  poll_scale: pollScale,
  reconciled,
  payouts: z.array(z.unknown()).min(1).max(batchLimits.pageRows),
});
export type PayoutBatchInput = Omit<z.infer<typeof payoutBatchInput>, 'payouts'> & { payouts: PayoutRow[] };

/**
 * The outcome of one row: its payout was started, or the same request had started it before; another payout has its
 * partner_code; or it can't be started at all.
 */
export const rowOutcome = z.object({
  outcome: z.enum(['started', 'existing', 'conflict', 'failed']),
  message: z.string().optional(),
});
export type RowOutcome = z.infer<typeof rowOutcome>;

/** How many rows came to what; those `pending` are still to be started. */
export const rowCounts = z.object({
  started: z.int(),
  existing: z.int(),
  conflict: z.int(),
  failed: z.int(),
  pending: z.int(),
});
export type RowCounts = z.infer<typeof rowCounts>;

/** A row that started nothing, and why. */
export const rowError = z.object({
  row: z.int(),
  partner_code: z.string().nullable(),
  outcome: z.enum(['conflict', 'failed']),
  message: z.string(),
});
export type RowError = z.infer<typeof rowError>;

/** `waiting` for the page before it; `rejected` because it could not be used: nothing was started. */
const pageStatuses = ['waiting', 'starting', 'finished', 'rejected', 'cancelled'] as const;

/** The query `state` and the result of the workflow `payoutBatch`. */
export const payoutBatchPageState = z.object({
  batch_id: z.string(),
  page: z.int(),
  pages: z.int(),
  /** Of the whole batch. */
  rows: z.int(),
  status: z.enum(pageStatuses),
  counts: rowCounts,
  errors: z.array(rowError),
});
export type PayoutBatchPageState = z.infer<typeof payoutBatchPageState>;

/** The answer of GET /v1/payout-batches/{batch_id}. */
export const payoutBatchState = z.object({
  batch_id: z.string(),
  /**
   * `incomplete`: not all of it was taken, because its sender or the gateway ended half-way; send it again.
   * `stopped`: some page was cancelled or could not be used; its rows stay pending.
   */
  status: z.enum(['starting', 'finished', 'incomplete', 'stopped']),
  rows: z.int(),
  pages: z.int(),
  counts: rowCounts,
  /** How many of its payouts have which status now, as Temporal's search shows them; only when requested. */
  payouts: z.record(z.string(), z.int()).optional(),
  /** All of them; `errors` lists the first. */
  error_count: z.int(),
  errors: z.array(rowError),
});
export type PayoutBatchState = z.infer<typeof payoutBatchState>;
