import type { Client } from '@temporalio/client';
import { bulkTaskQueue, readTaskQueue, scanTaskQueue, turnTaskQueue } from '../domain/call-limits.js';
import { notificationTaskQueue } from '../domain/notifications.js';
import { tokenTaskQueue } from '../temporal/token-source.js';
import { pollersOf, type TaskKind } from './pollers.js';
import type { HealthProblem } from './problem.js';

/** A task queue that has to be polled, and under which label its pollers are counted. */
type WatchedQueue = {
  readonly label: string;
  readonly name: string;
  readonly kinds: readonly TaskKind[];
  readonly serves: string;
};

/** The queues of the workers of one deployment. */
export function workerQueues(taskQueue: string): readonly WatchedQueue[] {
  const queue = (name: string, kinds: readonly TaskKind[], serves: string) => ({
    ...{ label: name, name, kinds, serves },
  });
  return [
    queue(taskQueue, ['workflow', 'activity'], 'no payment moves'),
    queue(turnTaskQueue(taskQueue), ['activity'], 'no payment that waits for its turn is sent'),
    queue(tokenTaskQueue(taskQueue), ['activity'], 'no access token of the service is renewed'),
    queue(readTaskQueue(taskQueue), ['activity'], 'no payment is read at the service'),
    queue(scanTaskQueue(taskQueue), ['activity'], 'no payout is looked for in the list of the service'),
    queue(notificationTaskQueue(taskQueue), ['activity'], 'no webhook and no signal reports changes'),
    queue(bulkTaskQueue(taskQueue), ['activity'], 'no batch, no bulk retry and no resend goes on'),
  ];
}

/** Who polls a queue: identities by what they poll for. */
export type QueuePollers = WatchedQueue & {
  readonly identities: Readonly<Partial<Record<TaskKind, string[]>>>;
};

/** Who polls each of these queues now. */
export function pollersByQueue(
  client: Client,
  queues: readonly WatchedQueue[],
  clockOffset: number,
): Promise<QueuePollers[]> {
  return Promise.all(
    queues.map(async (queue) => ({
      ...queue,
      identities: Object.fromEntries(
        await Promise.all(
          queue.kinds.map(
            async (kind) => [kind, await pollersOf(client, queue.name, kind, clockOffset)] as const,
          ),
        ),
      ),
    })),
  );
}

/** How many workers poll a queue for all that it hands out. */
export function pollerCount({ kinds, identities }: QueuePollers): number {
  return Math.min(...kinds.map((kind) => new Set(identities[kind]).size));
}

/** A problem for each queue that nobody polls. */
export function unpolled(queues: readonly QueuePollers[]): HealthProblem[] {
  return queues
    .filter((queue) => pollerCount(queue) === 0)
    .map(({ name, serves }) => ({
      check: 'workers',
      detail: `No worker polls the task queue ${name}, so ${serves}.`,
      action: 'Start workers (durable-payments worker) with the same PAYMENTS_TASK_QUEUE and namespace.',
    }));
}
