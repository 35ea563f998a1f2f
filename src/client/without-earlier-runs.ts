import { isGrpcServiceError } from '@temporalio/client';
import type { Closing } from '../domain/closings.js';
import type { PaymentListing } from '../contract/http/lists.js';
import { closingOf } from './listing.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

const NOT_FOUND = 5;

/**
 * Leaves out runs of which another one took over, as after a reset: they say that nobody follows the payment, and are
 * wrong. Temporal's search is a moment behind: it may show an earlier run as open beside the one that took over.
 */
export async function withoutEarlierRuns(
  calls: TemporalCalls,
  payments: readonly PaymentListing[],
): Promise<PaymentListing[]> {
  const latest = latestStarted(payments);
  const isLatest = await Promise.all(
    latest.map(async ({ closed_as: closedAs, workflow_id: id }) => {
      if (closedAs === null || closedAs === 'completed') return true;
      const closing = await closingOfLatest(calls, id);
      return closing === undefined || closing === closedAs;
    }),
  );
  return latest.filter((_, index) => isLatest[index]);
}

/** Of each workflow the run that started last, in the order of the list. */
function latestStarted(payments: readonly PaymentListing[]): PaymentListing[] {
  const latest = new Map<string, PaymentListing>();
  for (const payment of payments) {
    const other = latest.get(payment.workflow_id);
    if (other === undefined || other.started_at < payment.started_at)
      latest.set(payment.workflow_id, payment);
  }
  return payments.filter((payment) => latest.get(payment.workflow_id) === payment);
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
