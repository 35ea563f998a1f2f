import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleDescription,
} from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { grpcCode, mayPass } from './grpc-codes.js';
import { PayloadDecryptionError, currentKeyId, keyIdOf } from './payload-codec.js';
import { fullScanAtMs, fullScanEveryMs, reconcileEveryMs } from '../domain/reconciling.js';
import { identifierCheck as limits } from '../domain/identifier-check.js';
import { idPrefixes } from '../domain/id-prefixes.js';

const GRPC_NOT_FOUND = 5;
const GRPC_PERMISSION_DENIED = 7;
const defaultTaskQueue = 'payments';

/**
 * What was done about a Schedule. `encrypted`: it is written under the current key now. `replaced`: it was there and not
 * paused, but its next run was overdue. Without permission payouts continue to read for themselves, hourly.
 */
export type ScheduleOutcome =
  'created' | 'updated' | 'encrypted' | 'replaced' | 'unchanged' | 'not_permitted';

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
 *
 * @throws PayloadDecryptionError when the first of them was written under another key: then none is touched
 */
export async function ensureReconciliationSchedules(
  client: Client,
  taskQueue: string,
  now = Date.now(),
): Promise<ScheduleOutcome[]> {
  const [first, ...others] = reconciliationSchedules(taskQueue);
  return [
    await ensure(client, taskQueue, first, now),
    ...(await Promise.all(others.map((each) => ensure(client, taskQueue, each, now)))),
  ];
}

/**
 * The first of the Schedules is there from the first process on, for ever, and is made by one process alone: it shows
 * under which keys a task queue is written. Creates it unless it is there.
 */
export async function createFirstSchedule(client: Client, taskQueue: string): Promise<void> {
  const [first] = reconciliationSchedules(taskQueue);
  await create(client, first, optionsOf(first, taskQueue));
}

/** The payloads of the first Schedule as Temporal has them; null when it is not there or may not be read. */
export async function firstSchedule(
  client: Client,
  taskQueue: string,
): Promise<{ readonly scheduleId: string; readonly payloads: readonly Payload[] } | null> {
  const [{ scheduleId }] = reconciliationSchedules(taskQueue);
  const { namespace } = client.options;
  const found = await patiently(client, () =>
    client.workflowService.describeSchedule({ namespace, scheduleId }),
  ).catch((error: unknown) => {
    const code = grpcCode(error);
    if (code === GRPC_NOT_FOUND || code === GRPC_PERMISSION_DENIED) return null;
    throw error;
  });
  return found === null ? null : { scheduleId, payloads: payloadsOf(found) };
}

type Wanted = ReturnType<typeof reconciliationSchedules>[number];
type Described = ScheduleDescription['raw'];

function optionsOf(
  { args, scheduleId, every, offset, overlap, summary, workflowType }: Wanted,
  taskQueue: string,
) {
  return {
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
}

async function create(
  client: Client,
  { scheduleId, startsAtOnce }: Wanted,
  options: ReturnType<typeof optionsOf>,
): Promise<'created' | 'not_permitted' | 'exists'> {
  try {
    await client.schedule.create({ scheduleId, ...options, state: { triggerImmediately: startsAtOnce } });
    return 'created';
  } catch (error) {
    if (grpcCode(error) === GRPC_PERMISSION_DENIED) return 'not_permitted';
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    return 'exists';
  }
}

async function ensure(
  client: Client,
  taskQueue: string,
  wanted: Wanted,
  now: number,
): Promise<ScheduleOutcome> {
  const { scheduleId, startsAtOnce } = wanted;
  const options = optionsOf(wanted, taskQueue);
  const created = await create(client, wanted, options);
  if (created !== 'exists') return created;
  const handle = client.schedule.getHandle(scheduleId);
  const replace = async (paused: boolean) => {
    await handle.delete().catch(ignore(ScheduleNotFoundError));
    await client.schedule
      .create({ scheduleId, ...options, state: { paused, triggerImmediately: startsAtOnce && !paused } })
      .catch(ignore(ScheduleAlreadyRunning));
  };
  try {
    const found = await patiently(client, () => handle.describe());
    if (isStuck(found, now)) {
      await replace(false);
      return 'replaced';
    }
    const asWanted = isAsWanted(found, wanted, taskQueue);
    if (asWanted && isUnderCurrentKey(client, found.raw)) return 'unchanged';
    await handle.update(({ state }) => ({ ...options, state }));
    return asWanted ? 'encrypted' : 'updated';
  } catch (error) {
    const [first] = reconciliationSchedules(taskQueue);
    if (!(error instanceof PayloadDecryptionError) || scheduleId === first.scheduleId) throw error;
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
async function patiently<Found>(
  client: Client,
  describe: () => Promise<Found>,
  tries = describeTries,
): Promise<Found> {
  try {
    return await client.withDeadline(Date.now() + describeMs, describe);
  } catch (error) {
    if (tries === 1 || !mayPass(error)) throw error;
    return patiently(client, describe, tries - 1);
  }
}

/** All that is encrypted of a Schedule. */
function payloadsOf({ schedule }: Described): Payload[] {
  const { input, userMetadata } = schedule?.action?.startWorkflow ?? {};
  const summary = userMetadata?.summary;
  return [...(input?.payloads ?? []), ...(summary == null ? [] : [summary])];
}

/** A key that is no longer the first may be taken out of PAYLOAD_KEYS: nothing stays under it. */
function isUnderCurrentKey(client: Client, described: Described): boolean {
  const current = currentKeyId(client.options.loadedDataConverter.payloadCodecs);
  return payloadsOf(described).every((payload) => keyIdOf(payload) === current);
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
