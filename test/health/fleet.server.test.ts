import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { expect, onTestFinished, vi } from 'vitest';
import { bulkTaskQueue, readTaskQueue, scanTaskQueue, turnTaskQueue } from '../../src/domain/call-limits.js';
import { ServerClock } from '../../src/temporal/server-clock.js';
import { notificationTaskQueue } from '../../src/domain/notifications.js';
import { ownPort } from '../support/own-port.js';
import { createPaymentsClient } from '../../src/client.js';
import { Census } from '../../src/health/census.js';
import { viewFleet, type FleetTarget } from '../../src/health/fleet.js';
import { createDataConverter } from '../../src/temporal/data-converter.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { viewSchedules } from '../../src/health/schedules.js';
import { reconciliationSchedules } from '../../src/temporal/reconciliation-schedules.js';
import { tokenTaskQueue } from '../../src/temporal/token-source.js';
import { longTests, waiting } from '../support/waiting.js';
import { checksIn, test, untilSeen } from './support.js';

vi.setConfig(longTests);

const otherKeys = createDataConverter(parseKeyRing(`k9:${randomBytes(32).toString('base64')}`));

test('a deployment that works has no problem, and its numbers are known', async ({
  deployment: { target, needToken, startWorkers, startSchedules, taskQueue },
}) => {
  const begun = Date.now();
  await startWorkers();
  await startSchedules();
  await needToken();
  const view = await viewFleet(target);
  // A measurement is exact to the time of a call.
  const slackMs = Date.now() - begun;
  expect(view.problems).toEqual([]);
  expect(view.pollers).toEqual({
    [taskQueue]: 1,
    [tokenTaskQueue(taskQueue)]: 1,
    [readTaskQueue(taskQueue)]: 1,
    [scanTaskQueue(taskQueue)]: 1,
    [notificationTaskQueue(taskQueue)]: 1,
    [bulkTaskQueue(taskQueue)]: 1,
    [turnTaskQueue(taskQueue)]: 1,
  });
  expect(view.tokenExpiresAt).toBeGreaterThan(Date.now());
  expect(Math.abs(view.clockOffsetMs ?? Infinity)).toBeLessThanOrEqual(slackMs);
  expect(Math.abs(view.workerClockOffsetMs ?? Infinity)).toBeLessThanOrEqual(slackMs);
  expect(view.oldestUnsentMs).toBe(0);
});

test('a task queue without a worker is named', async ({ deployment: { target, taskQueue } }) => {
  const { problems, pollers } = await viewFleet(target);
  const named = problems.filter(({ check }) => check === 'workers').map(({ detail }) => detail);
  expect(named).toHaveLength(7);
  for (const queue of [tokenTaskQueue(taskQueue), scanTaskQueue(taskQueue)])
    expect(named.join()).toContain(queue);
  expect(pollers[taskQueue]).toBe(0);
});

test('a gateway that can’t read what workers write is seen', async ({
  deployment: { target, needToken, startWorkers },
  server,
}) => {
  await startWorkers();
  await needToken();
  const client = new Client({ ...server.place, dataConverter: otherKeys });
  expect(checksIn(await viewFleet({ ...target, client }))).toContain('payload_keys');
});

test('rejected credentials are seen before any payment needs a token', async ({
  deployment: { target, needToken, startWorkers },
}) => {
  await startWorkers({ secret: 'another-secret' });
  void needToken();
  const { problems } = await untilSeen(target, 'credentials');
  expect(problems.find(({ check }) => check === 'credentials')?.action).toContain('PAYMENTS_CLIENT_SECRET');
});

test('a service that is not reached is seen', async ({ deployment: { target } }) => {
  const baseUrl = `http://127.0.0.1:${String(await ownPort())}`;
  const { problems } = await viewFleet({ ...target, baseUrl });
  expect(problems.find(({ check }) => check === 'service')?.detail).toContain('ECONNREFUSED');
});

test('a service that is reached and gives no access token is seen', async ({
  deployment: { target, needToken, startWorkers },
  sandbox,
}) => {
  sandbox.fault({ endpoint: 'POST /v1/auth', fault: '503', times: 1_000 });
  await startWorkers();
  void needToken();
  const { problems } = await untilSeen(target, 'service');
  expect(problems.find(({ check }) => check === 'service')?.detail).toContain('gives no access token');
});

