import { ApplicationFailure } from '@temporalio/activity';
import type { PayoutReading, PayoutScan } from '../src/contract/outcomes.js';
import { attemptNumberOf } from '../src/domain/ids.js';
import type { ReadingDeps } from './shared/deps.js';
import { payoutReading } from './shared/readings.js';
import { allOlder, walkPayouts } from './shared/walk-payouts.js';

/**
 * `attempts_of` is the partner_code of a payout whose attempts are all looked for. `not_before` (ISO 8601): the scan may
 * end where all records are older.
 */
export type FindPayoutsInput = {
  partner_codes: string[];
  attempts_of?: string;
  service_ids?: string[];
  not_before: string;
};

/**
 * Looks for payouts by their partner_code or identifier: a complete scan of `GET /v1/payouts`, the newest first.
 *
 * Safe to retry: it changes nothing.
 *
 * @throws ApplicationFailure when any page could not be read, so that an answer always speaks of a complete scan
 */
export const findPayouts =
  (deps: ReadingDeps) =>
  async ({ partner_codes, attempts_of, service_ids, not_before }: FindPayoutsInput): Promise<PayoutScan> => {
    const codes = new Set(partner_codes);
    const ids = new Set(service_ids);
    const notBeforeMs = Date.parse(not_before);
    if (Number.isNaN(notBeforeMs)) {
      const message = 'not_before must be an ISO 8601 time';
      throw ApplicationFailure.create({ type: 'InvalidInput', message, nonRetryable: true });
    }
    const found = new Map<string, PayoutReading>();
    let pages = 0;
    let records = 0;
    for await (const payouts of walkPayouts(deps)) {
      pages += 1;
      records += payouts.length;
      for (const record of payouts) {
        const code = record.partnerCode ?? '';
        const isAttempt = attempts_of !== undefined && attemptNumberOf(attempts_of, code) !== undefined;
        if (!isAttempt && !codes.has(code) && !ids.has(record.id ?? '')) continue;
        // Pages shift while new payouts come in, so a record may be seen twice.
        found.set(record.id ?? `${String(pages)}/${String(found.size)}`, payoutReading(record));
      }
      if (allOlder(payouts, notBeforeMs)) break;
    }
    return { found: [...found.values()], pages, records };
  };
