import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { ScanningActivities } from '../activities/index.js';
import type { PayoutListInput, PayoutListPart } from '../src/contract/payout-list.js';
import { scanTaskQueue } from '../src/domain/call-limits.js';

/**
 * A part of the service's list of payouts, for who has no credentials of the service: the export of the command line.
 *
 * Endpoint: `GET /v1/payouts`.
 */
export function payoutList(input: PayoutListInput): Promise<PayoutListPart> {
  // Safe to retry: it only reads.
  const { listPayouts } = proxyActivities<ScanningActivities>({
    taskQueue: scanTaskQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '1 minute',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumAttempts: 5 },
    summary: "read pages of the service's list of payouts",
  });
  return listPayouts(input);
}
