import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { NativeConnection, ResourceBasedSlotsForType, WorkerOptions } from '@temporalio/worker';
import type { AuditLog } from '../audit/audit-log.js';
import type { WorkerConfig } from '../config/settings.js';
import { FailingTasks } from '../health/failing-tasks.js';
import { keepingUnopened } from '../temporal/unopened-payloads.js';
import type { Tracing } from '../tracing/tracing.js';
import type { Logger } from './logger.js';
import type { ActivityDependencies } from './activity-dependencies.js';
import { deploymentVersioning } from './deployment-versioning.js';
import { startNexusWorkers } from './nexus-workers.js';
import { paymentQueues } from './payment-queues.js';
import { closing, type Running } from './running.js';
import { startWorker, together } from './workers.js';

/** Written by the build, beside `dist/src`. */
const workflowBundle = { codePath: fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url)) };

/**
 * A workflow task that a worker has taken has to end within ten seconds, or Temporal gives it out again: a machine that
 * is busy takes few at a time, or it would do nothing but begin them. One that waits for the service takes more; at least
 * 100, or a workflow that could start eagerly waits for the queue after all.
 */
const workflowTaskSlots: ResourceBasedSlotsForType = {
  type: 'resource-based',
  tunerOptions: { targetCpuUsage: 0.9, targetMemoryUsage: 0.95 },
  minimumSlots: 20,
  maximumSlots: 200,
};
const activitySlots = 200;
const readSlots = 100;
const scanSlots = 200;
/** More than what one owner may have running takes. */
const bulkSlots = 400;
const tokenActivitySlots = 4;
const turnSlots = 4;
const notificationSlots = 50;

/** Temporal hands out no more activities of the queue than that, to all workers together. */
function pace(perSecond: number | null = null): Pick<WorkerOptions, 'maxTaskQueueActivitiesPerSecond'> {
  return perSecond === null ? {} : { maxTaskQueueActivitiesPerSecond: perSecond };
}

export type PaymentWorkersOptions = {
  readonly client: Client;
  readonly connection: NativeConnection;
  readonly dataConverter: DataConverter;
  readonly config: Pick<WorkerConfig, 'temporal' | 'taskQueue' | 'payments'> &
    Partial<
      Pick<
        WorkerConfig,
        'creatingCallsPerSecond' | 'versioning' | 'nexusCallers' | 'notifyTargets' | 'notifyWorkflows'
      >
    > & {
      readonly pollScale?: number;
    };
  readonly dependencies: ActivityDependencies;
  readonly logger: Logger;
  readonly tracing: Tracing;
  /** Where audit lines of Nexus callers go; standard output when absent. */
  readonly audit?: AuditLog;
};

/**
 * The workers of the payments: workflows and their creating calls on the main queue; reads, scans, token renewal,
 * notifications and what acts on payments by the hundred on task queues of their own, and the Nexus service on one for each
 * caller. How many workflows stay in memory is the SDK's choice, by the heap that Node may use.
 */
export async function startPaymentWorkers({
  client,
  connection,
  dataConverter,
  config,
  dependencies,
  logger,
  tracing,
  audit,
}: PaymentWorkersOptions): Promise<Running> {
  const common = { connection, dataConverter, namespace: config.temporal.namespace };
  const failing = new FailingTasks(client, config.taskQueue);
  const worker = (options: WorkerOptions) =>
    startWorker(options, logger, tracing, (created) => {
      failing.watch(created);
    });
  return together([
    closing(() => failing.stop()),
    await worker({
      ...common,
      dataConverter: keepingUnopened(dataConverter, (error, workflowId) => {
        logger.error({ error, workflowId }, 'A payload can’t be opened.');
      }),
      ...deploymentVersioning({ versioning: 'off', ...config }),
      ...paymentQueues.main(config.taskQueue, dependencies),
      workflowBundle,
      ...pace(config.creatingCallsPerSecond),
      tuner: {
        workflowTaskSlotSupplier: workflowTaskSlots,
        activityTaskSlotSupplier: { type: 'fixed-size', numSlots: activitySlots },
        localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
        nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
      },
    }),
    await worker({
      ...common,
      ...paymentQueues.reads(config.taskQueue, dependencies),
      maxConcurrentActivityTaskExecutions: readSlots,
    }),
    await worker({
      ...common,
      ...paymentQueues.scans(config.taskQueue, dependencies),
      maxConcurrentActivityTaskExecutions: scanSlots,
    }),
    await worker({
      ...common,
      ...paymentQueues.bulk(config.taskQueue, dependencies),
      maxConcurrentActivityTaskExecutions: bulkSlots,
    }),
    await worker({
      ...common,
      ...paymentQueues.turns(config.taskQueue, dependencies),
      ...pace(config.creatingCallsPerSecond),
      maxConcurrentActivityTaskExecutions: turnSlots,
    }),
    await worker({
      ...common,
      ...paymentQueues.tokens(config.taskQueue, dependencies),
      maxConcurrentActivityTaskExecutions: tokenActivitySlots,
    }),
    await worker({
      ...common,
      ...paymentQueues.notifications(config.taskQueue, dependencies),
      maxConcurrentActivityTaskExecutions: notificationSlots,
    }),
    ...(await startNexusWorkers({
      ...{ client, common, logger, tracing, audit },
      config: { nexusCallers: [], notifyTargets: [], notifyWorkflows: [], pollScale: 1, ...config },
    })),
  ]);
}
