import type { Client } from '@temporalio/client';
import { isGrpcServiceError } from '@temporalio/client';
import { taskFailedOften } from '../domain/call-limits.js';
import type { HealthProblem } from './problem.js';

const GRPC_NOT_FOUND = 5;
const RUNNING = 1;
/** A worker records so many workflows whose tasks fail, however many there are. */
export const mostRecorded = 20;
/** Workflows are named up to so many. */
const named = 3;

/** What Temporal knows of a workflow's current run, without decoding anything. */
export type RunView = {
  readonly workflowId: string;
  readonly open: boolean;
  /** Which try the pending workflow task is at; 0 when none is pending. */
  readonly taskAttempt: number;
  /** Activities that failed and are tried again, with the type of their last failure. */
  readonly failedActivities: readonly { readonly type: string }[];
};

/** Looks up workflows; those that are not there are left out. */
export async function runsOf(client: Client, workflowIds: readonly string[]): Promise<RunView[]> {
  const runs = await Promise.all(
    workflowIds.map(async (workflowId): Promise<RunView[]> => {
      try {
        const description = await client.workflowService.describeWorkflowExecution({
          namespace: client.options.namespace,
          execution: { workflowId },
        });
        const failures = description.pendingActivities.flatMap(({ lastFailure }) =>
          lastFailure == null ? [] : [{ type: lastFailure.applicationFailureInfo?.type ?? '' }],
        );
        return [
          {
            workflowId,
            open: Number(description.workflowExecutionInfo?.status) === RUNNING,
            taskAttempt: description.pendingWorkflowTask?.attempt ?? 0,
            failedActivities: failures,
          },
        ];
      } catch (error) {
        if (isGrpcServiceError(error) && Number(error.code) === GRPC_NOT_FOUND) return [];
        throw error;
      }
    }),
  );
  return runs.flat();
}

/** Whether workers take the workflow tasks of a run and fail them again and again. */
export const isFailing = ({ open, taskAttempt }: RunView) => open && taskAttempt >= taskFailedOften;

/** A problem when the tasks of some of these runs fail. @param count how many there are, where not all were read */
export function failingTasks(runs: readonly RunView[], count = 0): HealthProblem[] {
  const failing = runs.filter(isFailing);
  if (failing.length === 0) return [];
  const attempts = Math.max(...failing.map(({ taskAttempt }) => taskAttempt));
  const all = Math.max(count, failing.length);
  // Each worker records so many at most.
  const atLeast = all < mostRecorded ? '' : 'at least ';
  return [
    {
      check: 'workflow_tasks',
      detail:
        `Workers fail the workflow tasks of ${atLeast}${String(all)} workflow${all === 1 ? '' : 's'}, of one ` +
        `${String(attempts)} times: these stand still. What workers have taken up already may still be sent, nothing ` +
        'new after that; what was sent goes its way at the service.',
      action:
        'Look at the workers’ log for "workflow task". Either a worker has other PAYLOAD_KEYS, or its code can’t replay ' +
        'what other code wrote: put the previous version back. Never reset or terminate payments for it.',
      workflowIds: failing.slice(0, named).map(({ workflowId }) => workflowId),
    },
  ];
}
