import { fileURLToPath } from 'node:url';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testWorkflowBundle } from '../support/workflow-bundle.js';
import { connectDevServer } from '../support/temporal-dev-server.js';
import type { DevServer } from '../support/temporal-dev-server.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import type { failing } from './workflows/index.js';

const SECRET = 'maria@example.com';

let server: DevServer;

beforeAll(async () => {
  server = await connectDevServer();
});

afterAll(async () => {
  await server.close();
});

test('a history shows no word of inputs, summaries and failures, and those who hold the key read them', async () => {
  const workflows = fileURLToPath(new URL('./workflows/index.ts', import.meta.url));
  const worker = await Worker.create({
    ...server.place,
    namespace: server.namespace,
    taskQueue: server.taskQueue,
    workflowBundle: await testWorkflowBundle(workflows),
    dataConverter: testDataConverter,
    activities: {
      leak: (secret: string) => Promise.reject(new Error(`the activity knows ${secret}`)),
    },
  });
  const { handle, failure } = await worker.runUntil(async () => {
    const started = await server.client.workflow.start<typeof failing>('failing', {
      workflowId: server.taskQueue,
      taskQueue: server.taskQueue,
      args: [SECRET],
      staticSummary: `for ${SECRET}`,
      memo: { contact: SECRET },
    });
    return { handle: started, failure: await started.result().catch((error: unknown) => error) };
  });

  const history = JSON.stringify(await handle.fetchHistory(), (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
  expect(history).toContain('Encoded failure');
  expect(history).not.toContain('maria');
  expect(history).not.toContain('knows');

  if (!(failure instanceof WorkflowFailedError)) throw failure;
  expect(failure.cause?.message).toBe(`the workflow knows ${SECRET}`);
  expect(failure.cause).toBeInstanceOf(ApplicationFailure);
  expect(await handle.describe().then((description) => description.staticSummary())).toBe(`for ${SECRET}`);
});
