import type { PayoutReading, ReadFor, ReadInRun } from '../src/contract/outcomes.js';
import type { ReadingDeps } from './shared/deps.js';
import { readInRun } from './shared/read-in-run.js';
import { payoutReading, readBy } from './shared/readings.js';

/** `service_id` is the id that the service gave the payout; `partner_code` that of the payout that asks. */
export type ReadPayoutInput = ReadFor & { service_id: string; partner_code?: string };

/**
 * Reads a payout (`GET /v1/payout/{id}`).
 *
 * Safe to retry: it changes nothing. Soon after a creation a 404 (`NotFound`) may pass.
 */
export const readPayout =
  (deps: ReadingDeps) =>
  ({ partner_code, service_id, ...run }: ReadPayoutInput): Promise<ReadInRun<PayoutReading>> =>
    readInRun(
      deps,
      'GET /v1/payout/{id}',
      run,
      (service, call) => service.readPayout(service_id, call),
      (payout) => payoutReading(readBy(service_id, payout), partner_code),
    );
