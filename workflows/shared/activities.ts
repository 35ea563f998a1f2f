import {
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow';
import type {
  BulkActivities,
  CardStoreActivities,
  NotificationActivities,
  OwnPaymentsActivities,
  PaymentActivities,
  ScanningActivities,
} from '../../activities/index.js';
import {
  bulkTaskQueue,
  cardStoreScheduleToStartMs,
  creatingActivity,
  readingActivity,
  scanForCommand,
  scanningActivity,
  scanTaskQueue,
} from '../../src/domain/call-limits.js';
import { notificationTaskQueue, notifying as notifyingLimits } from '../../src/domain/notifications.js';

/**
 * Not safe to retry: a creating call is made once. Its outcome is a returned value; a lost one is verified, and a
 * task that Temporal dispatches a second time sends nothing.
 */
export function creating(summary: string) {
  return proxyActivities<PaymentActivities>({
    startToCloseTimeout: creatingActivity.startToCloseMs,
    retry: { maximumAttempts: 1 },
    summary,
  });
}

/** Not safe to retry, as {@link creating}; runs on the gateway that holds the card. */
export function creatingWithCard(taskQueue: string, summary: string) {
  return proxyActivities<CardStoreActivities>({
    taskQueue,
    startToCloseTimeout: creatingActivity.startToCloseMs,
    scheduleToStartTimeout: cardStoreScheduleToStartMs,
    retry: { maximumAttempts: 1 },
    summary,
  });
}

/**
 * Safe to retry: a read changes nothing. It is made once and within seconds, so that a command that has to read is
 * answered soon; after a failure the read schedule goes on. A local activity: one event of history instead of three.
 */
export function reading(summary: string) {
  return proxyLocalActivities<PaymentActivities>({
    startToCloseTimeout: readingActivity.startToCloseMs,
    scheduleToCloseTimeout: readingActivity.startToCloseMs,
    retry: { maximumAttempts: 1 },
    summary,
  });
}

/** Safe to retry, and for as long as it takes: it asks nobody but this program's own workers. */
export function checking(summary: string) {
  return proxyLocalActivities<Pick<PaymentActivities, 'checkInput' | 'checkRun'>>({
    startToCloseTimeout: readingActivity.startToCloseMs,
    // Waits between its attempts are durable timers.
    localRetryThreshold: '500 milliseconds',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' },
    summary,
  });
}

/**
 * Safe to retry: a scan of a list changes nothing, and only a complete one counts. One that a command waits for is made
 * within seconds or not at all.
 */
export function scanning(summary: string, forCommand: boolean) {
  const { startToCloseMs } = forCommand ? scanForCommand : scanningActivity;
  return proxyActivities<ScanningActivities>({
    taskQueue: scanTaskQueue(workflowInfo().taskQueue),
    startToCloseTimeout: startToCloseMs,
    scheduleToCloseTimeout: startToCloseMs,
    heartbeatTimeout: scanningActivity.heartbeatMs,
    retry: { maximumAttempts: 1 },
    summary,
  });
}

/** Safe to retry: it searches our own payments. */
export function searching(summary: string) {
  return proxyActivities<Pick<OwnPaymentsActivities, 'findOwner'>>({
    startToCloseTimeout: readingActivity.startToCloseMs,
    scheduleToCloseTimeout: readingActivity.startToCloseMs,
    retry: { maximumAttempts: 2 },
    summary,
  });
}

/**
 * Safe to retry, each of them, and for as long as it takes: it reads, or what it does happens once. On a queue of its
 * own, so that no single payment waits for it.
 */
export function inBulk(options: Omit<ActivityOptions, 'taskQueue'>) {
  return proxyActivities<BulkActivities>({
    taskQueue: bulkTaskQueue(workflowInfo().taskQueue),
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
    ...options,
  });
}

/** Safe to retry: a ping is about no payment. Somebody waits for its outcome. */
export function pinging(summary: string) {
  return proxyActivities<Pick<NotificationActivities, 'pingWebhook'>>({
    taskQueue: notificationTaskQueue(workflowInfo().taskQueue),
    startToCloseTimeout: notifyingLimits.startToCloseMs,
    retry: { maximumAttempts: 2 },
    summary,
  });
}

/** Safe to retry: the receiver recognises repetitions by their id. Tried for days, on a queue of its own. */
export function notifying(summary: string) {
  return proxyActivities<NotificationActivities>({
    taskQueue: notificationTaskQueue(workflowInfo().taskQueue),
    startToCloseTimeout: notifyingLimits.startToCloseMs,
    scheduleToCloseTimeout: notifyingLimits.giveUpAfterMs,
    retry: {
      initialInterval: notifyingLimits.firstRetryMs,
      backoffCoefficient: 2,
      maximumInterval: notifyingLimits.longestRetryMs,
    },
    summary,
  });
}
