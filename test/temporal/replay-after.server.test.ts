import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testWorkflowBundle } from '../support/workflow-bundle.js';
import { replayAfter } from '../support/replay.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { startTimeSkippingServer } from '../support/temporal-time-skipping.js';
import type { TimeSkippingServer } from '../support/temporal-time-skipping.js';
import type { waiting } from './workflows/index.js';

let workflowBundle: { codePath: string };
let changedBundle: { codePath: string };
let server: TimeSkippingServer;

const bundled = (name: string) =>
  testWorkflowBundle(fileURLToPath(new URL(`./workflows/${name}.ts`, import.meta.url)));

beforeAll(async () => {
  workflowBundle = await bundled('index');
  changedBundle = await bundled('changed');
});

describe('on a server that skips time', () => {
  beforeEach(async () => {
    server = await startTimeSkippingServer();
  });

  afterEach(() => server.env.teardown());

  const run = async <T>(body: () => Promise<T>): Promise<T> => {
    const worker = await Worker.create({
      connection: server.env.nativeConnection,
      taskQueue: server.taskQueue,
      workflowBundle,
      dataConverter: testDataConverter,
    });
    return worker.runUntil(body);
  };
  const start = () =>
    server.env.client.workflow.start<typeof waiting>('waiting', {
      workflowId: 'waiting',
      taskQueue: server.taskQueue,
      searchAttributes: { PaymentKind: ['payout'], PaymentValue: [12.5] },
    });

  test('a month passes in moments, and the history replays', async () => {
    expect(await run(async () => (await start()).result())).toBe('waited');
    await replayAfter(server.env.client, server.started, { workflowBundle });
  });

  test('a workflow that a test forgot fails it, is ended, and does not fail the next one', async () => {
    await run(async () => (await start()).executeUpdate('ask', { args: ['still there'] }));
    const check = () => replayAfter(server.env.client, server.started, { workflowBundle });

    await expect(check()).rejects.toThrow('waiting was left open');
    expect((await server.env.client.workflow.getHandle('waiting').describe()).status.name).toBe('TERMINATED');
    await expect(check()).resolves.toBeUndefined();
  });

  test('a workflow that a test means to leave open is replayed and ended', async () => {
    await run(async () => (await start()).executeUpdate('ask', { args: ['still there'] }));
    await replayAfter(server.env.client, server.started, { workflowBundle, leftOpen: ['waiting'] });
    expect((await server.env.client.workflow.getHandle('waiting').describe()).status.name).toBe('TERMINATED');
  });

  test('code that would take other steps than it did is found', async () => {
    await run(async () => (await start()).result());
    await expect(
      replayAfter(server.env.client, server.started, { workflowBundle: changedBundle }),
    ).rejects.toThrow(/waiting does not replay/);
  });
});
