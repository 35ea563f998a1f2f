import { randomUUID } from 'node:crypto';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { describe, expect, test as base } from 'vitest';
import type { SealedToken } from '../../src/contract/token.js';
import { startSandbox } from '../../src/dev/sandbox/server.js';
import { tokenRenewalDelayMs } from '../../src/domain/token-renewal.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { paymentQueues } from '../../src/processes/payment-queues.js';
import { createTokenSource, tokenRenewalId } from '../../src/temporal/token-source.js';
import { idle } from '../support/idle.js';
import { recordedAs } from '../support/keep-histories.js';
import { refusalOf } from '../support/refusal.js';
import { replayAfter } from '../support/replay.js';
import { workflowBundle } from '../support/workflow-bundle.js';
import { startTimeSkippingServer } from '../support/temporal-time-skipping.js';
import { startWorkers } from '../support/workers.js';

const test = base
  .extend('credentials', { scope: 'file' }, { clientId: 'shop', clientSecret: 'a-secret' })
  .extend('shared', { scope: 'file' }, async ({ credentials }, { onCleanup }) => {
    const server = await startTimeSkippingServer();
    const sandbox = await startSandbox(credentials);
    const service = createPaymentsService({ ...credentials, baseUrl: sandbox.url });
    onCleanup(async () => {
      await service.close();
      await sandbox.close();
      await server.env.teardown();
    });
    return { ...server, sandbox, service };
  })
  .extend('sandbox', ({ shared }) => shared.sandbox)
  .extend('env', ({ shared }) => shared.env)
  .extend('workers', async ({ credentials, shared }, { onCleanup }) => {
    const { env, service, taskQueue } = shared;
    const token = { service, clientSecret: credentials.clientSecret, now: () => Date.now() };
    const end = await startWorkers({ connection: env.nativeConnection }, [
      { taskQueue, workflowBundle: workflowBundle() },
      paymentQueues.tokens(taskQueue, { token }),
    ]);
    let areRunning = true;
    const stop = async () => {
      if (areRunning) await end();
      areRunning = false;
    };
    onCleanup(stop);
    return { stop, areRunning: () => areRunning };
  })
  /** Of a service account of the test's own: the processes that need its token, and the workflow that renews it. */
  .extend('fleet', async ({ credentials, shared, task, workers }, { onCleanup }) => {
    const { env, sandbox, service, started, taskQueue } = shared;
    const account = { baseUrl: sandbox.url, clientId: randomUUID() };
    const renewal = env.client.workflow.getHandle(tokenRenewalId(account.baseUrl, account.clientId));
    onCleanup(async () => {
      if (workers.areRunning()) await idle(renewal);
      const { history } = task.meta;
      await replayAfter(env.client, started, { workflowBundle: workflowBundle(), history });
    });
    const { clientSecret: secret } = credentials;
    return Promise.resolve({
      renewal,
      /** As each process of it makes it. */
      process: ({ clientSecret = secret, timeoutMs = 30_000 } = {}) =>
        createTokenSource({
          ...{ ...account, client: env.client, clientSecret, taskQueue, timeoutMs },
          now: () => Date.now(),
        }),
      renew: (rejected: number) =>
        renewal.executeUpdate<SealedToken, [object]>('renewToken', {
          args: [{ rejected_generation: rejected }],
        }),
      /** Of the token that whoever needs one reads. */
      generation: async () => {
        await idle(renewal);
        return ((await renewal.describe()).memo?.token as SealedToken).generation;
      },
      /** When it asked the service for each token. */
      askedAt: async () =>
        ((await renewal.fetchHistory()).events ?? []).flatMap(
          ({ activityTaskScheduledEventAttributes, eventTime }) =>
            activityTaskScheduledEventAttributes == null ? [] : tsToMs(eventTime),
        ),
      works: async (token: string) => {
        const { outcome } = await service.listPayouts({ page: 1, per_page: 1 }, { token });
        return outcome === 'answered';
      },
    });
  });

