import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createNotificationActivities } from '../../activities/index.js';
import type { PaymentNotification } from '../../src/contract/notify.js';
import { maxWaitingNotifications, notificationTaskQueue } from '../../src/domain/notifications.js';
import type { Delivery } from '../../src/webhooks/webhook-sender.js';
import { testWorkflowBundle } from '../support/workflow-bundle.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { connectDevServer, type DevServer } from '../support/temporal-dev-server.js';
import type { Step } from './workflows/index.js';

let server: DevServer;
let stop: () => Promise<void>;
/** Every delivery that was begun, and how each ends: not before the test lets it. */
let target: string;
let begun: PaymentNotification[];
let answer: (notification: PaymentNotification) => Promise<Delivery>;
let onBegun: () => void = () => undefined;

beforeAll(async () => {
  server = await connectDevServer();
  const workflowsPath = fileURLToPath(new URL('./workflows/index.ts', import.meta.url));
  const shared = { ...server.place, dataConverter: testDataConverter };
  const webhooks = {
    deliver: (webhook: unknown, notification: PaymentNotification) => {
      // What an earlier test left.
      if (webhook !== target) return delivered();
      begun.push(notification);
      onBegun();
      return answer(notification);
    },
  };
  const workers = [
    await Worker.create({
      ...shared,
      taskQueue: server.taskQueue,
      workflowBundle: await testWorkflowBundle(workflowsPath),
    }),
    await Worker.create({
      ...shared,
      taskQueue: notificationTaskQueue(server.taskQueue),
      activities: createNotificationActivities({ webhooks }),
    }),
  ];
  const running = Promise.all(workers.map((worker) => worker.run()));
  stop = async () => {
    for (const worker of workers) worker.shutdown();
    await running;
  };
});
beforeEach(() => {
  begun = [];
  target = randomUUID();
});
afterAll(async () => {
  await stop();
  await server.close();
});

const delivered = () => Promise.resolve<Delivery>({ kind: 'delivered' });
const begunAtLeast = (count: number) =>
  new Promise<void>((resolve) => {
    onBegun = () => {
      if (begun.length >= count) resolve();
    };
    onBegun();
  });

async function startTeller() {
  const handle = await server.client.workflow.start('teller', {
    workflowId: `teller-${randomUUID()}`,
    taskQueue: server.taskQueue,
    args: [{ webhook: target }],
  });
  return { handle, step: (step: Step) => handle.signal('step', step) };
}

/** Deliveries that wait until they are let go. */
function held() {
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { letGo: () => letGo(), answer: () => gate.then(delivered) };
}

test('a delivery under way at a continue-as-new is made again with the same id, then the next', async () => {
  const first = held();
  answer = first.answer;
  const { handle, step } = await startTeller();
  await step({ status: 'one' });
  await step({ status: 'two' });
  await begunAtLeast(1);
  answer = delivered;
  await step('continue as new');
  await begunAtLeast(3);
  first.letGo();
  expect(begun.map(({ sequence }) => sequence)).toEqual([1, 1, 2]);
  expect(begun[1]?.id).toBe(begun[0]?.id);
  await step({ status: 'three' });
  await begunAtLeast(4);
  expect(begun[3]?.sequence).toBe(3);
  expect(new Set(begun.map(({ id }) => id)).size).toBe(3);
  await step('close');
  await handle.result();
});

test('what waits at the close is delivered in order by a workflow of its own, which then ends', async () => {
  const first = held();
  answer = first.answer;
  const { handle, step } = await startTeller();
  await step({ status: 'one' });
  await step({ status: 'two' });
  await begunAtLeast(1);
  answer = delivered;
  await step('close');
  await handle.result();
  await begunAtLeast(3);
  first.letGo();
  expect(begun.map(({ sequence }) => sequence)).toEqual([1, 1, 2]);
  const { events } = await handle.fetchHistory();
  const child = (events ?? []).flatMap(
    ({ childWorkflowExecutionStartedEventAttributes: started }) =>
      started?.workflowExecution?.workflowId ?? [],
  );
  expect(child).toHaveLength(1);
  await server.client.workflow.getHandle(String(child[0])).result();
});

test('a payment with nothing left to deliver closes without one', async () => {
  answer = delivered;
  const { handle, step } = await startTeller();
  await step('close');
  await handle.result();
  const { events } = await handle.fetchHistory();
  expect(events?.some((event) => event.startChildWorkflowExecutionInitiatedEventAttributes)).toBe(false);
});

test('only so many wait; the oldest that is not on its way is dropped', async () => {
  const first = held();
  answer = first.answer;
  const { handle, step } = await startTeller();
  await step({ status: 'first' });
  await begunAtLeast(1);
  for (let i = 0; i <= maxWaitingNotifications; i += 1) await step({ status: `s${String(i)}` });
  expect(await handle.query('waiting')).toBe(maxWaitingNotifications);
  answer = delivered;
  first.letGo();
  await begunAtLeast(maxWaitingNotifications);
  const sequences = begun.map(({ sequence }) => sequence);
  expect(sequences.slice(0, 2)).toEqual([1, 4]);
  expect(sequences.at(-1)).toBe(maxWaitingNotifications + 2);
  await step('close');
  await handle.result();
});

test('a workflow that hands over notifications of another payment has none of them delivered', async () => {
  answer = delivered;
  const handle = await server.client.workflow.start('impostor', {
    workflowId: `impostor-${randomUUID()}`,
    taskQueue: server.taskQueue,
    args: [{ webhook: target }],
  });
  await expect(handle.result()).rejects.toThrow();
  expect(begun).toEqual([]);
});
