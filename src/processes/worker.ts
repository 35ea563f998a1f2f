import type { WorkerConfig } from '../config/settings.js';
import { provePayloadKeys } from '../health/prove-payload-keys.js';
import { createDataConverter } from '../temporal/data-converter.js';
import { ensureSearchAttributes } from '../temporal/search-attributes.js';
import { connectWorker } from '../temporal/worker-connection.js';
import { serveMetrics } from '../metrics/metrics-server.js';
import type { ProcessMetrics } from '../metrics/process-metrics.js';
import type { Logger } from './logger.js';
import { readClock, watchClock } from './watch-clock.js';
import { startPaymentWorkers } from './payment-workers.js';
import { createActivityDependencies } from './activity-dependencies.js';
import { scheduleReconciliation } from './reconciliation.js';
import { closing, startStack } from './running.js';
import type { Running } from './running.js';
import { startTracing } from './start-tracing.js';

/** The process of `durable-payments worker`: any number of them share the work. */
export async function startWorkerProcess(
  config: WorkerConfig,
  logger: Logger,
  metrics: ProcessMetrics,
): Promise<Running> {
  return startStack(async (stack) => {
    const dataConverter = createDataConverter(config.payloadKeys);
    const tracing = await startTracing(config.traces, logger);
    stack.add(closing(() => tracing.stop()));
    const opened = await connectWorker(config.temporal, dataConverter, tracing.clientInterceptors);
    stack.add(closing(() => opened.close()));
    await ensureSearchAttributes(opened.connection, config.temporal.namespace);
    await provePayloadKeys(opened.client, config.taskQueue);
    if (config.metrics !== null) {
      const stopServing = await serveMetrics(config.metrics, metrics);
      stack.add(closing(stopServing));
    }
    const clock = await readClock(opened.client);
    const dependencies = createActivityDependencies(opened.client, config, metrics.registry, tracing, clock);
    stack.add(closing(() => dependencies.close()));
    stack.add(
      await startPaymentWorkers({
        client: opened.client,
        connection: opened.connection,
        dataConverter,
        config,
        dependencies,
        logger,
        tracing,
      }),
    );
    const stopWatching = watchClock(opened.client, clock, logger, metrics.registry);
    stack.add(closing(stopWatching));
    stack.add(await scheduleReconciliation(opened.client, config.taskQueue));
    return stack;
  });
}
