import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { testWorkflowBundle } from '../support/workflow-bundle.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { deployment, ends, onServerAndSandbox, server, setClockAhead, untilSeen } from './support.js';

onServerAndSandbox();

test('a machine whose clock is wrong is seen', async () => {
  const { target } = deployment();
  setClockAhead(180_000);
  const { problems } = await untilSeen(target, 'clock');
  expect(problems.find(({ check }) => check === 'clock')?.detail).toContain('this machine');
});

test('a worker whose clock is wrong is seen by a machine whose clock is right', async () => {
  const { target, taskQueue } = deployment();
  const workflowBundle = await testWorkflowBundle(
    fileURLToPath(new URL('workflows/clock-ahead.ts', import.meta.url)),
  );
  const worker = await Worker.create({
    ...{ ...server.place, dataConverter: testDataConverter, taskQueue, workflowBundle },
  });
  const { client } = server;
  const workflowId = target.tokenRenewalId ?? '';
  await client.workflow.start('tokenRenewal', { workflowId, taskQueue, args: [] });
  ends.push(() => client.workflow.getHandle(workflowId).terminate('test'));
  const { problems } = await worker.runUntil(() => untilSeen(target, 'clock'));
  expect(problems.filter(({ check }) => check === 'clock').map(({ detail }) => detail)).toEqual([
    expect.stringContaining('a worker'),
  ]);
});
