import type { Client } from '@temporalio/client';
import type { WorkerOptions } from '@temporalio/worker';
import { createAuditLog, type AuditLog } from '../audit/audit-log.js';
import type { WorkerConfig } from '../config/settings.js';
import { nexusTaskQueue } from '../domain/nexus.js';
import { createPaymentsHandler } from '../nexus/payments-handler.js';
import type { Tracing } from '../tracing/tracing.js';
import type { Logger } from './logger.js';
import type { Running } from './running.js';
import { startWorker } from './workers.js';

const nexusSlots = 100;

export type NexusWorkersOptions = {
  readonly client: Client;
  /** What all workers of the process have in common. */
  readonly common: Pick<WorkerOptions, 'connection' | 'dataConverter' | 'namespace'>;
  readonly config: Pick<WorkerConfig, 'taskQueue' | 'nexusCallers' | 'notifyTargets' | 'notifyWorkflows'> & {
    readonly pollScale: number;
  };
  readonly logger: Logger;
  readonly tracing: Tracing;
  /** Standard output when absent. */
  readonly audit?: AuditLog | undefined;
};

/** The Nexus service `payments`: a worker for each caller, on the task queue that its endpoint targets. */
export async function startNexusWorkers({
  client,
  common,
  config,
  logger,
  tracing,
  audit: given,
}: NexusWorkersOptions): Promise<Running[]> {
  const { taskQueue, nexusCallers, notifyTargets, notifyWorkflows, pollScale } = config;
  if (nexusCallers.length === 0) return [];
  const audit = given ?? createAuditLog();
  const workers: Running[] = [];
  for (const caller of nexusCallers) {
    const handler = createPaymentsHandler({
      ...{ client, taskQueue, caller, notifyTargets, notifyWorkflows, pollScale, audit, logger },
    });
    const options: WorkerOptions = {
      ...common,
      taskQueue: nexusTaskQueue(taskQueue, caller),
      nexusServices: [handler],
      maxConcurrentNexusTaskExecutions: nexusSlots,
    };
    workers.push(await startWorker(options, logger, tracing));
  }
  return workers;
}
