import type { Client } from '@temporalio/client';
import { isGrpcServiceError } from '@temporalio/client';
import type { HealthProblem } from './problem.js';

const GRPC_NOT_FOUND = 5;
const RUNNING = 1;
/** A first failure may be a worker that was stopped in the middle. */
const failedOften = 3;

/** What Temporal knows of a workflow's current run, without decoding anything. */
export type RunView = {
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

/** A problem when workers take workflow tasks of these runs and fail them again and again. */
export function failingTasks(runs: readonly RunView[]): HealthProblem[] {
  const attempts = Math.max(0, ...runs.map(({ taskAttempt }) => taskAttempt));
  if (attempts < failedOften) return [];
  return [
    {
      check: 'workflow_tasks',
      detail: `Workers fail workflow tasks, of one workflow ${String(attempts)} times: such payments stand still.`,
      action:
        'Look at the workers’ log for "workflow task". Either a worker has other PAYLOAD_KEYS, or its code can’t replay ' +
        'what other code wrote: put the previous version back. Never reset or terminate payments for it.',
    },
  ];
}
