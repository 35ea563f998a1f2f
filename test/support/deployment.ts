import { test as base } from 'vitest';
import { createCardStoreActivities } from '../../activities/index.js';
import type { OwnPaymentsDeps } from '../../activities/shared/deps.js';
import { Lingerers } from '../../activities/shared/lingerers.js';
import { createPaymentsClient, type PaymentsClient } from '../../src/client.js';
import { ownPayments } from '../../src/client/own-payments.js';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/dev/sandbox/server.js';
import type { GatewayDeps } from '../../src/gateway/deps.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { paymentQueues } from '../../src/processes/payment-queues.js';
import { apiKeys, postbackKey } from '../gateway/call.js';
import { startGatewayOn } from '../gateway/test-gateway.js';
import { gate, type Gate } from './gate.js';
import { payoutBatchesOn } from './lifecycles/payout-batches.js';
import { replayAfter } from './replay.js';
import { connectDevServer, type DevServer } from './temporal-dev-server.js';
import { sendingOn, startWorkers, turns } from './workers.js';
import { workflowBundle } from './workflow-bundle.js';

/** Gateway, sandbox and workers that come and go, on the run's development server: real time and real search. */
export type Deployment = {
  readonly server: DevServer;
  readonly sandbox: Sandbox;
  /** Of the account at the sandbox. */
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly own: OwnPaymentsDeps;
  readonly gateway: Awaited<ReturnType<typeof startGatewayOn>>;
  /** Of an OMS and an operator in one, beside those of every test gateway. */
  readonly apiKey: string;
  /** Of the same name. */
  readonly secondKey: string;
  /** By which the gateway knows postbacks. */
  readonly postbackKeys: readonly [Uint8Array];
  /** Starts a worker, of so many activities at a time on each queue; answers what stops it as SIGTERM does. */
  startWorker(own?: Partial<OwnPaymentsDeps>, activitySlots?: number): Promise<() => Promise<void>>;
  /** Replays what was started, and ends it. */
  finish(history?: string): Promise<void>;
  close(): Promise<void>;
};

type DeploymentOptions = {
  readonly sandbox?: Partial<SandboxOptions>;
  readonly gateway?: Partial<GatewayDeps>;
  /** A worker runs all the time, and the service posts back to the gateway. */
  readonly isWhole?: boolean;
  /** Creating calls of payouts linger, as in a worker; otherwise none does. */
  readonly lingers?: boolean;
};

export async function startDeployment(options: DeploymentOptions = {}): Promise<Deployment> {
  const { isWhole = false, lingers = false } = options;
  const server = await connectDevServer();
  const credentials = { clientId: 'shop', clientSecret: 'shop-secret' };
  const sandbox = await startSandbox({ ...credentials, progress: 'manual', ...options.sandbox });
  const service = createPaymentsService({ ...credentials, baseUrl: sandbox.url });
  const apiKey = 'deployment-key-0123456789';
  const secondKey = 'second-key-0123456789abcdef';
  const ofOms = { name: 'oms', scopes: ['oms', 'operator'] } as const;
  const gateway = await startGatewayOn(server, {
    apiKeys: [...apiKeys, { ...ofOms, key: apiKey }, { ...ofOms, key: secondKey }],
    ...options.gateway,
  });
  const { cardStore } = gateway;
  const postbackKeys = [postbackKey] as const;
  const sending = {
    ...sendingOn(server.client, service),
    ...{ cardStore, postbackKeys, ...(isWhole && { publicUrl: gateway.url }) },
    ...(lingers && { lingerers: new Lingerers() }),
  };
  const own: OwnPaymentsDeps = { ...sending, ...ownPayments(server.client, server.taskQueue) };
  const stops = new Set<() => Promise<void>>();
  const { taskQueue } = server;
  const cards = { taskQueue: cardStore.taskQueue, activities: createCardStoreActivities(sending) };
  const startWorker: Deployment['startWorker'] = async (other = {}, activitySlots = 100) => {
    const deps = { sending, own: { ...own, ...other }, turns };
    const end = await startWorkers({ ...server.place, maxConcurrentActivityTaskExecutions: activitySlots }, [
      { ...paymentQueues.main(taskQueue, deps), workflowBundle: workflowBundle() },
      paymentQueues.reads(taskQueue, deps),
      paymentQueues.scans(taskQueue, deps),
      paymentQueues.bulk(taskQueue, deps),
      paymentQueues.turns(taskQueue, deps),
      cards,
    ]);
    const stop = async () => {
      if (stops.delete(stop)) await end();
    };
    stops.add(stop);
    return stop;
  };
  if (isWhole) await startWorker();

  return {
    ...{ server, sandbox, credentials, own, gateway, apiKey, secondKey, postbackKeys, startWorker },
    finish: (history) =>
      replayAfter(server.client, server.started, {
        workflowBundle: workflowBundle(),
        history,
      }),
    close: async () => {
      for (const stop of stops) await stop();
      await gateway.close();
      await sandbox.close();
      await service.close();
      await server.close();
    },
  };
}

/** Tests of such a deployment: one a file; each test's histories are replayed when it ends, and its payments ended. */
export const test = base
  .extend('deploymentOptions', { scope: 'file' }, (): DeploymentOptions => ({}))
  .extend('shared', { scope: 'file' }, async ({ deploymentOptions }, { onCleanup }) => {
    const deployment = await startDeployment(deploymentOptions);
    onCleanup(() => deployment.close());
    return deployment;
  })
  .extend('deployment', async ({ shared, task }, { onCleanup }) => {
    const stops: (() => Promise<void>)[] = [];
    const gates: Gate[] = [];
    onCleanup(async () => {
      for (const each of gates) each.open();
      // Those that a test has left.
      for (const stop of stops) await stop();
      await shared.finish(task.meta.history);
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
