import { randomBytes, randomUUID } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities, createCardStoreActivities } from '../../activities/index.js';
import { CardStore } from '../../src/card-store/card-store.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { startSandbox, type Sandbox } from '../../src/dev/sandbox/server.js';
import { ownTokens } from './own-tokens.js';
import { replayAfter } from './replay.js';
import { testDataConverter } from './temporal-data-converter.js';
import { connectDevServer, workflowBundle } from './temporal-dev-server.js';

/** A gateway before workers and a sandbox that posts back to it: the whole house, in real time. */
export type OpenHouse = {
  readonly sandbox: Sandbox;
  readonly url: string;
  /** Of an OMS and an operator in one. */
  readonly apiKey: string;
  /** Replays what was started, and ends it. */
  finish(): Promise<void>;
  close(): Promise<void>;
};

/** @param pollScale multiplies every waiting time of the payments */
export async function startOpenHouse({ pollScale }: { pollScale: number }): Promise<OpenHouse> {
  const server = await connectDevServer();
  const credentials = { clientId: 'house', clientSecret: 'house-secret' };
  const sandbox = await startSandbox({ ...credentials, progress: 'manual' });
  const service = createPaymentsService({ ...credentials, baseUrl: sandbox.url });
  const postbackKeys: [Uint8Array] = [randomBytes(32)];
  const cardStore = new CardStore(`card-desk-${randomUUID()}`);
  const apiKey = 'house-key-0123456789abcdef';
  const app = createGateway({
    client: server.client,
    cardStore,
    apiKeys: [{ name: 'house', key: apiKey, scopes: ['oms', 'operator'] }],
    postbackKeys,
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
    taskQueue: server.taskQueue,
    pollScale,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const deps = { service, tokens: ownTokens(service), publicUrl: url, postbackKeys, cardStore };
  const shared = { connection: server.connection, dataConverter: testDataConverter };
  const workers = [
    await Worker.create({
      ...shared,
      taskQueue: server.taskQueue,
      workflowBundle: workflowBundle(),
      activities: createActivities(deps),
    }),
    await Worker.create({
      ...shared,
      taskQueue: cardStore.taskQueue,
      activities: createCardStoreActivities(deps),
    }),
  ];
  const running = Promise.all(workers.map((worker) => worker.run()));
  return {
    sandbox,
    url,
    apiKey,
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
