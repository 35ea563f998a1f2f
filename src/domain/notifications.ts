const second = 1_000;
const hour = 3_600 * second;

/** What the OMS is notified of: the status changed, or an operator is needed. */
export const notificationTypes = ['payment.status_changed', 'payment.attention'] as const;

export type NotificationType = (typeof notificationTypes)[number];

/** What became of a notification so far. */
export const deliveries = ['delivered', 'waiting', 'given_up'] as const;

/** How long one webhook call may take in all; its answer is not read beyond the status. */
export const webhookCallMs = 15 * second;

/** How many calls of one webhook a worker makes at a time, so that one that hangs leaves room for the others. */
export const maxCallsOfWebhook = 10;

/** Bounds of notifying the OMS of one change: it is tried again for days, then given up, and the next one follows. */
export const notifying = {
  startToCloseMs: 2 * webhookCallMs,
  firstRetryMs: 10 * second,
  longestRetryMs: hour,
  giveUpAfterMs: 72 * hour,
} as const;

/**
 * How long a notification waits that found its webhook busy; `chance` is from 0 to 1. On average as long as after any
 * other failure, but those that wait do not come all at once again: a receiver that is slow is always called by some.
 */
export function retryOfBusyMs(attempt: number, chance: number): number {
  const { firstRetryMs, longestRetryMs } = notifying;
  const latest = Math.min(firstRetryMs * 2 ** attempt, longestRetryMs);
  return firstRetryMs + Math.round(chance * (latest - firstRetryMs));
}

/** Of how many payments a second notifications are sent again, unless asked otherwise. */
export const defaultResendsPerSecond = 10;

/** Why a notification is refused that somebody else than its payment, or a resend, has begun to deliver. */
export const notOfPayment =
  'Not sent: this payment’s history does not show that it had this notification for this webhook.';

/** How many notifications of one payment may wait; beyond that the oldest that is not on its way is dropped. */
export const maxWaitingNotifications = 100;

/** The task queue of deliveries: apart, so that a receiver that hangs takes no slot from the payments. */
export function notificationTaskQueue(taskQueue: string): string {
  return `${taskQueue}-notifications`;
}

const ownSignals: readonly string[] = ['postbackReceived', 'statusHint', 'identifierShared', 'retryPayout'];

/** Signals by which payments are hinted at and commanded: no notification may be sent as one of them. */
export function isOwnSignal(signal: string): boolean {
  return ownSignals.includes(signal) || signal.startsWith('__');
}
