import { ApplicationFailure, heartbeat } from '@temporalio/activity';
import type { BulkRetryFilter, SelectedPayout } from '../src/contract/bulk-retry.js';
import type { PaymentListing } from '../src/contract/http/lists.js';
import type { PayoutState } from '../src/contract/state.js';
import { bulkRetryLimits, matchesFilter } from '../src/domain/bulk-retry.js';
import { toCentavos } from '../src/domain/money.js';
import type { OwnPaymentsDeps } from './shared/deps.js';

/** `cursor`: where the part before this one ended; null for the first. */
export type SelectFailedPayoutsInput = { filter: BulkRetryFilter; cursor: string | null };
export type SelectFailedPayoutsResult = { payouts: SelectedPayout[]; next_cursor: string | null };

const readAtOnce = 16;

/**
 * Finds a part of the failed payouts that a filter means. Search only suggests them: the state of each decides, and
 * shows which of its attempts has failed.
 *
 * Safe to retry: it only reads.
 *
 * @throws ApplicationFailure when our payouts could not be searched or read
 */
export const selectFailedPayouts =
  ({ failedPayouts, payoutState }: Pick<OwnPaymentsDeps, 'failedPayouts' | 'payoutState'>) =>
  async ({ filter, cursor }: SelectFailedPayoutsInput): Promise<SelectFailedPayoutsResult> => {
    const found = await failedPayouts(filter, cursor).catch(() => undefined);
    if (found === undefined) throw unavailable('searched');
    const candidates = onceEach(found.payouts);
    const payouts: SelectedPayout[] = [];
    let unread = 0;
    for (let at = 0; at < candidates.length; at += readAtOnce) {
      const some = candidates.slice(at, at + readAtOnce);
      const states = await Promise.all(some.map((listing) => payoutState(listing.partner_code ?? '')));
      heartbeat(at);
      for (const [index, listing] of some.entries()) {
        const state = states[index];
        if (state === undefined) {
          unread += 1;
          payouts.push(unreadable(listing));
        } else if (matchesFilter(filter, state)) {
          payouts.push(selected(state));
        }
      }
    }
    // Of so many it is not the payouts that can't be read.
    if (unread > readAtOnce && unread === candidates.length) throw unavailable('read');
    return { payouts, next_cursor: found.next_cursor };
  };

/** Search lists a payout twice while it goes on in a new run. */
function onceEach(listed: readonly PaymentListing[]): PaymentListing[] {
  return [...new Map(listed.map((listing) => [listing.partner_code, listing])).values()];
}

function selected({ attempts, cause, partner_code, refusal, value }: PayoutState): SelectedPayout {
  const latest = attempts.at(-1);
  return {
    partner_code,
    centavos: toCentavos(value) ?? 0,
    cause: cause ?? 'unknown',
    words: (latest?.error ?? refusal ?? '').slice(0, bulkRetryLimits.words),
    attempt: latest?.number ?? null,
  };
}

/** It may have failed: a retry reads it again, and counts it as not answered until it does. */
function unreadable({ partner_code, value }: PaymentListing): SelectedPayout {
  const words = 'Its workflow does not answer.';
  return {
    partner_code: partner_code ?? '',
    centavos: toCentavos(value ?? 0) ?? 0,
    cause: 'unknown',
    words,
    attempt: null,
  };
}

function unavailable(what: 'searched' | 'read'): ApplicationFailure {
  // Without its cause, which the SDK would copy into the history.
  const message = `Our own payouts could not be ${what}.`;
  return ApplicationFailure.create({ type: 'TemporalUnavailable', message, nonRetryable: false });
}
