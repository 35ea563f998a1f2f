import type { PayoutPage } from '../src/contract/outcomes.js';
import type { PayoutQuery } from '../src/payments-service/requests.js';
import type { ReadingDeps } from './shared/deps.js';
import { readService } from './shared/read-service.js';
import { payoutReading } from './shared/readings.js';

/** The query parameters of §4 GET /v1/payouts. */
export type ListPayoutsInput = PayoutQuery;

/**
 * Reads one page of the payouts (§4 GET /v1/payouts).
 *
 * Safe to retry: it changes nothing.
 */
export const listPayouts =
  (deps: ReadingDeps) =>
  async (query: ListPayoutsInput): Promise<PayoutPage> => {
    const page = await readService(deps, 'GET /v1/payouts', (service, call) =>
      service.listPayouts(query, call),
    );
    return {
      payouts: page.payouts.map(payoutReading),
      total_pages: page.totalPages,
      current_page: page.currentPage,
    };
  };
