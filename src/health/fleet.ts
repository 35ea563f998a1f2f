import type { Client } from '@temporalio/client';
import { ServerClock } from '../temporal/server-clock.js';
import { clockProblems } from './clock.js';
import { viewFailingTasks } from './failing-tasks.js';
import { pollersOf } from './pollers.js';
import { healthChecks, type HealthProblem } from './problem.js';
import { unreachableService } from './reach-service.js';
import { reconciliationProblems, viewSchedules } from './schedules.js';
import { pollerCount, pollersByQueue, unpolled, workerQueues } from './task-queues.js';
import { viewTokenRenewal } from './token-renewal.js';
import { viewUnsent } from './unsent.js';
import { failingTasks } from './workflow-tasks.js';

const callMs = 10_000;

/** The deployment that is looked at. */
export type FleetTarget = {
  readonly client: Client;
  readonly taskQueue: string;
  /** The workflow `tokenRenewal` of its service account; unknown to who only has Temporal's address. */
  readonly tokenRenewalId: string | null;
  /** The payments service, for who is meant to reach it. */
  readonly baseUrl: string | null;
  /** The task queue of this gateway's card store. */
  readonly cardTaskQueue: string | null;
};

/** What was seen of the whole system at one moment. Numbers that could not be had are null. */
export type FleetView = {
  readonly problems: readonly HealthProblem[];
  /** How many workers poll each task queue. */
  readonly pollers: Readonly<Record<string, number>>;
  readonly tokenExpiresAt: number | null;
  readonly hasTokenRenewal: boolean | null;
  /** How far clocks are ahead of Temporal's, in milliseconds: this machine's, and that of the worker that answered. */
  readonly clockOffsetMs: number | null;
  readonly workerClockOffsetMs: number | null;
  readonly oldestUnsentMs: number | null;
  /** Workflows whose tasks workers fail again and again. */
  readonly failingTasks: number | null;
};

const unknownFleet: FleetView = {
  ...{ problems: [], pollers: {}, tokenExpiresAt: null, hasTokenRenewal: null },
  ...{ clockOffsetMs: null, workerClockOffsetMs: null, oldestUnsentMs: null, failingTasks: null },
};

/** Checks the whole system once, within seconds, and measures the clock. What Temporal does not permit to read is left out. */
export async function viewFleet(
  target: FleetTarget,
  clock = new ServerClock(target.client),
): Promise<FleetView> {
  const { client, taskQueue, tokenRenewalId, baseUrl, cardTaskQueue } = target;
  const within = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + callMs, call);
  const unreachable = await temporalProblem(client);
  if (unreachable !== null) return { ...unknownFleet, problems: [unreachable] };
  const measured = await orNull(() => within(() => clock.measure()));
  const offset = measured ?? 0;
  const [queues, cardStore, token, unsent, failing, schedules, service] = await Promise.all([
    orNull(() => within(() => pollersByQueue(client, workerQueues(taskQueue), offset))),
    cardTaskQueue === null
      ? null
      : orNull(() => within(() => pollersOf(client, cardTaskQueue, 'activity', offset))),
    tokenRenewalId === null ? null : orNull(() => viewTokenRenewal(client, tokenRenewalId)),
    orNull(() => within(() => viewUnsent(client, taskQueue, clock.now()))),
    orNull(() => within(() => viewFailingTasks(client, taskQueue))),
    orNull(() => within(() => viewSchedules(client, taskQueue, clock.now()))),
    baseUrl === null ? [] : unreachableService(baseUrl),
  ]);
  const workerClock = token?.workerClockOffsetMs ?? null;
  return {
    problems: inOrder([
      ...(cardStore?.length === 0 ? [cardStoreProblem] : []),
      ...unpolled(queues ?? []),
      ...failingTasks(failing?.failing ?? [], failing?.count),
      ...(token?.problems ?? []),
      ...service,
      ...clockProblems('this machine', measured),
      ...clockProblems('a worker', workerClock === null ? null : workerClock + offset),
      ...(unsent?.problems ?? []),
      ...reconciliationProblems(schedules ?? []),
    ]),
    pollers: {
      ...Object.fromEntries((queues ?? []).map((queue) => [queue.label, pollerCount(queue)])),
      ...(cardStore === null ? {} : { 'card-store': cardStore.length }),
    },
    tokenExpiresAt: token?.tokenExpiresAt ?? null,
    hasTokenRenewal: token?.exists ?? null,
    clockOffsetMs: measured,
    workerClockOffsetMs: workerClock === null ? null : workerClock + offset,
    oldestUnsentMs: unsent?.oldestMs ?? null,
    failingTasks: failing?.count ?? null,
  };
}

const cardStoreProblem: HealthProblem = {
  check: 'card_store',
  detail: 'The card store of this gateway is not polled: cards that it takes are never sent.',
  action: 'Restart this gateway.',
};

async function temporalProblem(client: Client): Promise<HealthProblem | null> {
  try {
    await client.withDeadline(Date.now() + callMs / 2, () => client.workflowService.getSystemInfo({}));
    return null;
  } catch {
    return {
      check: 'temporal',
      detail: 'Temporal does not answer: no payment moves, and none can be started.',
      action: 'Look at Temporal, at its database, and at the way to TEMPORAL_ADDRESS.',
    };
  }
}

/** What several checks find wrong is one problem. */
function inOrder(problems: readonly HealthProblem[]): HealthProblem[] {
  return healthChecks.flatMap((check) => {
    const found = problems.filter((problem) => problem.check === check);
    const distinct = new Map(found.map((problem) => [problem.detail, problem]));
    return check === 'service' || check === 'workflow_tasks'
      ? [...distinct.values()].slice(0, 1)
      : [...distinct.values()];
  });
}

/** What can't be looked at, by permission or by the server's version, is no problem of the payments. */
async function orNull<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch {
    return null;
  }
}
