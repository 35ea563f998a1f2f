import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

const { TaskQueueType } = proto.temporal.api.enums.v1;

/** A poll lasts a minute at most, so a worker that has not polled for longer is gone. */
const silentMs = 70_000;

/** What tasks a queue hands out. */
export type TaskKind = 'workflow' | 'activity';

const types = {
  workflow: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  activity: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
} as const;

/**
 * The identities of the workers that poll a task queue now. A killed one is among them for another minute.
 *
 * @param clockOffset how far this machine's clock is ahead of Temporal's, in milliseconds
 */
export async function pollersOf(
  client: Client,
  taskQueue: string,
  kind: TaskKind,
  clockOffset: number,
): Promise<string[]> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: types[kind],
  });
  const since = Date.now() - clockOffset - silentMs;
  return pollers
    .filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000 > since)
    .map(({ identity }) => identity ?? '');
}
