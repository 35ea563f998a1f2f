import { randomUUID } from 'node:crypto';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTokenActivities } from '../../activities/index.js';
import type { SealedToken } from '../../src/contract/token.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { unsealToken } from '../../src/payments-service/token-seal.js';
import { startSandbox, type Sandbox } from '../../src/dev/sandbox/server.js';
import { idle } from '../support/idle.js';
import { refusalOf } from '../support/refusal.js';
import { replayAfter } from '../support/replay.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { workflowBundle } from '../support/temporal-dev-server.js';
import { startTimeSkippingServer, type TimeSkippingServer } from '../support/temporal-time-skipping.js';

let server: TimeSkippingServer;
let sandbox: Sandbox;
let client: Client;
let end: () => Promise<void>;
const renewals: WorkflowHandle[] = [];

beforeAll(async () => {
  server = await startTimeSkippingServer();
  sandbox = await startSandbox({ clientId: 'shop', clientSecret: 'a-secret' });
  const { env, taskQueue, started } = server;
  client = new Client({
    connection: env.connection,
    dataConverter: testDataConverter,
    interceptors: { workflow: [started.interceptor] },
  });
  const service = createPaymentsService({ baseUrl: sandbox.url, clientId: 'shop', clientSecret: 'a-secret' });
  const worker = await Worker.create({
    connection: env.nativeConnection,
    dataConverter: testDataConverter,
    taskQueue,
    workflowBundle: workflowBundle(),
    activities: createTokenActivities({ service, clientSecret: 'a-secret' }),
  });
  const running = worker.run();
  end = async () => {
    worker.shutdown();
    await running;
    await service.close();
  };
});
afterEach(async () => {
  await Promise.all(renewals.splice(0).map(idle));
  await replayAfter(client, server.started, { workflowBundle: workflowBundle(), leftOpen: 'all' });
});
afterAll(async () => {
  await end();
  await sandbox.close();
  await server.env.teardown();
});

async function renewal() {
  const { taskQueue } = server;
  const handle = await client.workflow.start('tokenRenewal', {
    workflowId: `token-renewal-${randomUUID()}`,
    taskQueue,
    args: [{ token_task_queue: taskQueue }],
  });
  renewals.push(handle);
  const renew = (rejected: number) =>
    handle.executeUpdate<SealedToken, [object]>('renewToken', { args: [{ rejected_generation: rejected }] });
  const token = async () => {
    await idle(handle);
    return handle.query<SealedToken>('token');
  };
  return { renew, first: await renew(0), token };
}

test('a token is renewed after 24 of its 30 minutes, and the next one again', async () => {
  const { first, token } = await renewal();
  expect(first.generation).toBe(1);
  await server.env.sleep('23 minutes');
  expect((await token()).generation).toBe(1);
  await server.env.sleep('2 minutes');
  expect((await token()).generation).toBe(2);
  await server.env.sleep('23 minutes');
  expect((await token()).generation).toBe(3);
});

test('any number of rejections of one token make one renewal, at once; that of its successor backs off', async () => {
  const { renew, token } = await renewal();
  const before = sandbox.ledger().calls['POST /v1/auth'] ?? 0;
  const renewed = await Promise.all(Array.from({ length: 8 }, () => renew(1)));
  for (const { generation } of renewed) expect(generation).toBe(2);
  expect(sandbox.ledger().calls['POST /v1/auth']).toBe(before + 1);
  const again = renew(2);
  expect((await token()).generation).toBe(2);
  await server.env.sleep('2 seconds');
  expect((await again).generation).toBe(3);
});

test('a rejection of an older token is answered with the present one at once', async () => {
  const { renew } = await renewal();
  await server.env.sleep('25 minutes');
  const { generation } = await renew(1);
  expect(generation).toBe(2);
});

test('a generation that never was is refused', async () => {
  const { renew } = await renewal();
  expect(await renew(7).catch(refusalOf)).toBe('InvalidMessage');
});

test('while the service issues none, those who ask wait, and get the first that comes', async () => {
  sandbox.fault({ endpoint: 'POST /v1/auth', times: 3, fault: { effect: 'none', status: 503 } });
  const pending = renewal();
  await server.env.sleep('1 minute');
  expect((await pending).first.generation).toBe(1);
});

test('what the history keeps of a token is worth nothing without the client_secret', async () => {
  const { first } = await renewal();
  const token = unsealToken('a-secret', first);
  expect(token).toBeTypeOf('string');
  expect(JSON.stringify(first)).not.toContain(token);
  expect(unsealToken('another secret', first)).toBeUndefined();
});
