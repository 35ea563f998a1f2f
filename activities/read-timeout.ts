import { activityInfo } from '@temporalio/activity';
import type { OwnPaymentsDeps } from './shared/deps.js';
import { orTemporalUnavailable } from './shared/temporal-unavailable.js';

/** Null: the history of this run shows no call that no worker took. */
export type ReadTimeoutResult = { timed_out_after_ms: number | null };

/**
 * Reads from the history of its own workflow how long after its scheduling the latest call timed out that no worker took: a
 * workflow learns of it only once a worker is there again.
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
