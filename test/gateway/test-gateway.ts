import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { request } from 'undici';
import { CardStore } from '../../src/card-store/card-store.js';
import type { AuditEntry } from '../../src/audit/audit-log.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import type { GatewayDeps } from '../../src/gateway/deps.js';
import { testWorkflowBundle } from '../support/workflow-bundle.js';
import { connectDevServer } from '../support/temporal-dev-server.js';
import type { DevServer } from '../support/temporal-dev-server.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import type { Change } from './workflows/index.js';
import { neverOverloaded } from '../support/never-overloaded.js';

export const omsKey = 'oms-key-0123456789abcdef';
export const otherOmsKey = 'other-oms-key-0123456789';
export const operatorKey = 'operator-key-0123456789';
export const codecKey = 'codec-key-0123456789abcd';
export const postbackKey = Buffer.alloc(32, 3);

export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  body: Body;
};

/** Whatever tests look at in bodies, over all routes; what a route does not answer is undefined at run time. */
export type Body = {
  status: string | number;
  attention: string | null;
  title: string;
  detail: string;
  errors: { field: string; message: string }[];
  timeline: { what: string; by?: string; reason?: string }[];
  attempts: { partner_code: string }[];
  card_ref: string;
  task_queue: string;
  closed: boolean;
  closed_as: string | null;
  payouts?: Record<string, number>;
  started_by: string | null;
  awaiting: string;
  workflow_id: string;
  service_id: string | null;
  reason: string;
  payments: {
    partner_code: string;
    status: string;
    value: number;
    closed: boolean;
    closed_as: string | null;
    updated_at: string | null;
  }[];
  next_cursor: string | null;
  next_since: string;
  complete: boolean;
  payloads: { metadata: Record<string, string>; data: string }[];
  schemas: string[];
  openapi: string;
  paths: Record<
    string,
    {
      post: {
        requestBody: { content: { 'application/json': { schema: { required: string[] } } } };
        responses: object;
      };
    }
  >;
};

export type CallOptions = {
  body?: unknown;
  /** Sent as it is, in place of a JSON body. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
  key?: string | null;
};

/** A gateway on loopback before a real Temporal, with payments that move when the test says so. */
export type TestGateway = {
  readonly server: DevServer;
  readonly cardStore: CardStore;
  readonly logs: () => string;
  /** What the audit stream holds. */
  readonly audit: readonly AuditEntry[];
  readonly url: string;
  /** How many requests have come in so far. */
  requests(): number;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  change(workflowId: string, change: Change): Promise<void>;
  close(): Promise<void>;
};

export async function startTestGateway(more: Partial<GatewayDeps> = {}): Promise<TestGateway> {
  const server = await connectDevServer();
  const workflowsPath = fileURLToPath(new URL('./workflows/index.ts', import.meta.url));
  const worker = await Worker.create({
    ...server.place,
    taskQueue: server.taskQueue,
    workflowBundle: await testWorkflowBundle(workflowsPath),
    dataConverter: testDataConverter,
  });
  const running = worker.run();
  const gateway = await startGatewayOn(server, more);
  return {
    server,
    cardStore: gateway.cardStore,
    logs: gateway.logs,
    audit: gateway.audit,
    url: gateway.url,
    requests: gateway.requests,
    call: (method, path, options) => call(gateway.url, method, path, options),
    change: (workflowId, change) => server.client.workflow.getHandle(workflowId).signal('change', change),
    close: async () => {
      await gateway.close();
      worker.shutdown();
      await running;
      await server.close();
    },
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
    apiKeys: [
      { name: 'shop', key: omsKey, scopes: ['oms'] },
      { name: 'market', key: otherOmsKey, scopes: ['oms'] },
      { name: 'ana', key: operatorKey, scopes: ['oms', 'operator'] },
      { name: 'web-ui', key: codecKey, scopes: ['codec'] },
    ],
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
    audit,
    close: async () => {
      await app.close();
      await cardStore.close();
    },
  };
}

/** A logger whose lines a test can read. */
export function memoryLog() {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
  return { logger: pino({ level: 'trace' }, stream), text: () => chunks.join('') };
}

export async function call(
  url: string,
  method: string,
  path: string,
  { body, raw, headers = {}, key = omsKey }: CallOptions = {},
): Promise<Answer> {
  const answer = await request(url + path, {
    method: method as 'GET' | 'POST',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: raw ?? (body === undefined ? null : JSON.stringify(body)),
  });
  const text = await answer.body.text();
  const isJson = /\bjson\b/.test(String(answer.headers['content-type']));
  const parsed = JSON.parse(isJson ? text : '{}') as Body;
  return { status: answer.statusCode, headers: answer.headers, text, body: parsed };
}