test('workers that have gone are missed before they are no longer counted', async ({
  deployment: { target, needToken, startWorkers },
}) => {
  const stopWorkers = await startWorkers();
  await needToken();
  await stopWorkers();
  const { problems, pollers } = await viewFleet(target);
  expect(pollers).toMatchObject({ [target.taskQueue]: 1 });
  expect(problems.find(({ check }) => check === 'workers')?.detail).toContain('No worker answers');
});

test('how long the oldest payment has waited to be sent is known, and which of them are counted', async ({
  deployment: { target, taskQueue },
  server,
}) => {
  const payments = createPaymentsClient({ client: server.client, taskQueue });
  const beforeStart = Date.now();
  for (const code of ['first', 'second']) {
    const partnerCode = `${taskQueue}-${code}`;
    await payments.startPayout({
      method: 'pix',
      ...{ partner_code: partnerCode, value: 150.5, pix: 'ana.lima@example.com' },
      ...{ first_name: 'Ana', last_name: 'Lima', document: '52998224725' },
    });
  }
  await vi.waitUntil(async () => {
    const askedAt = Date.now();
    const { oldestUnsentMs } = await viewFleet(target);
    if (oldestUnsentMs === null || oldestUnsentMs < 1_000) return false;
    // Temporal's time is exact to that of a call.
    const slackMs = Date.now() - askedAt;
    expect(oldestUnsentMs).toBeLessThanOrEqual(Date.now() - beforeStart + slackMs);
    return true;
  }, waiting);
  const census = new Census(
    server.client,
    taskQueue,
    new ServerClock(server.client),
    new AbortController().signal,
  );
  const counts = (await census.payments()).filter(({ count }) => count > 0);
  expect(counts).toEqual([{ kind: 'payout', status: 'submitting', count: 2 }]);
  expect((await census.attention()).every(({ count, oldestMs }) => count === 0 && oldestMs === 0)).toBe(true);
});

test('a Schedule that is missing or paused is seen', async ({ deployment: { startSchedules, target } }) => {
  expect((await viewFleet(target)).problems.at(-1)?.detail).toContain('does not exist');
  const { schedule } = await startSchedules();
  expect(checksIn(await viewFleet(target))).not.toContain('reconciliation');
  await schedule.pause('by hand');
  expect((await untilSeen(target, 'reconciliation')).problems.at(-1)?.detail).toContain('is paused');
});

/** The faults of the first Schedule after so much time. */
async function faultsIn({ client, taskQueue }: FleetTarget, ms: number): Promise<string[]> {
  const [first] = reconciliationSchedules(taskQueue);
  const seen = await viewSchedules(client, taskQueue, Date.now() + ms);
  return seen.filter(({ scheduleId }) => scheduleId === first.scheduleId).map(({ fault }) => fault);
}

test('a Schedule that no longer runs is seen, though it is not paused', async ({
  deployment: { startSchedules, target },
}) => {
  const { every, schedule } = await startSchedules();
  // It has nothing left to do, as after a stray signal.
  await schedule.update((of) => ({ ...of, state: { ...of.state, paused: false, remainingActions: 0 } }));
  expect(await faultsIn(target, 0)).toEqual([]);
  expect((await faultsIn(target, every + 60_000))[0]).toContain('has not run since it was made');
});

test('a Schedule whose run does not come to its end is seen after two of its intervals', async ({
  deployment: { startSchedules, target },
}) => {
  const { every, schedule } = await startSchedules();
  // No worker takes it, and while it runs no other one is started.
  await schedule.trigger('SKIP');
  await expect.poll(async () => (await schedule.describe()).info.runningActions).toHaveLength(1);
  expect(await faultsIn(target, every + 60_000)).toEqual([]);
  expect((await faultsIn(target, 2 * every + 60_000))[0]).toContain('has been running since');
});

test('a Schedule whose last run was ended is seen', async ({
  deployment: { startSchedules, target },
  server,
}) => {
  const { schedule } = await startSchedules();
  await schedule.trigger();
  const started = async () =>
    (await schedule.describe()).info.recentActions.at(-1)?.action.workflow.workflowId;
  await expect.poll(started).toBeTruthy();
  await server.client.workflow.getHandle((await started()) ?? '').terminate('by hand');
  const { problems } = await untilSeen(target, 'reconciliation');
  expect(problems.at(-1)?.detail).toContain('without coming to its end');
});

test('a Temporal that does not answer is the one problem', async ({ deployment: { target } }) => {
  const connection = Connection.lazy({ address: `127.0.0.1:${String(await ownPort())}` });
  onTestFinished(() => connection.close());
  const { problems } = await viewFleet({ ...target, client: new Client({ connection }) });
  expect(problems.map(({ check }) => check)).toEqual(['temporal']);
});
