import type { Client } from '@temporalio/client';
import type { google } from '@temporalio/proto';
import { grpcCode, mayPass } from '../temporal/grpc-codes.js';
import { reconciliationSchedules } from '../temporal/reconciliation-schedules.js';
import type { HealthProblem } from './problem.js';

const GRPC_NOT_FOUND = 5;
const FAILED: readonly number[] = [3, 5, 7];
/** Temporal may take an action a moment late. */
const lateMs = 45_000;

type ScheduleFault = { readonly scheduleId: string; readonly fault: string };

/** What is wrong with the Schedules of the reconciliation at Temporal's time `now`: whether they are there, run, and come to their end. */
export async function viewSchedules(
  client: Client,
  taskQueue: string,
  now: number,
): Promise<ScheduleFault[]> {
  const wanted = reconciliationSchedules(taskQueue);
  const faults = await Promise.all(
    wanted.map(({ scheduleId, every }) => faultOf(client, scheduleId, every, now)),
  );
  return wanted.flatMap(({ scheduleId }, index) => {
    const fault = faults[index] ?? null;
    return fault === null ? [] : [{ scheduleId, fault }];
  });
}

/** A Schedule that can't be described says nothing of the other one. Without permission payouts read for themselves. */
async function faultOf(
  client: Client,
  scheduleId: string,
  every: number,
  now: number,
): Promise<string | null> {
  try {
    return await faultSeen(client, scheduleId, every, now);
  } catch (error) {
    return mayPass(error) ? 'could not be described' : null;
  }
}

async function faultSeen(
  client: Client,
  scheduleId: string,
  every: number,
  now: number,
): Promise<string | null> {
  const { namespace } = client.options;
  const described = await client.workflowService
    .describeSchedule({ namespace, scheduleId })
    .catch((error: unknown) => {
      if (grpcCode(error) === GRPC_NOT_FOUND) return null;
      throw error;
    });
  if (described === null) return 'does not exist';
  const { info, schedule } = described;
  if (schedule?.state?.paused === true) return 'is paused';
  const last = info?.recentActions?.at(-1);
  const lastRunAt = millis(last?.scheduleTime);
  // From a change on, such as an unpausing, the next run may be one whole interval away.
  const changedAt = Math.max(millis(info?.updateTime), millis(info?.createTime));
  const since = Math.max(lastRunAt, changedAt);
  const sinceWhen = `${since > lastRunAt ? 'it was made or changed at ' : ''}${new Date(since).toISOString()}`;
  const isRunning = (info?.runningWorkflows ?? []).length > 0;
  if (!isRunning && now - since > every + lateMs) return `has not run since ${sinceWhen}`;
  if (isRunning && now - since > 2 * every) return `has been running since ${sinceWhen}`;
  const { workflowId, runId } = last?.startWorkflowResult ?? {};
  if (workflowId == null || isRunning) return null;
  return (await ended(client, workflowId, runId ?? '', FAILED)) ? 'ran last without coming to its end' : null;
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
    if (grpcCode(error) === GRPC_NOT_FOUND) return false;
    throw error;
  }
}

function millis(time: google.protobuf.ITimestamp | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1_000_000;
}

/** A problem when the reconciliation does not do its work. */
export function reconciliationProblems(faults: readonly ScheduleFault[]): HealthProblem[] {
  if (faults.length === 0) return [];
  return [
    {
      check: 'reconciliation',
      detail: `${faults.map(({ scheduleId, fault }) => `The Schedule ${scheduleId} ${fault}`).join('. ')}. Changed payouts are found hours later, and identifiers that two payments have are not found.`,
      action:
        'temporal schedule describe --schedule-id … shows why: unpause it, start workers, which create it, or permit ' +
        'this program to create Schedules; of a run that failed its workflow shows the cause.',
    },
  ];
}
