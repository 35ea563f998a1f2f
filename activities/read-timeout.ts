import { activityInfo } from '@temporalio/activity';
import type { OwnPaymentsDeps } from './shared/deps.js';
import { orTemporalUnavailable } from './shared/temporal-unavailable.js';

/** `timed_out_after_ms`: null when the history of this run shows no such call. */
export type ReadTimeoutResult = { timed_out_after_ms: number | null };

/**
 * Reads from the history of its own workflow how long after its scheduling the latest call that no worker took timed out:
 * the workflow itself learns of the timeout only when a worker runs again.
 *
 * Safe to retry: it only reads.
 *
 * @throws ApplicationFailure when Temporal does not answer
 */
export const readTimeout =
  ({ neverStartedAfterMs }: Pick<OwnPaymentsDeps, 'neverStartedAfterMs'>) =>
  (): Promise<ReadTimeoutResult> =>
    orTemporalUnavailable(async () => {
      const { workflowId = '', runId = '' } = activityInfo().workflowExecution ?? {};
      return { timed_out_after_ms: await neverStartedAfterMs(workflowId, runId) };
    });
