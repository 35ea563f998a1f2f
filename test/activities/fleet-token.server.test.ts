import { Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTokenActivities } from '../../activities/index.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import type { PaymentsService } from '../../src/payments-service/payments-service.js';
import type { TokenSource } from '../../src/payments-service/token-source.js';
import { startSandbox, type Sandbox } from '../../src/dev/sandbox/server.js';
import { createTokenSource, tokenRenewalId, tokenTaskQueue } from '../../src/temporal/token-source.js';
import { replayAfter } from '../support/replay.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { workflowBundle } from '../support/workflow-bundle.js';
import { startTimeSkippingServer, type TimeSkippingServer } from '../support/temporal-time-skipping.js';

const clientId = 'shop';
const clientSecret = 'sandbox-secret';

let sandbox: Sandbox;
let service: PaymentsService;
let server: TimeSkippingServer;

beforeAll(async () => {
  sandbox = await startSandbox({ clientId, clientSecret });
  service = createPaymentsService({ baseUrl: sandbox.url, clientId, clientSecret });
});

afterAll(async () => {
  await service.close();
  await sandbox.close();
});

beforeEach(async () => {
  server = await startTimeSkippingServer();
});

afterEach(async () => {
  const bundle = workflowBundle();
  await replayAfter(server.env.client, server.started, { workflowBundle: bundle, leftOpen: 'all' });
  await server.env.teardown();
});

/** As each process of a fleet makes it. */
function processOfTheFleet(secret = clientSecret, timeoutMs = 30_000): TokenSource {
  const { client } = server.env;
  const { taskQueue } = server;
  const baseUrl = sandbox.url;
  return createTokenSource({
    client,
    baseUrl,
    clientId,
    clientSecret: secret,
    taskQueue,
    timeoutMs,
    now: () => Date.now(),
  });
}

async function withWorkers(body: () => Promise<void>): Promise<void> {
  const common = { connection: server.env.nativeConnection, dataConverter: testDataConverter };
  const workflows = await Worker.create({
    ...common,
    taskQueue: server.taskQueue,
    workflowBundle: workflowBundle(),
  });
  const authentication = await Worker.create({
    ...common,
    taskQueue: tokenTaskQueue(server.taskQueue),
    activities: createTokenActivities({ service, clientSecret, now: () => Date.now() }),
  });
  await workflows.runUntil(authentication.runUntil(body));
}

/** The service lets a token be renewed once a minute at most. */
const aMinuteLater = () => server.env.sleep('61 seconds');

async function works(token: string): Promise<boolean> {
  const { outcome } = await service.listPayouts({ page: 1, per_page: 1 }, { token });
  return outcome === 'answered';
}

test('the first that needs one starts the renewal, and the whole fleet has one token', async () => {
  await withWorkers(async () => {
    const [first, second] = [processOfTheFleet(), processOfTheFleet()];
    const tokens = await Promise.all([first.current(), first.current(), second.current(), second.current()]);
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(1);
    expect(tokens[0]?.generation).toBe(1);
    expect(await works(tokens[0]?.token ?? '')).toBe(true);
  });
});

test('a process that comes up while no worker runs has the token of the fleet', async () => {
  const issued: string[] = [];
  await withWorkers(async () => {
    issued.push((await processOfTheFleet().current()).token);
  });
  expect((await processOfTheFleet(clientSecret, 5_000).current()).token).toBe(issued[0]);
});

test('a rejected token is renewed once for all, and who still holds the old one gets the new one', async () => {
  await withWorkers(async () => {
    const [first, second] = [processOfTheFleet(), processOfTheFleet()];
    const old = await first.current();
    await second.current();
    sandbox.expireToken();
    await aMinuteLater();
    await Promise.all([first.reject(old.generation), first.reject(old.generation)]);
    const renewed = await first.current();
    expect(renewed.generation).toBe(2);
    expect(await works(renewed.token)).toBe(true);

    await second.reject(old.generation);
    expect(await second.current()).toEqual(renewed);
  });
});

test('a token sealed under another client_secret counts as rejected', async () => {
  await withWorkers(async () => {
    const rotated = processOfTheFleet('another-secret', 1_000);
    await processOfTheFleet().current();
    await expect(rotated.current()).rejects.toThrow();
    const generation = async () => {
      await aMinuteLater();
      await expect(rotated.current()).rejects.toThrow();
      return (await processOfTheFleet().current()).generation;
    };
    await expect.poll(generation).toBeGreaterThan(1);
  });
});

test('a renewal that was started anew counts from 1 again, and is believed', async () => {
  await withWorkers(async () => {
    const source = processOfTheFleet();
    await source.current();
    await aMinuteLater();
    await source.reject(1);
    await aMinuteLater();
    await server.env.client.workflow.getHandle(tokenRenewalId(sandbox.url, clientId)).terminate();
    await source.reject(2).catch(() => undefined);
    const { token } = await source.current();
    expect(await works(token)).toBe(true);
  });
});

test('no one waits for a token without end', async () => {
  await expect(processOfTheFleet(clientSecret, 200).current()).rejects.toThrow();
});

test('the id of the renewal distinguishes service accounts, and not a slash at the end', () => {
  const id = tokenRenewalId('https://payments.example', 'a');
  expect(id).toMatch(/^token-renewal-[0-9a-f]{16}$/);
  expect(tokenRenewalId('https://payments.example/', 'a')).toBe(id);
  expect(tokenRenewalId('https://payments.example', 'b')).not.toBe(id);
  expect(tokenRenewalId('https://payments.example/v2', 'a')).not.toBe(id);
});
