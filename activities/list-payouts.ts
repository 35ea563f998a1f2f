import { ApplicationFailure } from '@temporalio/activity';
import { pagesARun, payoutListInput } from '../src/contract/payout-list.js';
import type { ListedPayout, PayoutListInput, PayoutListPart } from '../src/contract/payout-list.js';
import { payoutOfAttempt } from '../src/domain/reconciling.js';
import { withoutCard } from '../src/domain/service-ids.js';
import type * as service from '../src/payments-service/result.js';
import { checked } from './shared/checked.js';
import type { ReadingDeps } from './shared/deps.js';
import { endOfScan, scanPayouts } from './shared/scan-payouts.js';

/**
 * Reads some pages of `GET /v1/payouts`, the newest record first, for an export.
 *
 * Safe to retry: it only reads.
 *
 * @throws ApplicationFailure when one of them could not be read, or is empty though more follow
 */
export const listPayouts =
  (deps: ReadingDeps) =>
  async (input: PayoutListInput): Promise<PayoutListPart> => {
    const result = checked(payoutListInput, input);
    if ('problems' in result) {
      const message = result.problems.map(({ field, message: what }) => `${field} ${what}`).join('; ');
      throw ApplicationFailure.create({ type: 'InvalidInput', message, nonRetryable: true });
    }
    const { page: first, not_before } = result.parsed;
    const payouts: ListedPayout[] = [];
    const isPast = endOfScan(Date.parse(not_before));
    let next = first;
    for await (const page of scanPayouts(deps, { first })) {
      next += 1;
      payouts.push(...page.payouts.map(asListed));
      if (isPast(page) || page.isLast) break;
      if (next === first + pagesARun) return { payouts, next_page: next };
    }
    return { payouts, next_page: null };
  };

function asListed(record: service.ListedPayout): ListedPayout {
  const { id, status, value, fee, tax, total, provider } = record;
  const { partnerCode: code, claimedAt: claimed_at, paidAt: paid_at } = record;
  const mayBeOurs = code !== null && payoutOfAttempt(code) !== undefined;
  const partner_code = mayBeOurs ? code : withoutCard(code);
  return { id, partner_code, status, value, fee, tax, total, claimed_at, paid_at, provider };
}
