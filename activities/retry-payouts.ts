import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { BulkRetryFilter } from '../src/contract/bulk-retry.js';
import { matchesFilter, retriedAttempt, wasRetriedBy } from '../src/domain/bulk-retry.js';
import type { OwnPaymentsDeps } from './shared/deps.js';
import { atRate } from './shared/at-rate.js';

/**
 * `attempt` is the failed one; a payout whose latest attempt is another one refuses. Null when the payout did not answer when
 * it was selected: it is the latest one if the payout matches the filter now.
 */
export type RetryPayoutsInput = {
  bulk_retry_id: string;
  payouts: readonly { partner_code: string; attempt: number | null }[];
  filter: BulkRetryFilter;
  per_second: number;
  reason: string;
  by: string;
};

/**
 * `retried`: its next attempt is made; `refused`: nothing was sent, and why; `unanswered`: it has not answered in time, and
 * may have been retried.
 */
const retried = z.object({
  outcome: z.enum(['retried', 'refused', 'unanswered']),
  detail: z.string().nullable(),
});
export type Retried = z.infer<typeof retried>;

/** A payout reads all its attempts before it answers. One that takes longer does not delay the others. */
const answersWithinMs = 15_000;

/**
 * Retries failed payouts in their order, at most so many a second. Each decides for itself, after fresh reads. Returns the
 * outcome of each retry that was started; null for one that was under way when the activity was cancelled.
 *
 * Safe to retry: the command names the attempt that had failed, so a payout takes it once at most, and it shows which
 * bulk retry made an attempt.
 */
export const retryPayouts =
  (
    { payoutState, retryPayout, turn }: Pick<OwnPaymentsDeps, 'payoutState' | 'retryPayout' | 'turn'>,
    withinMs = answersWithinMs,
  ) =>
  ({
    bulk_retry_id,
    by,
    filter,
    payouts,
    per_second,
    reason,
  }: RetryPayoutsInput): Promise<(Retried | null)[]> => {
    type Payout = RetryPayoutsInput['payouts'][number];
    const failedAttempt = async (partnerCode: string): Promise<number | Retried> => {
      const state = await payoutState(partnerCode);
      if (state === undefined) return unanswered;
      if (retriedAttempt(state, bulk_retry_id) !== undefined) return { outcome: 'retried', detail: null };
      const latest = state.attempts.at(-1);
      return latest !== undefined && matchesFilter(filter, state) ? latest.number : noMatch;
    };
    const retry = async ({ attempt: selected, partner_code }: Payout): Promise<Retried> => {
      const attempt = selected ?? (await failedAttempt(partner_code));
      if (typeof attempt !== 'number') return attempt;
      const answer = await retryPayout(partner_code, { attempt, bulk_retry_id, by, reason });
      if (answer.kind === 'taken') return { outcome: 'retried', detail: null };
      // A repeated command is refused by a payout that took it the first time.
      const state = await payoutState(partner_code);
      if (state !== undefined && wasRetriedBy(state, attempt, bulk_retry_id))
        return { outcome: 'retried', detail: null };
      const isSure = answer.kind === 'refused' && (state !== undefined || answer.reason === 'NotFound');
      return isSure ? { outcome: 'refused', detail: `${answer.reason}: ${answer.message}` } : unanswered;
    };
    const bounded = async (payout: Payout): Promise<Retried> => {
      const over = new AbortController();
      const bound = sleep(withinMs, unanswered, { signal: over.signal });
      return Promise.race([retry(payout), bound]).finally(() => {
        over.abort();
      });
    };
    return atRate(payouts, per_second, retried, bounded, { turn, endsAtOnce: true });
  };

const noMatch: Retried = {
  outcome: 'refused',
  detail: 'It does not match the filter. Nothing was sent.',
};
const unanswered: Retried = { outcome: 'unanswered', detail: 'It has not answered in time.' };
