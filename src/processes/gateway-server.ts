import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import { createCardStoreActivities } from '../../activities/index.js';
import type { AuditLog } from '../audit/audit-log.js';
import { CardStore } from '../card-store/card-store.js';
import { ConfigError } from '../config/config-error.js';
import type { GatewayConfig } from '../config/settings.js';
import { createGateway } from '../gateway/create-gateway.js';
import type { CodecEndpoint } from '../gateway/deps.js';
import type { ProcessMetrics } from '../metrics/process-metrics.js';
import type { Tracing } from '../tracing/tracing.js';
import { watchFleet } from './fleet-watch.js';
import { listenWords } from './listen-fault.js';
import type { Logger } from './logger.js';
import { keyBytes } from './activity-dependencies.js';
import type { ActivityDependencies } from './activity-dependencies.js';
import { closing, startStack } from './running.js';
import type { Running } from './running.js';
import { startWorker } from './workers.js';

/** How long a card that waits at the card store when the gateway stops may still be fetched. */
const lastCardsMs = 5_000;
const cardActivitySlots = 100;

export type GatewayServerOptions = {
  readonly client: Client;
  readonly connection: NativeConnection;
  readonly dataConverter: DataConverter;
  readonly config: Pick<
    GatewayConfig,
    | 'temporal'
    | 'taskQueue'
    | 'payments'
    | 'host'
    | 'port'
    | 'apiKeys'
    | 'postbackKeys'
    | 'pollScale'
    | 'notifyTargets'
    | 'notifyWorkflows'
  >;
  readonly dependencies: ActivityDependencies;
  readonly logger: Logger;
  readonly metrics: ProcessMetrics;
  readonly tracing: Tracing;
  readonly codec?: CodecEndpoint;
  readonly eagerStart?: boolean;
  /** Where audit lines go; standard output when absent. */
  readonly audit?: AuditLog;
};

/**
 * The HTTP gateway, its card store, and the worker on the card store's own queue. To stop, it takes no more cards and
 * requests, lets the cards at hand be fetched, finishes the calls under way, and leaves.
 */
export async function startGatewayServer(options: GatewayServerOptions): Promise<Running> {
  const { client, connection, dataConverter, config, dependencies, logger, metrics, tracing, codec } =
    options;
  const cardStore = new CardStore(`card-store-${randomUUID()}`);
  return startStack(async (stack) => {
    stack.add(closing(() => cardStore.close()));
    stack.add(
      await startWorker(
        {
          connection,
          dataConverter,
          namespace: config.temporal.namespace,
          taskQueue: cardStore.taskQueue,
          activities: createCardStoreActivities({ ...dependencies.sending, cardStore }),
          maxConcurrentActivityTaskExecutions: cardActivitySlots,
        },
        logger,
        tracing,
      ),
    );
    stack.add(closing(() => lastCards(cardStore)));
    const watch = watchFleet({ client, config, cardStore, dependencies, logger, registry: metrics.registry });
    stack.add(closing(() => watch.stop()));
    const app = createGateway({
      client,
      cardStore,
      logger,
      metrics: metrics.registry,
      sdkMetrics: () => metrics.sdk.text(),
      health: () => watch.report(),
      apiKeys: config.apiKeys,
      postbackKeys: keyBytes(config.postbackKeys),
      taskQueue: config.taskQueue,
      now: dependencies.clock.now,
      pollScale: config.pollScale,
      notifyTargets: config.notifyTargets,
      notifyWorkflows: config.notifyWorkflows,
      eagerStart: options.eagerStart ?? false,
      ...(tracing.request === undefined ? {} : { traceRequest: tracing.request }),
      ...(options.audit === undefined ? {} : { audit: options.audit }),
      ...(codec === undefined ? {} : { codec }),
    });
    stack.add(closing(() => app.close()));
    await app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
      const isOfListening = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
      throw isOfListening ? new ConfigError([listenWords(error, config)]) : error;
    });
    stack.add(closing(() => Promise.resolve(cardStore.stopTaking())));
    return stack;
  });
}

async function lastCards(cardStore: CardStore): Promise<void> {
  const deadline = Date.now() + lastCardsMs;
  while (cardStore.held > 0 && Date.now() < deadline) await sleep(50);
}
