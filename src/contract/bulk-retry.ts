import { z } from 'zod';
import { bulkRetryStatuses } from '../domain/bulk-retry-status.js';
import { bulkRetryLimits, retryOutcomes } from '../domain/bulk-retry.js';
import { referenceProblem } from '../domain/ids.js';
import { failureCauses } from '../domain/payout-attempts.js';
import { amount, apiKeyName, moment, partnerCode, pollScale, reference, text, utcMoment } from './fields.js';
import { batchId } from './payout-batch.js';
import { failureCause } from './payout.js';
import { timelineEntry } from './state.js';

/** The caller's unique reference of a bulk retry, and its idempotency key. */
export const bulkRetryId = reference(
  'Your unique reference of the bulk retry, and its idempotency key',
  referenceProblem,
);

/**
 * Which failed payouts to retry; all that is given has to fit. Without `cause`: those that the service shows as `error`,
 * not those that it refused. Without `failed_after`: those that failed in the last seven days.
 */
export const bulkRetryFilter = z
  .strictObject({
    /** One cause, or several. */
    cause: z
      .union(
        [failureCause.transform((one) => [one]), z.array(failureCause).min(1).max(failureCauses.length)],
        {
          error: `must be one or several of ${failureCauses.join(', ')}`,
        },
      )
      .optional(),
    method: z.enum(['pix', 'transfer'], 'must be pix or transfer').optional(),
    batch_id: batchId.optional(),
    /** The name of the API key that started them. */
    owner: apiKeyName.optional(),
    failed_after: moment.optional(),
    failed_before: moment.optional(),
    /** In reais, both included. */
    value_from: amount.optional(),
    value_to: amount.optional(),
    partner_codes: z
      .array(partnerCode('payout'))
      .min(1, 'must name a payout')
      .max(bulkRetryLimits.partnerCodes, `must name at most ${String(bulkRetryLimits.partnerCodes)} payouts`)
      .optional(),
  })
  .refine(({ batch_id: batch, partner_codes: codes }) => batch === undefined || codes === undefined, {
    path: ['partner_codes'],
    message: 'can not be given together with batch_id',
  });
export type BulkRetryFilter = z.infer<typeof bulkRetryFilter>;

const plan = {
  bulk_retry_id: bulkRetryId,
  filter: bulkRetryFilter.optional(),
  /** Kept in the timeline of the bulk retry and of each payout. */
  reason: text(500),
  /** Retries a second; default 5. */
  per_second: z
    .number('must be a number from 0.1 to 50')
    .min(0.1, 'must be from 0.1 to 50')
    .max(50, 'must be from 0.1 to 50')
    .optional(),
  /** So many are retried first, and waited for; default 10, 0 for none. */
  canary: z
    .int('must be a whole number from 0 to 500')
    .min(0, 'must be from 0 to 500')
    .max(bulkRetryLimits.pagePayouts, 'must be from 0 to 500')
    .optional(),
  /** It stops by itself when more than this share of the outcomes are failures; default 0.2. */
  stop_at_failure_share: z
    .number('must be a number from 0 to 1')
    .min(0, 'must be from 0 to 1')
    .max(1, 'must be from 0 to 1')
    .optional(),
  /** Only selects and counts: nothing is retried. */
  dry_run: z.boolean().optional(),
};

/** The body of POST /v1/bulk-retries. */
export const bulkRetryBody = z.strictObject(plan);
export type BulkRetryBody = z.infer<typeof bulkRetryBody>;

/** What the workflow `bulkRetry` starts from. */
export const bulkRetryInput = z.strictObject({ ...plan, by: text(128), poll_scale: pollScale });
export type BulkRetryInput = z.infer<typeof bulkRetryInput>;

/** Updates `pause`, `resume` and `stop` of a bulk retry. */
export const bulkRetryCommand = z.strictObject({
  reason: text(500),
  by: text(128),
  /** It is not taken from then on; without, whenever a worker comes to it. */
  take_before: utcMoment.optional(),
});
export type BulkRetryCommand = z.infer<typeof bulkRetryCommand>;

/** The bodies of POST /v1/bulk-retries/{bulk_retry_id}/pause, /resume and /stop. */
export const bulkRetryCommandBody = bulkRetryCommand.omit({ by: true, take_before: true });

const tally = z.object({ count: z.int(), centavos: z.int() });

/** How many payouts of a page came to what. */
export const retryTallies = z.object({
  pending: tally,
  retried: tally,
  done: tally,
  failed_again: tally,
  refused: tally,
});

/** A payout that was selected: `attempt` is the one that had failed then; null when the payout did not answer. */
export const selectedPayout = z.object({
  partner_code: z.string(),
  centavos: z.int(),
  cause: z.string(),
  /** The service's words, or ours. */
  words: z.string(),
  attempt: z.int().nullable(),
});
export type SelectedPayout = z.infer<typeof selectedPayout>;

