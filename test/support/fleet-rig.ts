import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities, createOwnPaymentsActivities } from '../../activities/index.js';
import type { OwnPaymentsDeps } from '../../activities/shared/deps.js';
import { CardStore } from '../../src/card-store/card-store.js';
import { ownPayments } from '../../src/client/own-payments.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/dev/sandbox/server.js';
import { ownTokens } from './own-tokens.js';
import { testDataConverter } from './temporal-data-converter.js';
import { connectDevServer, workflowBundle, type DevServer } from './temporal-dev-server.js';

/** Gateway, sandbox and workers that come and go, on the run's development server: real time and real search. */
export type FleetRig = {
  readonly server: DevServer;
  readonly sandbox: Sandbox;
  readonly own: OwnPaymentsDeps;
  readonly gatewayUrl: string;
  readonly apiKey: string;
  /** Starts a worker; answers what stops it as SIGTERM does. */
  startWorker(own?: Partial<OwnPaymentsDeps>): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

export async function startFleetRig(sandboxOptions: Partial<SandboxOptions> = {}): Promise<FleetRig> {
  const server = await connectDevServer();
  const credentials = { clientId: 'fleet', clientSecret: 'fleet-secret' };
  const sandbox = await startSandbox({ ...credentials, progress: 'manual', ...sandboxOptions });
  const service = createPaymentsService({ ...credentials, baseUrl: sandbox.url });
  const postbackKeys: [Uint8Array] = [randomBytes(32)];
  const sending = { service, tokens: ownTokens(service), publicUrl: 'http://127.0.0.1:9', postbackKeys };
  const own: OwnPaymentsDeps = { ...sending, ...ownPayments(server.client, server.taskQueue) };
  const cardStore = new CardStore('no-cards');
  const apiKey = 'fleet-key-0123456789abcdef';
  const app: FastifyInstance = createGateway({
    client: server.client,
    cardStore,
    apiKeys: [{ name: 'oms', key: apiKey, scopes: ['oms', 'operator'] }],
    postbackKeys,
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
    taskQueue: server.taskQueue,
  });
  const gatewayUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  const stops = new Set<() => Promise<void>>();

  return {
    server,
    sandbox,
    own,
    gatewayUrl,
    apiKey,
    startWorker: async (other = {}) => {
      const worker = await Worker.create({
        connection: server.connection,
        taskQueue: server.taskQueue,
        workflowBundle: workflowBundle(),
        activities: { ...createActivities(sending), ...createOwnPaymentsActivities({ ...own, ...other }) },
        dataConverter: testDataConverter,
        shutdownGraceTime: 0,
      });
      const running = worker.run();
      const stop = async () => {
        stops.delete(stop);
        worker.shutdown();
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
