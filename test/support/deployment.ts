import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { test as base } from 'vitest';
import {
  createActivities,
  createBulkActivities,
  createOwnPaymentsActivities,
  createScanningActivities,
  createTurnActivities,
} from '../../activities/index.js';
import type { OwnPaymentsDeps } from '../../activities/shared/deps.js';
import { CardStore } from '../../src/card-store/card-store.js';
import { createPaymentsClient, type PaymentsClient } from '../../src/client.js';
import { ownPayments } from '../../src/client/own-payments.js';
import { bulkTaskQueue, scanTaskQueue, turnTaskQueue } from '../../src/domain/call-limits.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/dev/sandbox/server.js';
import { gate, type Gate } from './gate.js';
import { payoutBatchesOn } from './lifecycles/payout-batches.js';
import { ownTokens } from './own-tokens.js';
import { replayAfter } from './replay.js';
import { testDataConverter } from './temporal-data-converter.js';
import { connectDevServer, type DevServer } from './temporal-dev-server.js';
import { workflowBundle } from './workflow-bundle.js';
import type { RunOfChain } from '../../src/domain/start-check.js';
import { lookForEarlierRun } from '../../src/temporal/earlier-runs.js';
import { markSending } from '../../src/temporal/mark-sending.js';
import { neverOverloaded } from './never-overloaded.js';
import { noneLingers } from './none-lingers.js';

/** Gateway, sandbox and workers that come and go, on the run's development server: real time and real search. */
export type Deployment = {
  readonly server: DevServer;
  readonly sandbox: Sandbox;
  readonly own: OwnPaymentsDeps;
  readonly gatewayUrl: string;
  readonly apiKey: string;
  /** By which the gateway knows postbacks. */
  readonly postbackKeys: readonly [Uint8Array];
  /** Starts a worker, of so many activities at a time on each queue; answers what stops it as SIGTERM does. */
  startWorker(own?: Partial<OwnPaymentsDeps>, activitySlots?: number): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

export async function startDeployment(sandboxOptions: Partial<SandboxOptions> = {}): Promise<Deployment> {
  const server = await connectDevServer();
  const credentials = { clientId: 'shop', clientSecret: 'shop-secret' };
  const sandbox = await startSandbox({ ...credentials, progress: 'manual', ...sandboxOptions });
  const service = createPaymentsService({ ...credentials, baseUrl: sandbox.url });
  const postbackKeys: [Uint8Array] = [randomBytes(32)];
  const sending = {
    service,
    tokens: ownTokens(service),
    publicUrl: 'http://127.0.0.1:9',
    postbackKeys,
    earlierRun: (run: RunOfChain) => lookForEarlierRun(server.client, run, 10_000),
    now: () => Date.now(),
    markSending: (taskToken: Uint8Array) => markSending(server.client, taskToken, 10_000),
    lingerers: noneLingers(),
  };
  const own: OwnPaymentsDeps = { ...sending, ...ownPayments(server.client, server.taskQueue) };
  const cardStore = new CardStore('no-cards');
  const apiKey = 'deployment-key-0123456789';
  const app: FastifyInstance = createGateway({
    client: server.client,
    cardStore,
    apiKeys: [{ name: 'oms', key: apiKey, scopes: ['oms', 'operator'] }],
    postbackKeys,
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
    taskQueue: server.taskQueue,
    limits: neverOverloaded,
  });
  const gatewayUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  const stops = new Set<() => Promise<void>>();

  return {
    server,
    sandbox,
    own,
    gatewayUrl,
    apiKey,
    postbackKeys,
    startWorker: async (other = {}, activitySlots = 100) => {
      const given = { ...own, ...other };
      const common = {
        ...server.place,
        dataConverter: testDataConverter,
        shutdownGraceTime: 0,
        maxConcurrentActivityTaskExecutions: activitySlots,
      };
      const workers = [
        await Worker.create({
          ...common,
          taskQueue: server.taskQueue,
          workflowBundle: workflowBundle(),
          activities: { ...createActivities(sending), ...createOwnPaymentsActivities(given) },
        }),
        await Worker.create({
          ...common,
          taskQueue: scanTaskQueue(server.taskQueue),
          activities: createScanningActivities(sending),
        }),
        await Worker.create({
          ...common,
          taskQueue: bulkTaskQueue(server.taskQueue),
          activities: createBulkActivities(given),
        }),
        await Worker.create({
          ...common,
          taskQueue: turnTaskQueue(server.taskQueue),
          activities: createTurnActivities({ callsWait: () => Promise.resolve(false) }),
        }),
      ];
      const running = Promise.all(workers.map((each) => each.run()));
      const stop = async () => {
        if (!stops.delete(stop)) return;
        for (const each of workers) each.shutdown();
        await running;
      };
      stops.add(stop);
      return stop;
    },
    close: async () => {
      for (const stop of stops) await stop();
      await app.close();
      await cardStore.close();
      await sandbox.close();
      await service.close();
      await server.close();
    },
  };
}

/** Tests of such a deployment: one a file; each test's histories are replayed when it ends, and its payments ended. */
export const test = base
  .extend('sandboxOptions', { scope: 'file' }, (): Partial<SandboxOptions> => ({}))
  .extend('shared', { scope: 'file' }, async ({ sandboxOptions }, { onCleanup }) => {
    const deployment = await startDeployment(sandboxOptions);
    onCleanup(() => deployment.close());
    return deployment;
  })
  .extend('deployment', async ({ shared, task }, { onCleanup }) => {
    const { client, started } = shared.server;
    const { history } = task.meta;
    const stops: (() => Promise<void>)[] = [];
    const gates: Gate[] = [];
    onCleanup(async () => {
      for (const each of gates) each.open();
      // Those that a test has left.
      for (const stop of stops) await stop();
      await replayAfter(client, started, { workflowBundle: workflowBundle(), leftOpen: 'all', history });
    });
    const startWorker: Deployment['startWorker'] = async (...given) => {
      const stop = await shared.startWorker(...given);
      stops.push(stop);
      return stop;
    };
    /** Holds up activities until the test opens it, or is over: else their worker could not be stopped. */
    const heldUp = () => {
      const held = gate();
      gates.push(held);
      return held;
    };
    return Promise.resolve({ ...shared, startWorker, heldUp });
  })
  .extend('payments', ({ deployment: { server } }) => fastPayments(server))
  .extend('sandbox', ({ deployment }) => deployment.sandbox)
  .extend('batches', ({ deployment }) => payoutBatchesOn(deployment));

/** A client whose payments wait a fiftieth of the usual times. */
export const fastPayments = ({
  client,
  taskQueue,
}: Pick<DevServer, 'client' | 'taskQueue'>): PaymentsClient =>
  createPaymentsClient({ client, taskQueue, pollScale: 0.02 });
