import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  isGrpcServiceError,
  type Client,
  type ScheduleDescription,
} from '@temporalio/client';
import { PayloadDecryptionError } from './payload-codec.js';
import { fullWalkAtMs, fullWalkEveryMs, reconcileEveryMs } from '../domain/reconciling.js';

const GRPC_PERMISSION_DENIED = 7;
const defaultTaskQueue = 'payments';

/** What became of a Schedule. Without permission payouts go on reading for themselves, hourly. */
export type ScheduleOutcome = 'created' | 'updated' | 'unchanged' | 'not_permitted';

/**
 * The Schedules of `payoutReconciliation`: `payout-reconciliation`, of those under way, and
 * `payout-reconciliation-full`, the daily walk. Deployments that share a namespace have their own.
 */
export function reconciliationSchedules(taskQueue: string) {
  const base =
    taskQueue === defaultTaskQueue ? 'payout-reconciliation' : `payout-reconciliation-${taskQueue}`;
  return [
    {
      scheduleId: base,
      every: reconcileEveryMs,
      offset: 0,
      full: false,
      summary: 'Compares the payouts under way at the service with ours',
    },
    {
      scheduleId: `${base}-full`,
      every: fullWalkEveryMs,
      offset: fullWalkAtMs,
      full: true,
      summary: 'Walks through all payouts of two weeks at the service and here',
    },
  ] as const;
}

/**
 * Makes sure that the reconciliation runs, one run of a Schedule at a time; a run missed while Temporal was down is
 * made up for once. Safe to repeat, and by any number of workers. Whether an operator has paused one stays as it is.
 */
export function ensureReconciliationSchedules(client: Client, taskQueue: string): Promise<ScheduleOutcome[]> {
  return Promise.all(reconciliationSchedules(taskQueue).map((wanted) => ensure(client, taskQueue, wanted)));
}

type Wanted = ReturnType<typeof reconciliationSchedules>[number];

async function ensure(client: Client, taskQueue: string, wanted: Wanted): Promise<ScheduleOutcome> {
  const { scheduleId, every, offset, full, summary } = wanted;
  const options = {
    spec: { intervals: [{ every, offset }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: every },
    action: {
      type: 'startWorkflow' as const,
      workflowType: 'payoutReconciliation',
      workflowId: scheduleId,
      taskQueue,
      args: [{ full }],
      staticSummary: summary,
    },
  };
  try {
    await client.schedule.create({ scheduleId, ...options });
    return 'created';
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === GRPC_PERMISSION_DENIED) return 'not_permitted';
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  const handle = client.schedule.getHandle(scheduleId);
  try {
    if (isAsWanted(await handle.describe(), wanted, taskQueue)) return 'unchanged';
    await handle.update(({ state }) => ({ ...options, state }));
    return 'updated';
  } catch (error) {
    if (!(error instanceof PayloadDecryptionError)) throw error;
  }
  // It was written under a key that has been taken out since. All that counts of it is in clear.
  const paused = await isPaused(client, scheduleId);
  await handle.delete().catch(ignore(ScheduleNotFoundError));
  await client.schedule
    .create({ scheduleId, ...options, state: { paused } })
    .catch(ignore(ScheduleAlreadyRunning));
  return 'updated';
}

/** Without decoding anything. */
async function isPaused(client: Client, scheduleId: string): Promise<boolean> {
  const { namespace } = client.options;
  const { schedule } = await client.workflowService.describeSchedule({ namespace, scheduleId });
  return schedule?.state?.paused === true;
}

/** For what another worker did a moment before. */
function ignore(expected: new (...args: never[]) => Error) {
  return (error: unknown): void => {
    if (!(error instanceof expected)) throw error;
  };
}

function isAsWanted(
  { spec, policies, action }: ScheduleDescription,
  { every, offset }: Wanted,
  taskQueue: string,
): boolean {
  const [interval, ...more] = spec.intervals ?? [];
  return (
    Number(interval?.every) === every &&
    Number(interval?.offset) === offset &&
    more.length === 0 &&
    policies.overlap === ScheduleOverlapPolicy.SKIP &&
    action.workflowType === 'payoutReconciliation' &&
    action.taskQueue === taskQueue
  );
}
