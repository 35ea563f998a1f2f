import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPaymentsClient } from '../../src/client.js';
import { payoutStarter } from '../../src/client/payout-starter.js';
import { cardOrder, newCode, pixPayout } from '../gateway/requests.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { connectDevServer, type DevServer } from '../support/temporal-dev-server.js';
import { testWorkflowBundle } from '../support/workflow-bundle.js';

const workflowsPath = fileURLToPath(new URL('../gateway/workflows/index.ts', import.meta.url));

let server: DevServer;
beforeAll(async () => {
  server = await connectDevServer();
});
afterAll(() => server.close());

/** On this task queue; each answers the id of its workflow. */
function starters(taskQueue: string) {
  const payments = createPaymentsClient({ client: server.client, taskQueue });
  const startOfBatch = payoutStarter(server.client, taskQueue);
  return {
    order: async () => {
      const { credit_card: _card, ...order } = cardOrder();
      const card = { card_ref: randomUUID(), task_queue: `card-store-${randomUUID()}` };
      const { payment } = await payments.startCardOrder({ ...order, card });
      return payment.workflowId;
    },
    payout: async () => {
      const { payment } = await payments.startPayout({ method: 'pix', ...pixPayout() });
      return payment.workflowId;
    },
    ofBatch: async () => {
      const code = newCode();
      await startOfBatch({ method: 'pix', ...pixPayout(code) });
      return `payout-${code}`;
    },
  };
}

test('an order goes before a payout, and a payout before those of batches', async () => {
  const start = starters(server.taskQueue);
  const priorityOf = async (workflowId: string) => {
    const { raw } = await server.client.workflow.getHandle(workflowId).describe();
    return raw.workflowExecutionInfo?.priority?.priorityKey;
  };
  const ids = [await start.order(), await start.payout(), await start.ofBatch()];
  expect(await Promise.all(ids.map(priorityOf))).toEqual([2, 3, 4]);
});

test('while no worker keeps up, an order that came last is taken before payouts of a batch', async () => {
  const taskQueue = `${server.taskQueue}-late`;
  const start = starters(taskQueue);
  const ofBatch = await Promise.all(Array.from({ length: 10 }, start.ofBatch));
  const order = await start.order();
  const takenAt = async (workflowId: string) => {
    const { events } = await server.client.workflow.getHandle(workflowId).fetchHistory();
    const taken = events?.find((event) => event.workflowTaskStartedEventAttributes != null)?.eventTime;
    return taken == null ? Infinity : Number(taken.seconds) + Number(taken.nanos) / 1e9;
  };
  const isTaken = async (workflowId: string) => Number.isFinite(await takenAt(workflowId));
  const allTaken = async () => (await Promise.all([order, ...ofBatch].map(isTaken))).every(Boolean);
  const worker = await Worker.create({
    ...{ ...server.place, taskQueue, dataConverter: testDataConverter },
    workflowBundle: await testWorkflowBundle(workflowsPath),
    // One task after the other.
    ...{ maxConcurrentWorkflowTaskExecutions: 1, maxCachedWorkflows: 0 },
  });
  await worker.runUntil(() => expect.poll(allTaken).toBe(true));
  const orderAt = await takenAt(order);
  const before = (await Promise.all(ofBatch.map(takenAt))).filter((at) => at < orderAt);
  // The server hands out first what it had at hand as the worker came; by the order of the starts, all would be before.
  expect(before.length).toBeLessThan(ofBatch.length);
});
