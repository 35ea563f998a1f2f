import type { Info } from '@temporalio/activity';

/** What a reading says of the run that made it: its id when it came about by a reset. */
export function resetRun(info: Info, originalExecutionRunId: string): { reset_run_id?: string } {
  const runId = info.workflowExecution?.runId;
  return runId !== undefined && isResetRun(info, originalExecutionRunId) ? { reset_run_id: runId } : {};
}

/** Whether the workflow's run came about by a reset: only an activity can know, for the workflow is replayed. */
export function isResetRun(
  { workflowExecution }: Pick<Info, 'workflowExecution'>,
  originalExecutionRunId: string,
): boolean {
  return workflowExecution?.runId !== originalExecutionRunId;
}