test(
  'a token is renewed after 24 of its 30 minutes, and the next one again',
  recordedAs('token-renewed-by-timer'),
  async ({ env, fleet }) => {
    expect((await fleet.process().current()).generation).toBe(1);
    await env.sleep('23 minutes');
    expect(await fleet.generation()).toBe(1);
    await env.sleep('2 minutes');
    await expect.poll(fleet.generation).toBe(2);
    await env.sleep('23 minutes');
    await expect.poll(fleet.generation).toBe(3);
  },
);

test(
  'any number of rejections of one token make one renewal, at once; that of its successor backs off',
  recordedAs('token-rejected-and-renewed-once'),
  async ({ env, fleet, sandbox }) => {
    await fleet.process().current();
    const before = sandbox.ledger().calls['POST /v1/auth'] ?? 0;
    const rejectedAt = await env.currentTimeMs();
    const renewed = await Promise.all(Array.from({ length: 8 }, () => fleet.renew(1)));
    for (const { generation } of renewed) expect(generation).toBe(2);
    expect((await env.currentTimeMs()) - rejectedAt).toBeLessThan(30_000);
    expect(sandbox.ledger().calls['POST /v1/auth']).toBe(before + 1);
    const again = fleet.renew(2);
    await env.sleep('2 seconds');
    expect((await again).generation).toBe(3);
    const [, second = 0, third = 0] = await fleet.askedAt();
    expect(third - second).toBeGreaterThanOrEqual(tokenRenewalDelayMs(1));
  },
);

test('a generation that never was is refused', async ({ fleet }) => {
  await fleet.process().current();
  expect(await fleet.renew(7).catch(refusalOf)).toBe('InvalidMessage');
});

test('while the service issues none, callers wait, and get the first that comes', async ({
  env,
  fleet,
  sandbox,
}) => {
  sandbox.fault({ endpoint: 'POST /v1/auth', times: 3, fault: { effect: 'none', status: 503 } });
  const pending = fleet.process().current();
  await env.sleep('1 minute');
  expect((await pending).generation).toBe(1);
});

describe('the processes of a fleet', () => {
  test('have one token, which the first that needs it has issued, also while no worker runs', async ({
    fleet,
    workers,
  }) => {
    const [first, second] = [fleet.process(), fleet.process()];
    const tokens = await Promise.all([first.current(), first.current(), second.current(), second.current()]);
    const [one] = tokens;
    expect(tokens).toEqual(tokens.map(() => one));
    expect(await fleet.works(one?.token ?? '')).toBe(true);
    await workers.stop();
    expect(await fleet.process({ timeoutMs: 5_000 }).current()).toEqual(one);
  });

  test('get the same new one when theirs is rejected, also one that still holds the old one', async ({
    fleet,
    sandbox,
  }) => {
    const [first, second] = [fleet.process(), fleet.process()];
    const old = await first.current();
    await second.current();
    sandbox.expireToken();
    await Promise.all([first.reject(old.generation), first.reject(old.generation)]);
    const renewed = await first.current();
    expect(renewed.generation).toBe(2);
    expect(await fleet.works(renewed.token)).toBe(true);
    await second.reject(old.generation);
    expect(await second.current()).toEqual(renewed);
  });

  test('take a token that is sealed under another client_secret for rejected', async ({ env, fleet }) => {
    const rotated = fleet.process({ clientSecret: 'another-secret', timeoutMs: 1_000 });
    await fleet.process().current();
    const generation = async () => {
      await expect(rotated.current()).rejects.toThrow();
      await env.sleep('61 seconds');
      return fleet.generation();
    };
    await expect.poll(generation).toBeGreaterThan(1);
  });

  test('believe a renewal that was started anew, and counts from 1 again', async ({ env, fleet }) => {
    const process = fleet.process();
    await process.current();
    await process.reject(1);
    await fleet.renewal.terminate();
    await env.sleep('61 seconds');
    await process.reject(2).catch(() => undefined);
    expect(await fleet.works((await process.current()).token)).toBe(true);
  });

  test('wait for a token not without end', async ({ fleet, workers }) => {
    await workers.stop();
    await expect(fleet.process({ timeoutMs: 200 }).current()).rejects.toThrow();
  });
});
