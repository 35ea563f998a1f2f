import type { Notify, PaymentNotification } from '../../src/contract/notify.js';
import { maxWaitingNotifications, type NotificationType } from '../../src/domain/notifications.js';

/** What waits to be delivered, the oldest first, how many there were, and what the last one showed. */
export type NotificationQueueSnapshot = {
  count: number;
  waiting: PaymentNotification[];
  shown: { status: string; attention: string | null } | null;
};

/** The notifications of one payment that wait for delivery, in their order. */
export class NotificationQueue {
  readonly data: NotificationQueueSnapshot;

  constructor(
    readonly to: Notify,
    private readonly runId: string,
    snapshot: NotificationQueueSnapshot = { count: 0, waiting: [], shown: null },
  ) {
    this.data = { ...snapshot, waiting: [...snapshot.waiting] };
  }

  get first(): PaymentNotification | undefined {
    return this.data.waiting[0];
  }

  /** Compares the payment with what the OMS was last sent, and queues what is new. Answers what had to be dropped. */
  update(payment: PaymentNotification['payment'], at: string): PaymentNotification[] {
    const { shown } = this.data;
    this.data.shown = { status: payment.status, attention: payment.attention };
    if (shown !== null && payment.status !== shown.status) this.#add('payment.status_changed', payment, at);
    if (payment.attention !== null && payment.attention !== shown?.attention) {
      this.#add('payment.attention', payment, at);
    }
    // The first one may be on its way.
    return this.data.waiting.splice(1, this.data.waiting.length - maxWaitingNotifications);
  }

  /** Takes a notification out that was delivered or given up. */
  done(notification: PaymentNotification): void {
    if (this.data.waiting[0] === notification) this.data.waiting.shift();
  }

  /** Takes all out that wait. */
  takeAll(): PaymentNotification[] {
    return this.data.waiting.splice(0);
  }

  #add(type: NotificationType, payment: PaymentNotification['payment'], at: string): void {
    const sequence = (this.data.count += 1);
    const id = `${this.runId}-${String(sequence)}`;
    this.data.waiting.push({ id, type, sequence, at, payment });
  }
}
