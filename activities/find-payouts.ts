import { ApplicationFailure, cancellationSignal, heartbeat } from '@temporalio/activity';
import type { PayoutReading, PayoutScan } from '../src/contract/outcomes.js';
import { latestInstantMs } from '../src/payments-service/instants.js';
import type { PayoutList, PayoutRecord } from '../src/payments-service/result.js';
import type { ReadingDeps } from './shared/deps.js';
import { readService } from './shared/read-service.js';
import { payoutReading } from './shared/readings.js';

/** `not_before` (ISO 8601): the walk may end where all records are older. */
export type FindPayoutsInput = { partner_codes: string[]; not_before: string };

const perPage = 200;
/** No walk is longer: a list without an end must not keep an activity for ever. */
const maxPages = 5_000;

/**
 * Looks for payouts by their partner_code: walks GET /v1/payouts from the newest back, whole or not at all.
 *
 * Safe to retry: it changes nothing.
 *
 * @throws ApplicationFailure when any page could not be read, so that an answer always speaks of the whole walk
 */
export const findPayouts =
  (deps: ReadingDeps) =>
  async ({ partner_codes, not_before }: FindPayoutsInput): Promise<PayoutScan> => {
    const wanted = new Set(partner_codes);
    const notBeforeMs = Date.parse(not_before);
    if (Number.isNaN(notBeforeMs))
      throw unusable('InvalidInput', 'not_before must be an ISO 8601 time', true);

    const found = new Map<string, PayoutReading>();
    let records = 0;
    for (let page = 1; page <= maxPages; page += 1) {
      const list = await readService(deps, 'GET /v1/payouts', (service, call) =>
        service.listPayouts({ page, per_page: perPage, sort: 'created_at', direction: 'desc' }, call),
      );
      heartbeat();
      cancellationSignal().throwIfAborted();
      if (list.currentPage !== null && list.currentPage !== page) {
        throw unusable(
          'Unreadable',
          'GET /v1/payouts: the service answered with another page than asked for.',
        );
      }
      records += list.payouts.length;
      for (const record of list.payouts) {
        if (record.partnerCode === null || !wanted.has(record.partnerCode)) continue;
        // Pages shift while new payouts come in, so a record may be seen twice.
        found.set(record.id ?? `${String(page)}/${String(found.size)}`, payoutReading(record));
      }
      if (isLastPage(list, page) || allOlder(list.payouts, notBeforeMs)) {
        return { found: [...found.values()], pages: page, records };
      }
    }
    throw unusable('Unreadable', `GET /v1/payouts: the list had no end after ${String(maxPages)} pages.`);
  };

function isLastPage({ payouts, totalPages }: PayoutList, page: number): boolean {
  return totalPages === null ? payouts.length === 0 : page >= totalPages;
}

/** Whether every record with a readable time is older, and there is one; a single stray one proves nothing. */
function allOlder(payouts: PayoutRecord[], notBeforeMs: number): boolean {
  const times = payouts
    .map(({ claimedAt }) => latestInstantMs(claimedAt))
    .filter((time) => time !== undefined);
  return times.length > 0 && times.every((time) => time < notBeforeMs);
}

function unusable(
  type: 'InvalidInput' | 'Unreadable',
  message: string,
  nonRetryable = false,
): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable });
}
