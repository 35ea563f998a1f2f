import type { Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { longestBacklogMs } from '../domain/batch-limits.js';

const taskQueueType = proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY;
const callMs = 5_000;
/** A look is good for so long, for all that ask. */
const lookMs = 500;

/** How long the activity that waits longest on a task queue has waited, in milliseconds; 0 when none waits. */
async function activityBacklogMs(client: Client, taskQueue: string): Promise<number> {
  const { namespace } = client.options;
  const request = { namespace, taskQueue: { name: taskQueue }, taskQueueType, reportStats: true };
  const { stats } = await client.withDeadline(Date.now() + callMs, () =>
    client.workflowService.describeTaskQueue(request),
  );
  return optionalTsToMs(stats?.approximateBacklogAge) ?? 0;
}

/** Tells whether activities of a task queue have waited too long; no, when Temporal does not say. */
export function backlogWatch(client: Client, taskQueue: string): () => Promise<boolean> {
  let look = Promise.resolve(false);
  let lookedAt = -Infinity;
  return () => {
    if (performance.now() < lookedAt + lookMs) return look;
    lookedAt = performance.now();
    look = activityBacklogMs(client, taskQueue).then(
      (ms) => ms > longestBacklogMs,
      () => false,
    );
    return look;
  };
}
