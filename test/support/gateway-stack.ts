import { randomBytes, randomUUID } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import {
  createActivities,
  createBulkActivities,
  createCardStoreActivities,
  createOwnPaymentsActivities,
  createScanningActivities,
} from '../../activities/index.js';
import { CardStore } from '../../src/card-store/card-store.js';
import { bulkTaskQueue, scanTaskQueue } from '../../src/domain/call-limits.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { knownOrder } from '../../src/client/known-order.js';
import { ownPayments } from '../../src/client/own-payments.js';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/dev/sandbox/server.js';
import { ownTokens } from './own-tokens.js';
import { replayAfter } from './replay.js';
import { testDataConverter } from './temporal-data-converter.js';
import { connectDevServer, type DevServer } from './temporal-dev-server.js';
import { workflowBundle } from './workflow-bundle.js';
import type { RunOfChain } from '../../src/domain/start-check.js';
import { lookForEarlierRun } from '../../src/temporal/earlier-runs.js';
import { markSending } from '../../src/temporal/mark-sending.js';
import { neverOverloaded } from './never-overloaded.js';
import { lingerersIf } from './none-lingers.js';

/** A gateway before workers and a sandbox that posts back to it, in real time. */
export type GatewayStack = {
  readonly server: DevServer;
  readonly sandbox: Sandbox;
  /** Of the account at the sandbox. */
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly url: string;
  /** Of an OMS and an operator in one. */
  readonly apiKey: string;
  /** Of the same name. */
  readonly secondKey: string;
  /** Of another OMS, and one that decodes only. */
  readonly otherKey: string;
  readonly codecKey: string;
  /** The first signs postback addresses. */
  readonly postbackKeys: readonly [Uint8Array];
  /** Replays what was started, and ends it. */
  finish(): Promise<void>;
  close(): Promise<void>;
};

export type GatewayStackOptions = {
  /** Multiplies every waiting time of the payments. */
  readonly pollScale: number;
  /** Payments go on by themselves in the times of the service, multiplied by this; otherwise the test moves them. */
  readonly timeScale?: number;
  /** Creating calls of payouts linger, as in a worker; otherwise none does. */
  readonly lingers?: boolean;
};

export async function startGatewayStack({
  lingers = false,
  pollScale,
  timeScale,
}: GatewayStackOptions): Promise<GatewayStack> {
  const server = await connectDevServer();
  const credentials = { clientId: 'stack', clientSecret: 'stack-secret' };
  const life: Partial<SandboxOptions> = timeScale === undefined ? { progress: 'manual' } : { timeScale };
  const sandbox = await startSandbox({ ...credentials, ...life });
  const service = createPaymentsService({ ...credentials, baseUrl: sandbox.url });
  const postbackKeys: [Uint8Array] = [randomBytes(32)];
  const cardStore = new CardStore(`card-store-${randomUUID()}`);
  const apiKey = 'stack-key-0123456789abcdef';
  const secondKey = 'second-key-0123456789abcdef';
  const otherKey = 'other-key-0123456789abcdef';
  const codecKey = 'codec-key-0123456789abcdef';
  const app = createGateway({
    client: server.client,
    cardStore,
    apiKeys: [
      { name: 'stack', key: apiKey, scopes: ['oms', 'operator'] },
      { name: 'stack', key: secondKey, scopes: ['oms', 'operator'] },
      { name: 'other', key: otherKey, scopes: ['oms'] },
      { name: 'web-ui', key: codecKey, scopes: ['codec'] },
    ],
    postbackKeys,
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
    taskQueue: server.taskQueue,
    pollScale,
    limits: neverOverloaded,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const deps = {
    service,
    tokens: ownTokens(service),
    publicUrl: url,
    postbackKeys,
    cardStore,
    orderOf: (partnerCode: string) => knownOrder(server.client, partnerCode),
    earlierRun: (run: RunOfChain) => lookForEarlierRun(server.client, run, 10_000),
    now: () => Date.now(),
    markSending: (taskToken: Uint8Array) => markSending(server.client, taskToken, 10_000),
    lingerers: lingerersIf(lingers),
  };
  const shared = { ...server.place, dataConverter: testDataConverter };
  const own = { ...deps, ...ownPayments(server.client, server.taskQueue) };
  const workers = [
    await Worker.create({
      ...shared,
      taskQueue: server.taskQueue,
      workflowBundle: workflowBundle(),
      activities: {
        ...createActivities(deps),
        ...createOwnPaymentsActivities(own),
      },
    }),
    await Worker.create({
      ...shared,
      taskQueue: bulkTaskQueue(server.taskQueue),
      activities: createBulkActivities(own),
    }),
    await Worker.create({
      ...shared,
      taskQueue: scanTaskQueue(server.taskQueue),
      activities: createScanningActivities(deps),
    }),
    await Worker.create({
      ...shared,
      taskQueue: cardStore.taskQueue,
      activities: createCardStoreActivities(deps),
    }),
  ];
  const running = Promise.all(workers.map((worker) => worker.run()));
  return {
    ...{ server, sandbox, credentials, url },
    ...{ apiKey, secondKey, otherKey, codecKey, postbackKeys },
    finish: () =>
      replayAfter(server.client, server.started, { workflowBundle: workflowBundle(), leftOpen: 'all' }),
    close: async () => {
      await app.close();
      await cardStore.close();
      for (const worker of workers) worker.shutdown();
      await running;
      await sandbox.close();
      await service.close();
      await server.close();
    },
  };
}
