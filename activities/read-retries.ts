import { ApplicationFailure, heartbeat } from '@temporalio/activity';
import { endOfRetry, retriedAttempt } from '../src/domain/bulk-retry.js';
import type { OwnPaymentsDeps } from './shared/deps.js';

/** `attempt` is the failed one: the retry has made the next. Null when that was not known at the selection. */
export type ReadRetriesInput = {
  bulk_retry_id: string;
  payouts: readonly { partner_code: string; attempt: number | null }[];
};

/** Those of them that came to an end. */
export type ReadRetriesResult = {
  partner_code: string;
  outcome: 'done' | 'failed_again';
  detail: string | null;
}[];

const searchAtOnce = 100;
const readAtOnce = 16;
const endedStatuses: readonly (string | null)[] = ['done', 'error', 'rejected', 'abandoned'];

/**
 * Finds which retried payouts are done or have failed again. Search names those that may be, the state of each decides.
 *
 * Safe to retry: it only reads.
 *
 * @throws ApplicationFailure when our payouts could not be searched
 */
export const readRetries =
  ({ payoutState, payoutsOf }: Pick<OwnPaymentsDeps, 'payoutState' | 'payoutsOf'>) =>
  async ({ bulk_retry_id, payouts }: ReadRetriesInput): Promise<ReadRetriesResult> => {
    const ended: ReadRetriesResult = [];
    for (let at = 0; at < payouts.length; at += searchAtOnce) {
      const some = payouts.slice(at, at + searchAtOnce);
      const listed = await payoutsOf(
        some.map(({ partner_code }) => partner_code),
        [],
      ).catch(() => undefined);
      if (listed === undefined) {
        // Without its cause, which the SDK would copy into the history.
        const message = 'Our own payouts could not be searched.';
        throw ApplicationFailure.create({ type: 'TemporalUnavailable', message, nonRetryable: false });
      }
      const mayHaveEnded = new Set(
        listed.flatMap(({ partner_code, status }) => (endedStatuses.includes(status) ? [partner_code] : [])),
      );
      const candidates = some.filter(({ partner_code }) => mayHaveEnded.has(partner_code));
      for (let from = 0; from < candidates.length; from += readAtOnce) {
        const ends = await Promise.all(
          candidates.slice(from, from + readAtOnce).map(async ({ attempt, partner_code }) => {
            const state = await payoutState(partner_code);
            const failed = attempt ?? (state && retriedAttempt(state, bulk_retry_id));
            const end = state && failed !== undefined ? endOfRetry(state, failed, bulk_retry_id) : undefined;
            return end === undefined ? [] : [{ partner_code, ...end }];
          }),
        );
        ended.push(...ends.flat());
        heartbeat(ended.length);
      }
    }
    return ended;
  };
