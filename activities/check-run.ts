import { activityInfo } from '@temporalio/activity';
import { isResetRun } from './shared/reset-run.js';

/** `original_execution_run_id`: `workflowInfo().originalExecutionRunId`, which a reset keeps. */
export type CheckRunInput = { original_execution_run_id: string };
export type CheckRunResult = { is_reset: boolean };

/**
 * Returns whether the workflow's run came about by a reset, after which "nothing was sent" is true of this run alone.
 *
 * Safe to retry: it only looks at what Temporal reports of the run.
 */
export function checkRun({ original_execution_run_id }: CheckRunInput): Promise<CheckRunResult> {
  return Promise.resolve({ is_reset: isResetRun(activityInfo(), original_execution_run_id) });
}
