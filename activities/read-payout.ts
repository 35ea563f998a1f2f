import type { PayoutReading } from '../src/contract/outcomes.js';
import type { ReadingDeps } from './shared/deps.js';
import { readService } from './shared/read-service.js';
import { payoutReading } from './shared/readings.js';

/** `service_id` is the id that the service gave the payout. */
export type ReadPayoutInput = { service_id: string };

/**
 * Reads a payout (`GET /v1/payout/{id}`).
 *
 * Safe to retry: it changes nothing. Soon after a creation a 404 (`NotFound`) may pass.
 */
export const readPayout =
  (deps: ReadingDeps) =>
  async ({ service_id }: ReadPayoutInput): Promise<PayoutReading> =>
    payoutReading(
      await readService(deps, 'GET /v1/payout/{id}', (service, call) => service.readPayout(service_id, call)),
    );