/** What the workflow `bulkRetryPage` starts from. */
export const bulkRetryPageInput = z.object({
  bulk_retry_id: z.string(),
  page: z.int(),
  reason: z.string(),
  by: z.string(),
  per_second: z.number(),
  scale: z.number(),
  /** For those that did not answer when they were selected. */
  filter: bulkRetryFilter,
  payouts: z.array(selectedPayout),
});
export type BulkRetryPageInput = z.infer<typeof bulkRetryPageInput>;

/**
 * Signal `allowRetries` of a page: how many of its payouts may be retried by now; `last`: no more ever will; `shared_by`: how
 * many pages share the pace, one when absent.
 */
export const allowRetries = z.object({
  number: z.int(),
  up_to: z.int(),
  last: z.boolean(),
  shared_by: z.int().optional(),
});
export type AllowRetries = z.infer<typeof allowRetries>;

/** Signal `pageProgress` of a bulk retry, and Query `state` of its pages. */
export const bulkRetryPageProgress = z.object({
  page: z.int(),
  /** How many of its payouts were tried once: retried, refused, or not answered. */
  next: z.int(),
  tallies: retryTallies,
  /** The number of the latest `allowRetries`; nothing more is sent by it when `idle`. */
  allowed: z.int(),
  idle: z.boolean(),
  over: z.boolean(),
  /** The codes of payouts that have not answered: the next pass retries them again. */
  unanswered: z.array(z.string()),
});
export type BulkRetryPageProgress = z.infer<typeof bulkRetryPageProgress>;

/**
 * Query `pages` of a bulk retry: the numbers of its pages, which are the last part of their workflow ids, whether it still
 * selects, and whether its check of other bulk retries is finished.
 */
export const bulkRetryPages = z.object({
  is_checked: z.boolean(),
  is_selecting: z.boolean(),
  numbers: z.array(z.int()),
});
export type BulkRetryPages = z.infer<typeof bulkRetryPages>;

/** One payout in the report of a bulk retry. */
export const bulkRetryLine = z.object({
  partner_code: z.string(),
  /** In reais. */
  value: z.number(),
  cause: z.string(),
  words: z.string(),
  /** The attempt that had failed; a retry makes the next one. Null when the payout did not answer when it was selected. */
  attempt: z.int().nullable(),
  outcome: z.enum(retryOutcomes),
  /** Why it was refused or has failed again. */
  detail: z.string().nullable(),
  /** When the outcome came to be known; null while it is pending. */
  at: z.string().nullable(),
});
export type BulkRetryLine = z.infer<typeof bulkRetryLine>;

const perOutcome = <Value extends z.ZodType>(value: Value) =>
  z.object({
    matched: value,
    pending: value,
    retried: value,
    done: value,
    failed_again: value,
    refused: value,
  });

/** The Query `state` and the result of the workflow `bulkRetry`; the answer of GET /v1/bulk-retries/{bulk_retry_id}. */
export const bulkRetryState = z.object({
  bulk_retry_id: z.string(),
  workflow_id: z.string(),
  /** The name of the API key that started it; null when a bare SDK did. */
  started_by: z.string().nullable(),
  status: z.enum(bulkRetryStatuses),
  /** Whether it only selects and counts. */
  dry_run: z.boolean(),
  attention: z.enum(['bulk_retry_stopped']).nullable(),
  attention_detail: z.string().nullable(),
  /** What it waits for now. */
  awaiting: z.string(),
  by: z.string(),
  reason: z.string(),
  filter: z.record(z.string(), z.unknown()),
  per_second: z.number(),
  canary: z.int(),
  stop_at_failure_share: z.number(),
  /** Each payout counts in `matched` and in one of the others; `retried`: the outcome is not known yet. */
  counts: perOutcome(z.int()),
  /** Their sums in reais. */
  values: perOutcome(z.number()),
  /**
   * Payouts that have not answered a retry within fifteen seconds, or whose retry was under way at a pause or a stop: they may
   * have been retried. They are retried again after all others, every minute. The first twenty.
   */
  unanswered: z.array(z.string()),
  /** By cause and the service's words, the most frequent first. */
  groups: z.array(z.object({ cause: z.string(), words: z.string(), count: z.int(), value: z.number() })),
  started_at: z.string(),
  updated_at: z.string(),
  /** Whether nothing will change any more. */
  closed: z.boolean(),
  /** How many pages the report has. */
  pages: z.int(),
  timeline: z.array(timelineEntry),
});
export type BulkRetryState = z.infer<typeof bulkRetryState>;
