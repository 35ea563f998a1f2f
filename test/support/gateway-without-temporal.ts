import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { onTestFinished, test as base } from 'vitest';
import type { AuditEntry } from '../../src/audit/audit-log.js';
import { CardStore } from '../../src/card-store/card-store.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import type { GatewayDeps } from '../../src/gateway/deps.js';
import { apiKeys, call, memoryLog, postbackKey } from '../gateway/call.js';
import type { Answer, CallOptions } from '../gateway/call.js';
import { neverOverloaded } from './never-overloaded.js';

type Deps = Partial<GatewayDeps>;

/**
 * A gateway with a key of each kind, for what it answers without Temporal.
 *
 * @param calls what is there in place of Temporal, by the names of its calls; without it Temporal is away
 */
export function gatewayWithoutTemporal(more: Deps = {}, calls?: object) {
  // Without the SDK's retries, which fail outside of every test once the connection is closed.
  const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  if (calls !== undefined) Object.assign(connection, { workflowService: calls });
  const log = memoryLog();
  const audit: AuditEntry[] = [];
  const app = createGateway({
    client: new Client({ connection }),
    cardStore: new CardStore(`card-store-${randomUUID()}`),
    ...{ apiKeys, postbackKeys: [postbackKey], taskQueue: 'none' },
    logger: log.logger,
    audit: (entry) => audit.push(entry),
    ...more,
    limits: { ...neverOverloaded, temporalCallMs: 1_000, ...more.limits },
  });
  return {
    app,
    audit,
    logs: log.text,
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    close: async () => {
      await app.close();
      await connection.close();
    },
  };
}

/** The same, on loopback. */
export async function listeningGateway(more?: Deps, calls?: object) {
  const gateway = gatewayWithoutTemporal(more, calls);
  const url = await gateway.listen();
  return {
    ...gateway,
    url,
    call: (method: string, path: string, options?: CallOptions): Promise<Answer> =>
      call(url, method, path, options),
  };
}

/** One that the test has for itself. */
export async function ownGateway(more?: Deps, calls?: object) {
  const gateway = await listeningGateway(more, calls);
  onTestFinished(gateway.close);
  return gateway;
}

/** The same, before a Temporal that answers nothing until it is gone. */
export async function gatewayBeforeSilence(more?: Deps) {
  let gone = (): void => undefined;
  const isGone = new Promise<void>((resolve) => (gone = resolve));
  const away = { code: 14, details: 'It is gone.', metadata: new Map() };
  const unanswered = () => isGone.then(() => Promise.reject(Object.assign(new Error(away.details), away)));
  const gateway = await ownGateway(more, new Proxy({}, { get: () => unanswered }));
  // Before the gateway is closed, which waits for what it has under way.
  onTestFinished(() => {
    gone();
  });
  return { ...gateway, gone: () => gone() };
}

/** Tests of one gateway that a file shares. */
export const testsOf = (more: Deps = {}, calls?: object) =>
  base
    .extend('deps', { scope: 'file' }, () => more)
    .extend('gateway', { scope: 'file' }, async ({ deps }, { onCleanup }) => {
      const gateway = await listeningGateway(deps, calls);
      onCleanup(gateway.close);
      return gateway;
    });

export const test = testsOf();
