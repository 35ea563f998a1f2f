import type { NotificationList } from '../contract/http/notifications.js';
import { describePayment, type Execution } from './execution.js';
import { readNotifications, type HistoryBounds } from './notification-history.js';
import type { TemporalCalls } from './temporal-calls.js';

/** A payment of any kind, by its workflow id, as far as its notifications go. */
export class NotifiedPayment {
  constructor(
    private readonly calls: TemporalCalls,
    readonly workflowId: string,
  ) {}

  /** What Temporal itself knows of it. @throws PaymentNotFoundError, TemporalUnavailableError */
  execution(): Promise<Execution> {
    return describePayment(this.calls, this.workflowId);
  }

  /**
   * Its notifications by webhook, in their order, and what became of each. Of those that wait only the first is known.
   * Of a history beyond the bounds the latest part is read, and the answer is not `complete`.
   *
   * @throws PaymentNotFoundError, TemporalUnavailableError
   */
  async notifications(bounds?: HistoryBounds): Promise<NotificationList> {
    await this.execution();
    const { notifications, complete } = await readNotifications(this.calls, this.workflowId, bounds);
    return { notifications: [...notifications], complete };
  }
}
