import { getExternalWorkflowHandle, startChild, TemporalFailure, workflowInfo } from '@temporalio/workflow';
import type { Notify, PaymentNotification } from '../../src/contract/notify.js';
import { maxWaitingNotifications, type NotificationType } from '../../src/domain/notifications.js';
import type { notification } from '../notification.js';
import { notifying } from './activities.js';

/** What waits to be told, the oldest first, and how many there were; handed over at a continue-as-new. */
export type NotifierCarry = { count: number; waiting: PaymentNotification[] };

/**
 * Tells the OMS of the changes of one payment: each at least once, one after the other in their order, beside
 * whatever the payment does. What can't be told for days is given up, which its story says.
 */
export class Notifier {
  readonly #carry: NotifierCarry;
  #telling: Promise<void> | undefined;

  constructor(
    private readonly to: Notify,
    private readonly note: (what: string) => void,
    carried: NotifierCarry = { count: 0, waiting: [] },
  ) {
    this.#carry = { ...carried, waiting: [...carried.waiting] };
  }

  /** Puts a change into the line. */
  add(type: NotificationType, payment: PaymentNotification['payment']): void {
    const { waiting } = this.#carry;
    const sequence = (this.#carry.count += 1);
    const id = `${workflowInfo().runId}-${String(sequence)}`;
    waiting.push({ id, type, sequence, at: new Date(Date.now()).toISOString(), payment });
    if (waiting.length <= maxWaitingNotifications) return;
    // The first one may be on its way.
    const [dropped] = waiting.splice(1, 1);
    if (dropped !== undefined) this.#giveUp(dropped, 'too many wait');
  }

  /** Sets off what waits, unless it is under way. Resolves when nothing waits any more; nobody has to await it. */
  tell(): Promise<void> {
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = undefined;
    });
    return this.#telling;
  }

  /** Gives what still waits to a workflow of its own, so that the payment can close without delay. */
  async handOver(): Promise<void> {
    const waiting = this.#carry.waiting.splice(0);
    if (waiting.length === 0) return;
    const { workflowId, runId } = workflowInfo();
    await startChild<typeof notification>('notification', {
      workflowId: `notification-${workflowId}-${runId}`,
      args: [{ notify: this.to, notifications: waiting }],
      parentClosePolicy: 'ABANDON',
      staticSummary: `What the OMS is still to be told of ${workflowId}`,
    });
  }

  carry(): NotifierCarry {
    return this.#carry;
  }

  async #tellAll(): Promise<void> {
    const { waiting } = this.#carry;
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      try {
        await this.#send(next);
      } catch (error) {
        if (!(error instanceof TemporalFailure)) throw error;
        this.#giveUp(next, reasonOf(error));
      }
      if (waiting[0] === next) waiting.shift();
    }
  }

  async #send(next: PaymentNotification): Promise<void> {
    if ('webhook' in this.to) {
      const { notifyOms } = notifying(`tell the OMS: ${next.payment.status}`);
      await notifyOms({ webhook: this.to.webhook, notification: next });
    } else {
      await getExternalWorkflowHandle(this.to.workflow_id).signal(this.to.signal, next);
    }
  }

  #giveUp({ sequence, payment }: PaymentNotification, reason: string): void {
    this.note(`The OMS was not told of ${payment.status} (notification ${String(sequence)}): ${reason}`);
  }
}

/** The innermost cause in words: the receiver's state, not the SDK's wrapping. */
function reasonOf(error: TemporalFailure): string {
  const { cause } = error;
  return cause instanceof TemporalFailure ? reasonOf(cause) : error.message;
}
