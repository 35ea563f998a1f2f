import { getExternalWorkflowHandle, startChild, TemporalFailure, workflowInfo } from '@temporalio/workflow';
import type { Notify, NotificationInput, PaymentNotification } from '../../src/contract/notify.js';
import { notifying } from './activities.js';
import { idPrefixes } from '../../src/domain/id-prefixes.js';

/** A queue of notifications to one receiver, the oldest first. */
export type Deliverable = {
  readonly to: Notify;
  readonly first: PaymentNotification | undefined;
  done(notification: PaymentNotification): void;
};

/**
 * Delivers the notifications of a queue, one after the other in their order, each at least once, beside whatever the
 * payment does. What can't be delivered for days is given up.
 */
export class Notifier {
  #delivering: Promise<void> | undefined;
  /** Why the workflow that is to be signalled may not be: asked once a run, before the first signal. */
  #problem: string | null | undefined;

  constructor(
    private readonly queue: Deliverable,
    private readonly onGivenUp: (notification: PaymentNotification, reason: string) => void,
  ) {}

  /** Delivers what waits, unless that is under way. Resolves when nothing waits any more; nobody has to await it. */
  deliver(): Promise<void> {
    this.#delivering ??= this.#deliverAll().finally(() => {
      this.#delivering = undefined;
    });
    return this.#delivering;
  }

  async #deliverAll(): Promise<void> {
    for (let next = this.queue.first; next !== undefined; next = this.queue.first) {
      try {
        const problem = await this.#send(next);
        if (problem !== null) this.onGivenUp(next, problem);
      } catch (error) {
        if (!(error instanceof TemporalFailure)) throw error;
        this.onGivenUp(next, innermostReason(error));
      }
      this.queue.done(next);
    }
  }

  /** Answers why it must not be sent; null when it was. */
  async #send(next: PaymentNotification): Promise<string | null> {
    const { to } = this.queue;
    if ('webhook' in to) {
      const { notifyOms } = notifying(`notify the OMS: ${next.payment.status}`);
      await notifyOms({ webhook: to.webhook, notification: next });
      return null;
    }
    const { workflow_id, signal } = to;
    if (this.#problem === undefined) {
      const { checkNotifyWorkflow } = notifying('check the workflow that is to be signalled');
      const { started_by } = next.payment;
      this.#problem = (await checkNotifyWorkflow({ workflow_id, started_by })).problem;
    }
    if (this.#problem === null) await getExternalWorkflowHandle(workflow_id).signal(signal, next);
    return this.#problem;
  }
}

/** Hands what still waits to a workflow of its own, so that the payment can close without delay. */
export async function handOver(to: Notify, notifications: PaymentNotification[]): Promise<void> {
  if (notifications.length === 0) return;
  const { workflowId, runId } = workflowInfo();
  await startChild<(input: NotificationInput) => Promise<void>>('notification', {
    workflowId: `${idPrefixes.notification}${workflowId}-${runId}`,
    args: [{ notify: to, notifications }],
    parentClosePolicy: 'ABANDON',
    staticSummary: `Notifications of ${workflowId} that are still to be delivered`,
  });
}

/** The innermost cause in words: the receiver's state, not the SDK's wrapping. */
function innermostReason(error: TemporalFailure): string {
  const { cause } = error;
  return cause instanceof TemporalFailure ? innermostReason(cause) : error.message;
}
