import type { WorkerConfig } from '../config/settings.js';
import { createDataConverter } from '../temporal/data-converter.js';
import { ensureSearchAttributes } from '../temporal/search-attributes.js';
import { connectWorker } from '../temporal/worker-connection.js';
import { startPaymentWorkers } from './payment-workers.js';
import { createPaymentsParts } from './payments-parts.js';
import { scheduleReconciliation } from './reconciliation.js';
import { closing, startStack } from './running.js';
import type { Running } from './running.js';

/** The process of `durable-payments worker`: any number of them share the work. */
export async function startWorkerProcess(config: WorkerConfig): Promise<Running> {
  return startStack(async (stack) => {
    const dataConverter = createDataConverter(config.payloadKeys);
    const opened = await connectWorker(config.temporal, dataConverter);
    stack.add(closing(() => opened.close()));
    await ensureSearchAttributes(opened.connection, config.temporal.namespace);
    const parts = createPaymentsParts(opened.client, config);
    stack.add(closing(() => parts.close()));
    stack.add(await startPaymentWorkers({ connection: opened.connection, dataConverter, config, parts }));
    await scheduleReconciliation(opened.client, config.taskQueue);
    return stack;
  });
}
