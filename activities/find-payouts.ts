import { ApplicationFailure } from '@temporalio/activity';
import type { PayoutReading, PayoutScan } from '../src/contract/outcomes.js';
import type { ReadingDeps } from './shared/deps.js';
import { payoutReading } from './shared/readings.js';
import { allOlder, walkPayouts } from './shared/walk-payouts.js';

/** `not_before` (ISO 8601): the walk may end where all records are older. */
export type FindPayoutsInput = { partner_codes: string[]; service_ids?: string[]; not_before: string };

/**
 * Looks for payouts by their partner_code or identifier: walks GET /v1/payouts from the newest back, whole or not at all.
 *
 * Safe to retry: it changes nothing.
 *
 * @throws ApplicationFailure when any page could not be read, so that an answer always speaks of the whole walk
 */
export const findPayouts =
  (deps: ReadingDeps) =>
  async ({ partner_codes, service_ids, not_before }: FindPayoutsInput): Promise<PayoutScan> => {
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
        if (!codes.has(record.partnerCode ?? '') && !ids.has(record.id ?? '')) continue;
        // Pages shift while new payouts come in, so a record may be seen twice.
        found.set(record.id ?? `${String(pages)}/${String(found.size)}`, payoutReading(record));
      }
      if (allOlder(payouts, notBeforeMs)) break;
    }
    return { found: [...found.values()], pages, records };
  };
