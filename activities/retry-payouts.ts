import { z } from 'zod';
import { wasRetriedBy } from '../src/domain/bulk-retry.js';
import type { OwnPaymentsDeps } from './shared/deps.js';
import { atRate } from './shared/at-rate.js';

/** `attempt` is the failed one; a payout whose latest attempt is another one refuses. */
export type RetryPayoutsInput = {
  bulk_retry_id: string;
  payouts: readonly { partner_code: string; attempt: number }[];
  per_second: number;
  reason: string;
  by: string;
};

/** `retried`: its next attempt is made, or it has not answered yet; `refused`: nothing was sent, and why. */
const retried = z.object({ outcome: z.enum(['retried', 'refused']), detail: z.string().nullable() });
export type Retried = z.infer<typeof retried>;

/** Of one activity, for a payout that does not answer; each waits for its answer itself. */
const tries = 3;

/** An activity begins no retry later than that: a pause is answered when the ones under way have ended. */
const retriesBeginWithinMs = 20_000;

/**
 * Retries failed payouts in their order, at most so many a second. Each decides for itself, after fresh reads. Returns
 * what became of each, or of the first ones when they wait for their turn for long: a pause is heard in between.
 *
 * Safe to retry: the command names the attempt that had failed, so a payout takes it once at most, and it shows which
 * bulk retry made an attempt.
 */
export const retryPayouts =
  (
    { payoutState, retryPayout, turn }: Pick<OwnPaymentsDeps, 'payoutState' | 'retryPayout' | 'turn'>,
    beginsWithinMs = retriesBeginWithinMs,
  ) =>
  ({ bulk_retry_id, by, payouts, per_second, reason }: RetryPayoutsInput): Promise<Retried[]> => {
    const retry = async ({
      attempt,
      partner_code,
    }: RetryPayoutsInput['payouts'][number]): Promise<Retried> => {
      for (let time = 1; time <= tries; time += 1) {
        const answer = await retryPayout(partner_code, { attempt, bulk_retry_id, by, reason });
        if (answer.kind === 'taken') return { outcome: 'retried', detail: null };
        // A repeated command is refused by a payout that took it the first time.
        const state = await payoutState(partner_code);
        if (state !== undefined && wasRetriedBy(state, attempt, bulk_retry_id)) {
          return { outcome: 'retried', detail: null };
        }
        if (answer.kind === 'refused') {
          return { outcome: 'refused', detail: `${answer.reason}: ${answer.message}` };
        }
      }
      return { outcome: 'retried', detail: 'It has not answered yet.' };
    };
    return atRate(payouts, per_second, retried, retry, { turn, beginsWithinMs });
  };
