import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  isGrpcServiceError,
  type Client,
  type ScheduleDescription,
} from '@temporalio/client';
import { mayPass } from './grpc-codes.js';
import { PayloadDecryptionError } from './payload-codec.js';
import { fullScanAtMs, fullScanEveryMs, reconcileEveryMs } from '../domain/reconciling.js';
import { identifierCheck as limits } from '../domain/identifier-check.js';
import { idPrefixes } from '../domain/id-prefixes.js';

const GRPC_PERMISSION_DENIED = 7;
const defaultTaskQueue = 'payments';

/**
 * What was done about a Schedule. `replaced`: it was there and not paused, but its next run was overdue. Without permission
 * payouts go on reading for themselves, hourly.
 */
export type ScheduleOutcome = 'created' | 'updated' | 'replaced' | 'unchanged' | 'not_permitted';

/**
 * The Schedules of `payoutReconciliation`: `payout-reconciliation`, of those under way, and
 * `payout-reconciliation-full`, the daily full one; and `identifier-check`, of `identifierCheck`. Deployments that share a
 * namespace have their own.
 */
export function reconciliationSchedules(taskQueue: string) {
  const { identifierCheck, reconciliation } = idPrefixes;
  const idOf = (name: string) => (taskQueue === defaultTaskQueue ? name : `${name}-${taskQueue}`);
  return [
    {
      scheduleId: idOf(reconciliation),
      workflowType: 'payoutReconciliation',
      every: reconcileEveryMs,
      offset: 0,
      args: [{ full: false }],
      overlap: ScheduleOverlapPolicy.SKIP,
      startsAtOnce: false,
      summary: 'Compares the payouts under way at the service with ours',
    },
    {
      scheduleId: `${idOf(reconciliation)}-full`,
      workflowType: 'payoutReconciliation',
      every: fullScanEveryMs,
      offset: fullScanAtMs,
      args: [{ full: true }],
      overlap: ScheduleOverlapPolicy.SKIP,
      startsAtOnce: false,
      summary: 'Compares all payouts of two weeks with the service',
    },
    {
      scheduleId: idOf(identifierCheck),
      workflowType: 'identifierCheck',
      every: limits.startEveryMs,
      offset: 0,
      args: [],
      // A run ends as the next one is due.
      overlap: ScheduleOverlapPolicy.BUFFER_ONE,
      // Otherwise nothing is checked until the first interval ends.
      startsAtOnce: true,
      summary: 'Searches identifiers of the service that two payments have',
    },
  ] as const;
}

/**
 * Makes sure that the reconciliation runs, one run of a Schedule at a time; a run missed while Temporal was down is
 * made up for once. Safe to repeat, and by any number of workers. Whether an operator has paused one stays as it is.
 */
export function ensureReconciliationSchedules(
  client: Client,
  taskQueue: string,
  now = Date.now(),
): Promise<ScheduleOutcome[]> {
  const wanted = reconciliationSchedules(taskQueue);
  return Promise.all(wanted.map((each) => ensure(client, taskQueue, each, now)));
}

type Wanted = ReturnType<typeof reconciliationSchedules>[number];

async function ensure(
  client: Client,
  taskQueue: string,
  wanted: Wanted,
  now: number,
): Promise<ScheduleOutcome> {
  const { args, scheduleId, every, offset, overlap, startsAtOnce, summary, workflowType } = wanted;
  const options = {
    spec: { intervals: [{ every, offset }] },
    policies: { overlap, catchupWindow: every },
    action: {
      type: 'startWorkflow' as const,
      workflowType,
      workflowId: scheduleId,
      taskQueue,
      args: [...args],
      staticSummary: summary,
    },
  };
  try {
    await client.schedule.create({ scheduleId, ...options, state: { triggerImmediately: startsAtOnce } });
    return 'created';
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === GRPC_PERMISSION_DENIED) return 'not_permitted';
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  const handle = client.schedule.getHandle(scheduleId);
  const replace = async (paused: boolean) => {
    await handle.delete().catch(ignore(ScheduleNotFoundError));
    await client.schedule
      .create({ scheduleId, ...options, state: { paused, triggerImmediately: startsAtOnce && !paused } })
      .catch(ignore(ScheduleAlreadyRunning));
  };
  try {
    const found = await described(client, scheduleId);
    if (isStuck(found, now)) {
      await replace(false);
      return 'replaced';
    }
    if (isAsWanted(found, wanted, taskQueue)) return 'unchanged';
    await handle.update(({ state }) => ({ ...options, state }));
    return 'updated';
  } catch (error) {
    if (!(error instanceof PayloadDecryptionError)) throw error;
  }
  // It was written under a key that has been taken out since. All that counts of it is in plaintext.
  await replace(await isPaused(client, scheduleId));
  return 'updated';
}

const describeMs = 10_000;
const describeTries = 6;

/**
 * A Schedule is a workflow of Temporal's own. After a server was killed, what its worker was about to do is given out
 * again ten seconds later, and nobody answers before.
 */
async function described(
  client: Client,
  scheduleId: string,
  tries = describeTries,
): Promise<ScheduleDescription> {
  try {
    return await client.withDeadline(Date.now() + describeMs, () =>
      client.schedule.getHandle(scheduleId).describe(),
    );
  } catch (error) {
    if (tries === 1 || !mayPass(error)) throw error;
    return described(client, scheduleId, tries - 1);
  }
}

/** A stray signal to Temporal's own workflow of a Schedule stops it for good, and it does not show as paused. */
function isStuck({ state, info }: ScheduleDescription, now: number): boolean {
  const [next] = info.nextActionTimes;
  return !state.paused && next !== undefined && next.getTime() < now - reconcileEveryMs;
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
  { every, offset, overlap, workflowType }: Wanted,
  taskQueue: string,
): boolean {
  const [interval, ...more] = spec.intervals ?? [];
  return (
    Number(interval?.every) === every &&
    Number(interval?.offset) === offset &&
    more.length === 0 &&
    policies.overlap === overlap &&
    action.workflowType === workflowType &&
    action.taskQueue === taskQueue
  );
}
