import { notifyWorkflowProblem } from '../src/domain/notify-targets.js';
import type { NotificationDeps } from './shared/deps.js';

/** `started_by`: whose payment is to signal it; null: nobody's. */
export type CheckNotifyWorkflowInput = { workflow_id: string; started_by: string | null };
/** `problem`: why that workflow may not be signalled; null when it may. */
export type CheckNotifyWorkflowResult = { problem: string | null };

/**
 * Checks the workflow that a payment is to signal against this worker's NOTIFY_WORKFLOWS. Gateway and client did so
 * before; a payment that an SDK started directly has passed neither.
 *
 * Safe to retry: it only looks at its input and the configuration.
 */
export const checkNotifyWorkflow =
  ({ notifyWorkflows = [] }: NotificationDeps) =>
  ({ workflow_id, started_by }: CheckNotifyWorkflowInput): Promise<CheckNotifyWorkflowResult> =>
    Promise.resolve({ problem: notifyWorkflowProblem(notifyWorkflows, workflow_id, started_by) ?? null });
