import type { Client } from '@temporalio/client';
import { isGrpcServiceError } from '@temporalio/client';
import type { google } from '@temporalio/proto';
import { reconciliationSchedules } from '../temporal/reconciliation-schedules.js';
import type { HealthProblem } from './problem.js';

const GRPC_NOT_FOUND = 5;
const FAILED: readonly number[] = [3, 5, 7];
/** Temporal may take an action a moment late. */
const lateMs = 45_000;

/** What a Schedule of the reconciliation is, and what is wrong with it. */
export type ScheduleView = {
  readonly scheduleId: string;
  readonly lastRunAt: number | null;
  readonly fault: string | null;
};

/** Looks at the Schedules of the reconciliation: whether they are there, run, and come to their end. */
export function viewSchedules(client: Client, taskQueue: string): Promise<ScheduleView[]> {
  return Promise.all(reconciliationSchedules(taskQueue).map((wanted) => viewSchedule(client, wanted)));
}

async function viewSchedule(
  client: Client,
  { scheduleId, every }: { scheduleId: string; every: number },
): Promise<ScheduleView> {
  const { namespace } = client.options;
  const described = await client.workflowService
    .describeSchedule({ namespace, scheduleId })
    .catch((error: unknown) => {
      if (isGrpcServiceError(error) && Number(error.code) === GRPC_NOT_FOUND) return null;
      throw error;
    });
  if (described === null) return { scheduleId, lastRunAt: null, fault: 'does not exist' };
  const { info, schedule } = described;
  const last = info?.recentActions?.at(-1);
  const lastRunAt = last?.scheduleTime == null ? null : millis(last.scheduleTime);
  if (schedule?.state?.paused === true) return { scheduleId, lastRunAt, fault: 'is paused' };
  const since = Math.max(lastRunAt ?? 0, millis(info?.updateTime), millis(info?.createTime));
  const isRunning = (info?.runningWorkflows ?? []).length > 0;
  if (!isRunning && Date.now() - since > every + lateMs) {
    return { scheduleId, lastRunAt, fault: `has not run since ${new Date(since).toISOString()}` };
  }
  if (isRunning && Date.now() - since > 2 * every) {
    return { scheduleId, lastRunAt, fault: `has been running since ${new Date(since).toISOString()}` };
  }
  const { workflowId, runId } = last?.startWorkflowResult ?? {};
  if (workflowId == null || isRunning) return { scheduleId, lastRunAt, fault: null };
  const failed = await ended(client, workflowId, runId ?? '', FAILED);
  return { scheduleId, lastRunAt, fault: failed ? 'ran last without coming to its end' : null };
}

async function ended(
  client: Client,
  workflowId: string,
  runId: string,
  how: readonly number[],
): Promise<boolean> {
  try {
    const { workflowExecutionInfo } = await client.workflowService.describeWorkflowExecution({
      namespace: client.options.namespace,
      execution: { workflowId, runId },
    });
    return how.includes(Number(workflowExecutionInfo?.status));
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === GRPC_NOT_FOUND) return false;
    throw error;
  }
}

function millis(time: google.protobuf.ITimestamp | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1_000_000;
}

/** A problem when the reconciliation does not do its work. */
export function reconciliationProblems(schedules: readonly ScheduleView[]): HealthProblem[] {
  const faults = schedules.filter(({ fault }) => fault !== null);
  if (faults.length === 0) return [];
  return [
    {
      check: 'reconciliation',
      detail: `${faults.map(({ scheduleId, fault }) => `The Schedule ${scheduleId} ${fault ?? ''}`).join('. ')}. Changed payouts are found hours later.`,
      action:
        'temporal schedule describe --schedule-id … shows why: unpause it, start workers, which create it, or permit ' +
        'this program to create Schedules; of a run that failed its workflow shows the cause.',
    },
  ];
}
