import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import {
  createActivities,
  createNotificationActivities,
  createOwnPaymentsActivities,
  createTokenActivities,
} from '../../activities/index.js';
import type { WorkerConfig } from '../config/settings.js';
import { notificationTaskQueue } from '../domain/notifications.js';
import { tokenTaskQueue } from '../temporal/token-source.js';
import type { PaymentsParts } from './payments-parts.js';
import type { Running } from './running.js';
import { startWorker, together } from './workers.js';

/** Written by the build, beside `dist/src`. */
const workflowBundle = { codePath: fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url)) };

/** At least 100, or a workflow that could start eagerly waits for the queue after all. */
const workflowTaskSlots = 200;
const activitySlots = 200;
const tokenActivitySlots = 4;
const notificationSlots = 50;

export type PaymentWorkersOptions = {
  readonly connection: NativeConnection;
  readonly dataConverter: DataConverter;
  readonly config: Pick<WorkerConfig, 'temporal' | 'taskQueue' | 'payments'>;
  readonly parts: PaymentsParts;
};

/**
 * The workers of the payments: workflows and their activities on the main queue, token renewal and notifications in
 * lanes of their own. How many workflows stay in memory is the SDK's choice, by the heap that Node may use.
 */
export async function startPaymentWorkers({
  connection,
  dataConverter,
  config,
  parts,
}: PaymentWorkersOptions): Promise<Running> {
  const common = { connection, dataConverter, namespace: config.temporal.namespace };
  return together([
    await startWorker({
      ...common,
      taskQueue: config.taskQueue,
      workflowBundle,
      activities: { ...createActivities(parts.sending), ...createOwnPaymentsActivities(parts.own) },
      maxConcurrentWorkflowTaskExecutions: workflowTaskSlots,
      maxConcurrentActivityTaskExecutions: activitySlots,
    }),
    await startWorker({
      ...common,
      taskQueue: tokenTaskQueue(config.taskQueue),
      activities: createTokenActivities(parts.token),
      maxConcurrentActivityTaskExecutions: tokenActivitySlots,
    }),
    await startWorker({
      ...common,
      taskQueue: notificationTaskQueue(config.taskQueue),
      activities: createNotificationActivities(parts.notifications),
      maxConcurrentActivityTaskExecutions: notificationSlots,
    }),
  ]);
}
