import { randomUUID } from 'node:crypto';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { expect, test as base } from 'vitest';
import { createTokenActivities } from '../../activities/index.js';
import type { SealedToken } from '../../src/contract/token.js';
import { startSandbox } from '../../src/dev/sandbox/server.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { unsealToken } from '../../src/payments-service/token-seal.js';
import { idle } from '../support/idle.js';
import { recordedAs } from '../support/keep-histories.js';
import { refusalOf } from '../support/refusal.js';
import { replayAfter } from '../support/replay.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { workflowBundle } from '../support/workflow-bundle.js';
import { startTimeSkippingServer } from '../support/temporal-time-skipping.js';

const test = base
  .extend('credentials', { scope: 'file' }, { clientId: 'shop', clientSecret: 'a-secret' })
  .extend('stack', { scope: 'file' }, async ({ credentials }, { onCleanup }) => {
    const server = await startTimeSkippingServer();
    const sandbox = await startSandbox(credentials);
    const service = createPaymentsService({ ...credentials, baseUrl: sandbox.url });
    const worker = await Worker.create({
      connection: server.env.nativeConnection,
      dataConverter: testDataConverter,
      taskQueue: server.taskQueue,
      workflowBundle: workflowBundle(),
      activities: createTokenActivities({
        service,
        now: () => Date.now(),
        clientSecret: credentials.clientSecret,
      }),
    });
    const running = worker.run();
    onCleanup(async () => {
      worker.shutdown();
      await running;
      await service.close();
      await sandbox.close();
      await server.env.teardown();
    });
    return { ...server, sandbox };
  })
  .extend('sandbox', ({ stack }) => stack.sandbox)
  .extend('env', ({ stack }) => stack.env)
  .extend('renewal', ({ stack: { env, started, taskQueue }, task }, { onCleanup }) => {
    const client = new Client({
      connection: env.connection,
      dataConverter: testDataConverter,
      interceptors: { workflow: [started.interceptor] },
    });
    const renewals: WorkflowHandle[] = [];
    onCleanup(async () => {
      await Promise.all(renewals.map(idle));
      const { history } = task.meta;
      await replayAfter(client, started, { workflowBundle: workflowBundle(), leftOpen: 'all', history });
    });
    /** Starts one and has it issue its first token. */
    return async () => {
      const handle = await client.workflow.start('tokenRenewal', {
        workflowId: `token-renewal-${randomUUID()}`,
        taskQueue,
        args: [{ token_task_queue: taskQueue }],
      });
      renewals.push(handle);
      const renew = (rejected: number) =>
        handle.executeUpdate<SealedToken, [object]>('renewToken', {
          args: [{ rejected_generation: rejected }],
        });
      const token = async () => {
        await idle(handle);
        return (await handle.describe()).memo?.token as SealedToken;
      };
      return { renew, first: await renew(0), token };
    };
  });

test(
  'a token is renewed after 24 of its 30 minutes, and the next one again',
  recordedAs('token-renewed-by-timer'),
  async ({ renewal, env }) => {
    const { first, token } = await renewal();
    expect(first.generation).toBe(1);
    await env.sleep('23 minutes');
    expect((await token()).generation).toBe(1);
    await env.sleep('2 minutes');
    await expect.poll(async () => (await token()).generation).toBe(2);
    await env.sleep('23 minutes');
    await expect.poll(async () => (await token()).generation).toBe(3);
  },
);

test(
  'any number of rejections of one token make one renewal, at once; that of its successor backs off',
  recordedAs('token-rejected-and-renewed-once'),
  async ({ renewal, sandbox, env }) => {
    const { renew, token } = await renewal();
    const before = sandbox.ledger().calls['POST /v1/auth'] ?? 0;
    const rejectedAt = await env.currentTimeMs();
    const renewed = await Promise.all(Array.from({ length: 8 }, () => renew(1)));
    for (const { generation } of renewed) expect(generation).toBe(2);
    expect((await env.currentTimeMs()) - rejectedAt).toBeLessThan(30_000);
    expect(sandbox.ledger().calls['POST /v1/auth']).toBe(before + 1);
    const again = renew(2);
    expect((await token()).generation).toBe(2);
    await env.sleep('2 seconds');
    expect((await again).generation).toBe(3);
  },
);

test('a rejection of an older token is answered with the present one at once', async ({ renewal, env }) => {
  const { renew } = await renewal();
  await env.sleep('25 minutes');
  const { generation } = await renew(1);
  expect(generation).toBe(2);
});

test('a generation that never was is refused', async ({ renewal }) => {
  const { renew } = await renewal();
  expect(await renew(7).catch(refusalOf)).toBe('InvalidMessage');
});

test('while the service issues none, callers wait, and get the first that comes', async ({
  renewal,
  sandbox,
  env,
}) => {
  sandbox.fault({ endpoint: 'POST /v1/auth', times: 3, fault: { effect: 'none', status: 503 } });
  const pending = renewal();
  await env.sleep('1 minute');
  expect((await pending).first.generation).toBe(1);
});

test('what the history holds of a token can not be used without the client_secret', async ({ renewal }) => {
  const { first } = await renewal();
  const token = unsealToken('a-secret', first);
  expect(token).toBeTypeOf('string');
  expect(JSON.stringify(first)).not.toContain(token);
  expect(unsealToken('another secret', first)).toBeUndefined();
});
