import type { WorkflowHandle } from '@temporalio/client';
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
  const { raw, status } = await handle.describe();
  if (status.name !== 'RUNNING') return true;
  if (raw.pendingActivities?.some(isUnderWay)) return false;
  // The server does not describe its pending workflow task.
  const { events } = await handle.fetchHistory();
  return !workflowTasks.includes(Number(events?.at(-1)?.eventType));
}

/** temporal.api.enums.v1.EventType: EVENT_TYPE_WORKFLOW_TASK_SCHEDULED and _STARTED */
const workflowTasks: readonly number[] = [5, 6];

/** Taken by a worker, or about to be for the first time; one that waits for its next attempt holds no clock. */
function isUnderWay({ state, attempt }: { state?: unknown; attempt?: number | null }): boolean {
  return Number(state) === taskStarted || (attempt ?? 1) < 2;
}

/** temporal.api.enums.v1.PendingActivityState.PENDING_ACTIVITY_STATE_STARTED */
const taskStarted = 2;
