import { heartbeat } from '@temporalio/activity';
import type { BulkRetryState } from '../src/contract/bulk-retry.js';
import { mayRetryMore, type BulkRetryStatus } from '../src/domain/bulk-retry-status.js';
import type { OwnPaymentsDeps } from './shared/deps.js';
import { orTemporalUnavailable } from './shared/temporal-unavailable.js';

export type FindHoldersInput = { bulk_retry_id: string; started_at: string };

/**
 * Another bulk retry that still has to retry some of the same payouts. `partner_codes`: the first three of these payouts;
 * `status`: null while it is not known what the bulk retry has to retry, since it does not answer or still selects.
 */
export type Holder = {
  bulk_retry_id: string;
  status: BulkRetryStatus | null;
  count: number;
  partner_codes: string[];
};

const mostNamed = 3;
const heartbeatEveryMs = 5_000;

/**
 * Finds other bulk retries that still have to retry payouts of this one. Of two whose check is not finished, the one that
 * started earlier continues, and the other waits until that one has selected. Of two that start within a second, search
 * may not show one to the other; a payout still accepts one retry of an attempt only.
 *
 * Safe to retry: it only reads.
 *
 * @throws ApplicationFailure when bulk retries could not be searched, or this one could not be read
 */
export const findHolders =
  ({ openBulkRetries, pendingOf }: Pick<OwnPaymentsDeps, 'openBulkRetries' | 'pendingOf'>) =>
  async ({ bulk_retry_id: id, started_at: startedAt }: FindHoldersInput): Promise<Holder[]> => {
    const beats = setInterval(heartbeat, heartbeatEveryMs);
    try {
      const { codes, open } = await orTemporalUnavailable(async () => ({
        codes: new Set((await pendingOf(id)).codes),
        open: await openBulkRetries(),
      }));
      const holders: Holder[] = [];
      for (const { bulk_retry_id, state } of open) {
        if (bulk_retry_id === id || (state !== undefined && !mayRetryMore(state))) continue;
        const theirs =
          state === undefined ? undefined : await pendingOf(bulk_retry_id).catch(() => undefined);
        if (state === undefined || theirs === undefined) {
          holders.push(unknown(bulk_retry_id));
          continue;
        }
        if (!theirs.isChecked && !isEarlier(state, { id, startedAt })) continue;
        const same = theirs.codes.filter((code) => codes.has(code));
        if (theirs.isSelecting) holders.push(unknown(bulk_retry_id));
        else if (same.length > 0)
          holders.push({
            ...{ bulk_retry_id, status: state.status, count: same.length },
            partner_codes: same.slice(0, mostNamed),
          });
      }
      return holders;
    } finally {
      clearInterval(beats);
    }
  };

function unknown(bulk_retry_id: string): Holder {
  return { bulk_retry_id, status: null, count: 0, partner_codes: [] };
}

/** Of two that started at the same time the one with the lower id counts as earlier. */
function isEarlier(
  { bulk_retry_id, started_at }: BulkRetryState,
  { id, startedAt }: { id: string; startedAt: string },
): boolean {
  return started_at === startedAt ? bulk_retry_id < id : started_at < startedAt;
}
