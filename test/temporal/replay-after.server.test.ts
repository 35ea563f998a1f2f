import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { expect, test as base } from 'vitest';
import { testWorkflowBundle } from '../support/workflow-bundle.js';
import { replayAfter } from '../support/replay.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { startTimeSkippingServer } from '../support/temporal-time-skipping.js';
import type { waiting } from './workflows/index.js';

const bundled = (name: string) =>
  testWorkflowBundle(fileURLToPath(new URL(`./workflows/${name}.ts`, import.meta.url)));

/** Starts a workflow that waits for a month, on a server that skips time, while a worker runs. */
const test = base
  // eslint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures from the pattern
  .extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startTimeSkippingServer();
    onCleanup(() => server.env.teardown());
    return server;
  })
  .extend('startWaiting', async ({ server: { env, taskQueue } }, { onCleanup }) => {
    const worker = await Worker.create({
      ...{ connection: env.nativeConnection, taskQueue, dataConverter: testDataConverter },
      workflowBundle: await bundled('index'),
    });
    const running = worker.run();
    onCleanup(async () => {
      worker.shutdown();
      await running;
    });
    return (workflowId: string) =>
      env.client.workflow.start<typeof waiting>('waiting', { workflowId, taskQueue });
  });

test('a workflow that a test leaves open is replayed and ended', async ({ server, startWaiting }) => {
  const handle = await startWaiting('left-open');
  await handle.executeUpdate('ask', { args: ['still there'] });
  await replayAfter(server.env.client, server.started, { workflowBundle: await bundled('index') });
  expect((await handle.describe()).status.name).toBe('TERMINATED');
});

test('code that would take other steps than it did is found', async ({ server, startWaiting }) => {
  expect(await (await startWaiting('ended')).result()).toBe('waited');
  await expect(
    replayAfter(server.env.client, server.started, { workflowBundle: await bundled('changed') }),
  ).rejects.toThrow(/ended does not replay/);
});
