import {
  createActivities,
  createBulkActivities,
  createNotificationActivities,
  createOwnPaymentsActivities,
  createReadingActivities,
  createScanningActivities,
  createTokenActivities,
  createTurnActivities,
} from '../../activities/index.js';
import { bulkTaskQueue, readTaskQueue, scanTaskQueue, turnTaskQueue } from '../domain/call-limits.js';
import { notificationTaskQueue } from '../domain/notifications.js';
import { tokenTaskQueue } from '../temporal/token-source.js';
import type { ActivityDependencies } from './activity-dependencies.js';

type Of<Name extends keyof ActivityDependencies> = Pick<ActivityDependencies, Name>;

/**
 * The task queues of the payments, each with its activities. Payments and their calls are on the main one; what must not
 * wait for them, or take their slots, has one of its own.
 */
export const paymentQueues = {
  main: (taskQueue: string, { sending, own }: Of<'sending' | 'own'>) => ({
    taskQueue,
    activities: { ...createActivities(sending), ...createOwnPaymentsActivities(own) },
  }),
  reads: (taskQueue: string, { sending }: Of<'sending'>) => ({
    taskQueue: readTaskQueue(taskQueue),
    activities: createReadingActivities(sending),
  }),
  scans: (taskQueue: string, { sending }: Of<'sending'>) => ({
    taskQueue: scanTaskQueue(taskQueue),
    activities: createScanningActivities(sending),
  }),
  bulk: (taskQueue: string, { own }: Of<'own'>) => ({
    taskQueue: bulkTaskQueue(taskQueue),
    activities: createBulkActivities(own),
  }),
  turns: (taskQueue: string, { turns }: Of<'turns'>) => ({
    taskQueue: turnTaskQueue(taskQueue),
    activities: createTurnActivities(turns),
  }),
  tokens: (taskQueue: string, { token }: Of<'token'>) => ({
    taskQueue: tokenTaskQueue(taskQueue),
    activities: createTokenActivities(token),
  }),
  notifications: (taskQueue: string, { notifications }: Of<'notifications'>) => ({
    taskQueue: notificationTaskQueue(taskQueue),
    activities: createNotificationActivities(notifications),
  }),
};
