import { isGrpcServiceError } from '@temporalio/client';
import type { Closing } from '../domain/closings.js';
import type { PaymentListing } from '../contract/http/lists.js';
import { closingOf } from './listing.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

const NOT_FOUND = 5;

/**
 * Leaves out runs that were ended because another one of the same payment took over, as a reset does: they say that
 * nobody follows the payment, and are wrong.
 */
export async function withoutEarlierRuns(
  calls: TemporalCalls,
  payments: readonly PaymentListing[],
): Promise<PaymentListing[]> {
  const isLatest = await Promise.all(
    payments.map(async ({ closed_as: closedAs, workflow_id: id }) => {
      if (closedAs === null || closedAs === 'completed') return true;
      const latest = await closingOfLatest(calls, id);
      return latest === undefined || latest === closedAs;
    }),
  );
  return payments.filter((_, index) => isLatest[index]);
}

/**
 * How the latest run of a workflow ended; undefined when Temporal has removed it. What is encrypted of it is not opened: a
 * payment whose key is gone is still listed.
 */
async function closingOfLatest(
  calls: TemporalCalls,
  workflowId: string,
): Promise<Closing | null | undefined> {
  const { client } = calls;
  const { namespace } = client.options;
  try {
    const { workflowExecutionInfo: latest } = await callTemporal(calls, () =>
      client.workflowService.describeWorkflowExecution({ namespace, execution: { workflowId } }),
    );
    return closingOf(latest?.status);
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND) return undefined;
    throw error;
  }
}
