import type { GatewayConfig } from '../config/settings.js';
import { provePayloadKeys } from '../health/prove-payload-keys.js';
import { createDataConverter } from '../temporal/data-converter.js';
import { EncryptionCodec } from '../temporal/payload-codec.js';
import { ensureSearchAttributes } from '../temporal/search-attributes.js';
import { connectWorker } from '../temporal/worker-connection.js';
import { startGatewayServer } from './gateway-server.js';
import type { ProcessMetrics } from '../metrics/process-metrics.js';
import type { Logger } from './logger.js';
import { createActivityDependencies } from './activity-dependencies.js';
import { closing, startStack } from './running.js';
import type { Running } from './running.js';
import { startTracing } from './start-tracing.js';
import { readClock } from './watch-clock.js';

/** The process of `durable-payments gateway`: any number of them behind one address. */
export async function startGatewayProcess(
  config: GatewayConfig,
  logger: Logger,
  metrics: ProcessMetrics,
): Promise<Running> {
  return startStack(async (stack) => {
    const { payloadKeys, temporal } = config;
    const dataConverter = createDataConverter(payloadKeys);
    const tracing = await startTracing(config.traces, logger);
    stack.add(closing(() => tracing.stop()));
    const opened = await connectWorker(temporal, dataConverter, tracing.clientInterceptors);
    stack.add(closing(() => opened.close()));
    await ensureSearchAttributes(opened.connection, temporal.namespace);
    await provePayloadKeys(opened.client, config.taskQueue);
    const clock = await readClock(opened.client);
    const dependencies = createActivityDependencies(opened.client, config, metrics.registry, tracing, clock);
    stack.add(closing(() => dependencies.close()));
    const codec =
      payloadKeys === 'none'
        ? undefined
        : ({
            codec: new EncryptionCodec(payloadKeys),
            path: '/codec',
            auth: 'bearer',
            origins: config.uiOrigins,
            hosts: [new URL(config.publicUrl).host],
          } as const);
    stack.add(
      await startGatewayServer({
        ...opened,
        dataConverter,
        config,
        dependencies,
        logger,
        tracing,
        metrics,
        ...(codec === undefined ? {} : { codec }),
      }),
    );
    return stack;
  });
}
