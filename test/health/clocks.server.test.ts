import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { expect, onTestFinished, vi } from 'vitest';
import { ServerClock } from '../../src/temporal/server-clock.js';
import { testWorkflowBundle } from '../support/workflow-bundle.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { setClockAhead, test, untilSeen } from './support.js';

test('a machine whose clock is wrong is seen', async ({ deployment: { target } }) => {
  setClockAhead(180_000);
  const { problems } = await untilSeen(target, 'clock');
  expect(problems.find(({ check }) => check === 'clock')?.detail).toContain('this machine');
});

test('Temporal’s time is had on a machine whose clock is wrong, and is set later on', async ({ server }) => {
  const clock = new ServerClock(server.client);
  const before = Date.now();
  setClockAhead(3_600_000);
  await clock.measure();
  const measured = clock.now();
  setClockAhead(-7_200_000);
  const later = clock.now();
  vi.useRealTimers();
  const after = Date.now();
  // Within the time of a call, which is what a measurement is exact to.
  const slackMs = after - before;
  expect(measured).toBeGreaterThanOrEqual(before - slackMs);
  expect(later).toBeLessThanOrEqual(after + slackMs);
  expect(later).toBeGreaterThanOrEqual(measured);
});

test('a worker whose clock is wrong is seen by a machine whose clock is right', async ({
  deployment: { target, taskQueue },
  server,
}) => {
  const workflowBundle = await testWorkflowBundle(
    fileURLToPath(new URL('workflows/clock-ahead.ts', import.meta.url)),
  );
  const worker = await Worker.create({
    ...{ ...server.place, dataConverter: testDataConverter, taskQueue, workflowBundle },
  });
  const { client } = server;
  const workflowId = target.tokenRenewalId ?? '';
  await client.workflow.start('tokenRenewal', { workflowId, taskQueue, args: [] });
  onTestFinished(async () => {
    await client.workflow.getHandle(workflowId).terminate('test');
  });
  const { problems } = await worker.runUntil(() => untilSeen(target, 'clock'));
  expect(problems.filter(({ check }) => check === 'clock').map(({ detail }) => detail)).toEqual([
    expect.stringContaining('a worker'),
  ]);
});
