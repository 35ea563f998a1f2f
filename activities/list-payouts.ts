import { ApplicationFailure } from '@temporalio/activity';
import { maxListPage, pagesARun, payoutListInput } from '../src/contract/payout-list.js';
import type { ListedPayout, PayoutListInput, PayoutListPart } from '../src/contract/payout-list.js';
import type * as service from '../src/payments-service/result.js';
import { checked } from './shared/checked.js';
import type { ReadingDeps } from './shared/deps.js';
import { allOlder, keepScanning, readPage, unreadable } from './shared/scan-payouts.js';

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
    for (let page = first; page < first + pagesARun; page += 1) {
      if (page > maxListPage) throw unreadable(`the list had no end after ${String(maxListPage)} pages.`);
      const { payouts: records, isLast } = await readPage(deps, page);
      keepScanning();
      if (records.length === 0 && !isLast)
        throw unreadable(`page ${String(page)} is empty, and more follow.`);
      payouts.push(...records.map(asListed));
      if (isLast || allOlder(records, Date.parse(not_before))) return { payouts, next_page: null };
    }
    return { payouts, next_page: first + pagesARun };
  };

function asListed(record: service.ListedPayout): ListedPayout {
  const { id, status, value, fee, tax, total, provider } = record;
  const { partnerCode: partner_code, claimedAt: claimed_at, paidAt: paid_at } = record;
  return { id, partner_code, status, value, fee, tax, total, claimed_at, paid_at, provider };
}
