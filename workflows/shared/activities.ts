import { proxyActivities, scheduleActivity, workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import type { BulkActivities, NotificationActivities } from '../../activities/index.js';
import {
  bulkTaskQueue,
  creatingActivity,
  readingActivity,
  readTaskQueue,
  scanningActivity,
  scanTaskQueue,
  turnActivity,
  turnTaskQueue,
} from '../../src/domain/call-limits.js';
import { notificationTaskQueue, notifying as notifyingLimits } from '../../src/domain/notifications.js';
import { readFailureTypes } from '../../src/domain/read-failures.js';
import type { CallName, How } from './engine.js';

/**
 * Not safe to retry: a creating call is made once. Its outcome is a returned value; a lost one is verified, and a
 * task that Temporal dispatches a second time sends nothing.
 */
const creating = {
  scheduleToStartTimeout: creatingActivity.scheduleToStartMs,
  startToCloseTimeout: creatingActivity.startToCloseMs,
  retry: { maximumAttempts: 1 },
};

/**
 * Safe to retry: a read changes nothing. It is made within seconds, so that a command that has to read is answered soon: once
 * more where its worker has died. After a failure of the service the read schedule goes on.
 */
const reading = {
  startToCloseTimeout: readingActivity.startToCloseMs,
  scheduleToCloseTimeout: readingActivity.scheduleToCloseMs,
  retry: { maximumAttempts: 2, nonRetryableErrorTypes: [...readFailureTypes] },
};

/** Safe to retry: it asks Temporal alone, and somebody waits for it. */
const searching = {
  startToCloseTimeout: readingActivity.startToCloseMs,
  scheduleToCloseTimeout: readingActivity.startToCloseMs,
  retry: { maximumAttempts: 2 },
};

/** Safe to retry, and for as long as it takes: it asks nobody but this program's own workers. */
const checking = {
  startToCloseTimeout: readingActivity.startToCloseMs,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' },
} as const;

/** @param ownQueue the task queue of the workflow */
export function callOptions(
  name: CallName,
  { summary, taskQueue, withinMs }: How,
  ownQueue: string,
): ActivityOptions {
  switch (name) {
    case 'createPixPayout':
    case 'createTransferPayout':
    case 'createCheckout':
    case 'createThreeDSecureOrder':
    case 'requestRefund':
    case 'validateAccount':
      return { ...creating, summary };
    // On the gateway that holds the card.
    case 'createCardOrder':
    case 'completeThreeDSecureOrder':
      return { ...creating, ...(taskQueue !== undefined && { taskQueue }), summary };
    case 'readPayout':
    case 'readOrder':
    case 'readThreeDSecureToken':
      return {
        ...reading,
        taskQueue: readTaskQueue(ownQueue),
        ...(withinMs !== undefined && { scheduleToCloseTimeout: withinMs }),
        summary,
      };
    case 'checkInput':
    case 'checkRun':
      return { ...checking, taskQueue: readTaskQueue(ownQueue), summary };
    // Safe to retry: a scan of a list changes nothing, and only a complete one counts.
    case 'findPayouts': {
      const { heartbeatMs, startToCloseMs } = scanningActivity;
      const endsWithin = withinMs ?? startToCloseMs;
      return {
        taskQueue: scanTaskQueue(ownQueue),
        startToCloseTimeout: endsWithin,
        scheduleToCloseTimeout: endsWithin,
        heartbeatTimeout: heartbeatMs,
        retry: { maximumAttempts: 1 },
        summary,
      };
    }
    // Safe to retry: it reads. On a queue without a pace.
    case 'readTimeout':
      return { ...searching, taskQueue: bulkTaskQueue(ownQueue), summary };
    // Safe to retry: they search our own payments, and the payment that has an identifier gets it again.
    case 'claimIdentifier':
    case 'findOwner':
      return { ...searching, summary };
  }
}

/** Makes a call of a lifecycle. */
export function scheduled<Result>(name: CallName, args: unknown[], how: How): Promise<Result> {
  return scheduleActivity<Result>(name, args, callOptions(name, how, workflowInfo().taskQueue));
}

/** Waits for the turn to send, without a deadline. Safe to retry: it only waits. */
export function takeTurn(summary: string): Promise<void> {
  return scheduleActivity<undefined>('takeTurn', [], {
    taskQueue: turnTaskQueue(workflowInfo().taskQueue),
    startToCloseTimeout: turnActivity.startToCloseMs,
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
