import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { identifierClaimMs } from '../domain/call-limits.js';
import { identifierClaimId } from '../domain/ids.js';
import { TemporalUnavailableError } from './errors.js';
import { callTemporal, type TemporalCalls } from './temporal-calls.js';

type Claim = {
  /** The identifier of the service. */
  readonly serviceId: string;
  /** The payment that claims it. */
  readonly workflowId: string;
  readonly taskQueue: string;
  /** Temporal's time: milliseconds since the epoch. */
  readonly now: number;
};

/**
 * Claims an identifier of the service for a payment: starts a workflow with an id for it, of which Temporal runs one at a
 * time, so that of several claims one succeeds. Returns the workflow id of the payment that has it.
 *
 * @throws TemporalUnavailableError
 */
export async function claimIdentifier(
  calls: TemporalCalls,
  { now, serviceId, taskQueue, workflowId }: Claim,
): Promise<string> {
  const { client } = calls;
  const claimId = identifierClaimId(taskQueue, serviceId, workflowId);
  try {
    await callTemporal(calls, () =>
      client.workflow.start('identifierClaim', {
        workflowId: claimId,
        taskQueue,
        memo: { claimed_by: workflowId },
        staticSummary: `${serviceId} is claimed by ${workflowId}`,
        // Ends it even when no worker runs.
        workflowExecutionTimeout: 2 * identifierClaimMs,
      }),
    );
    return workflowId;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const { memo, startTime } = await callTemporal(calls, () =>
      client.workflow.getHandle(claimId).describe(),
    );
    const isOld = now - startTime.getTime() > identifierClaimMs / 4;
    // It may end before search shows the payment.
    if (memo?.claimed_by === workflowId && isOld) throw new TemporalUnavailableError(error);
    return String(memo?.claimed_by);
  }
}
