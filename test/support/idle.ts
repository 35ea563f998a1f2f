import type { WorkflowHandle } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import type { temporal } from '@temporalio/proto';
import { vi } from 'vitest';
import { waiting } from './waiting.js';

/** Less than elsewhere: it is waited for after each test, in a hook. */
const idleWithinMs = 60_000;

/**
 * Waits until no task of the workflow is under way. The server holds its clock while one is, and never lets go of
 * it again when the workflow is terminated meanwhile.
 */
export async function idle(handle: WorkflowHandle): Promise<void> {
  await vi
    .waitUntil(() => isIdle(handle), { ...waiting, timeout: idleWithinMs })
    .catch((cause: unknown) => {
      throw new Error(`The workflow ${handle.workflowId} never came to be idle.`, { cause });
    });
}

async function isIdle(handle: WorkflowHandle): Promise<boolean> {
  // The server does not describe its pending workflow task. Read in this order, and both of the same moment: else an
  // activity that was scheduled in between would be seen in neither.
  const { events = [] } = await handle.fetchHistory();
  const { historyLength, raw, status } = await handle.describe();
  if (status.name !== 'RUNNING') return true;
  if (historyLength !== events?.length || raw.pendingActivities?.some(isUnderWay)) return false;
  return !workflowTasks.includes(Number(events.at(-1)?.eventType));
}

/** temporal.api.enums.v1.EventType: EVENT_TYPE_WORKFLOW_TASK_SCHEDULED and _STARTED */
const workflowTasks: readonly number[] = [5, 6];

/**
 * Taken by a worker, or about to be for the first time. One that waits for its next attempt holds no clock; the server goes
 * on describing it as started.
 */
function isUnderWay({
  lastAttemptCompleteTime,
  lastStartedTime,
  state,
}: temporal.api.workflow.v1.IPendingActivityInfo): boolean {
  const endedAt = optionalTsToMs(lastAttemptCompleteTime);
  const waits = endedAt !== undefined && endedAt >= (optionalTsToMs(lastStartedTime) ?? 0);
  return !(Number(state) === taskStarted && waits);
}

/** temporal.api.enums.v1.PendingActivityState.PENDING_ACTIVITY_STATE_STARTED */
const taskStarted = 2;
