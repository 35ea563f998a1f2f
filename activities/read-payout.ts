import { activityInfo } from '@temporalio/activity';
import type { PayoutReading } from '../src/contract/outcomes.js';
import type { ReadingDeps } from './shared/deps.js';
import { readService } from './shared/read-service.js';
import { payoutReading, readBy } from './shared/readings.js';
import { resetRun } from './shared/reset-run.js';

/**
 * `service_id` is the id that the service gave the payout; `partner_code` that of the payout that asks;
 * `original_execution_run_id`: `workflowInfo().originalExecutionRunId`, which a reset keeps.
 */
export type ReadPayoutInput = {
  service_id: string;
  partner_code?: string;
  original_execution_run_id: string;
};

/**
 * Reads a payout (`GET /v1/payout/{id}`).
 *
 * Safe to retry: it changes nothing. Soon after a creation a 404 (`NotFound`) may pass.
 */
export const readPayout =
  (deps: ReadingDeps) =>
  async ({
    original_execution_run_id,
    partner_code,
    service_id,
  }: ReadPayoutInput): Promise<PayoutReading> => {
    const payout = await readService(deps, 'GET /v1/payout/{id}', (service, call) =>
      service.readPayout(service_id, call),
    );
    return {
      ...payoutReading(readBy(service_id, payout), partner_code),
      ...resetRun(activityInfo(), original_execution_run_id),
    };
  };
