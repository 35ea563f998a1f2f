import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import type { PaymentNotification } from '../src/contract/notify.js';
import { retryOfBusyMs } from '../src/domain/notifications.js';
import type { NotificationDeps } from './shared/deps.js';

/** `webhook` is the name or URL in the payment's raw input; it is looked up in the list of targets. */
export type NotifyOmsInput = {
  webhook: string;
  notification: PaymentNotification;
};

/**
 * Notifies the OMS of one change of a payment, by a signed webhook.
 *
 * Safe to retry: the id is the same each time, by which the receiver knows what it has already.
 *
 * @throws ApplicationFailure, retryable: a receiver may come back, and a target may be put on the list
 */
export const notifyOms =
  ({ webhooks }: Pick<NotificationDeps, 'webhooks'>) =>
  async ({ webhook, notification }: NotifyOmsInput): Promise<void> => {
    const delivery = await webhooks.deliver(webhook, notification);
    if (delivery.kind === 'delivered') return;
    throw ApplicationFailure.create({
      type: delivery.kind === 'refused' ? 'TargetRefused' : 'NotDelivered',
      message: delivery.reason,
      nonRetryable: false,
      ...(delivery.kind === 'busy' && {
        nextRetryDelay: retryOfBusyMs(activityInfo().attempt, Math.random()),
      }),
    });
  };
