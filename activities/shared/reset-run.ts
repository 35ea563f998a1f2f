import type { Info } from '@temporalio/activity';

/** Whether the workflow's run came about by a reset: only an activity can tell, for the workflow is replayed. */
export function isResetRun(info: Info, originalExecutionRunId: string): boolean {
  return info.workflowExecution?.runId !== originalExecutionRunId;
}
