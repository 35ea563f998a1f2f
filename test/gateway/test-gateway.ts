import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { CardStore } from '../../src/card-store/card-store.js';
import type { AuditEntry } from '../../src/audit/audit-log.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import type { GatewayDeps } from '../../src/gateway/deps.js';
import { testWorkflowBundle } from '../support/workflow-bundle.js';
import { connectDevServer } from '../support/temporal-dev-server.js';
import type { DevServer } from '../support/temporal-dev-server.js';
import type { Change } from './workflows/index.js';
import { neverOverloaded } from '../support/never-overloaded.js';
import { startWorkers } from '../support/workers.js';
import { apiKeys, call, memoryLog, postbackKey } from './call.js';
import type { CallOptions } from './call.js';

/**
 * A gateway on loopback before a real Temporal, with payments that move when the test says so, for all tests of the file
 * that calls this at its top.
 */
export async function gatewayForAllTests(more: Partial<GatewayDeps> = {}) {
  const server = await connectDevServer();
  const workflowsPath = fileURLToPath(new URL('./workflows/index.ts', import.meta.url));
  const { taskQueue } = server;
  const stop = await startWorkers(server.place, [
    { taskQueue, workflowBundle: await testWorkflowBundle(workflowsPath) },
  ]);
  const gateway = await startGatewayOn(server, more);
  afterAll(async () => {
    await gateway.close();
    await stop();
    await server.close();
  });
  return {
    ...gateway,
    server,
    call: (method: string, path: string, options?: CallOptions) => call(gateway.url, method, path, options),
    change: (workflowId: string, change: Change) =>
      server.client.workflow.getHandle(workflowId).signal('change', change),
  };
}

/** A gateway with a key of each kind, before whatever workers the test has. */
export async function startGatewayOn(server: DevServer, more: Partial<GatewayDeps> = {}) {
  const cardStore = new CardStore(`card-store-${randomUUID()}`);
  const log = memoryLog();
  const audit: AuditEntry[] = [];
  const app = createGateway({
    client: server.client,
    cardStore,
    apiKeys,
    postbackKeys: [postbackKey],
    logger: log.logger,
    audit: (entry) => audit.push(entry),
    taskQueue: server.taskQueue,
    ...more,
    limits: { ...neverOverloaded, ...more.limits },
  });
  let requests = 0;
  app.server.on('request', () => (requests += 1));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    requests: () => requests,
    cardStore,
    logs: log.text,
    /** What the audit stream holds. */
    audit,
    close: async () => {
      await app.close();
      await cardStore.close();
    },
  };
}
