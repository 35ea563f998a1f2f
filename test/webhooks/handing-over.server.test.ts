import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { expect, test as base, vi } from 'vitest';
import { createNotificationActivities } from '../../activities/index.js';
import type { PaymentNotification } from '../../src/contract/notify.js';
import { notificationTaskQueue } from '../../src/domain/notifications.js';
import { gate } from '../support/gate.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { connectDevServer } from '../support/temporal-dev-server.js';
import { waiting } from '../support/waiting.js';
import { testWorkflowBundle } from '../support/workflow-bundle.js';
import type { Step } from './workflows/index.js';

const test = base
  // eslint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures from the pattern
  .extend('ofFile', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await connectDevServer();
    /** Every delivery that was begun, by its webhook, and what it waits for. */
    const begun: { webhook: unknown; notification: PaymentNotification }[] = [];
    const held = new Map<unknown, Promise<void>>();
    const webhooks = {
      deliver: async (webhook: unknown, notification: PaymentNotification) => {
        begun.push({ webhook, notification });
        await held.get(webhook);
        return { kind: 'delivered' as const };
      },
    };
    const workflowsPath = fileURLToPath(new URL('./workflows/index.ts', import.meta.url));
    const shared = { ...server.place, dataConverter: testDataConverter };
    const workers = [
      await Worker.create({
        ...{ ...shared, taskQueue: server.taskQueue },
        workflowBundle: await testWorkflowBundle(workflowsPath),
      }),
      await Worker.create({
        ...{ ...shared, taskQueue: notificationTaskQueue(server.taskQueue) },
        activities: createNotificationActivities({ webhooks }),
      }),
    ];
    const running = Promise.all(workers.map((worker) => worker.run()));
    onCleanup(async () => {
      for (const worker of workers) worker.shutdown();
      await running;
      await server.close();
    });
    return { server, begun, held };
  })
  /** Notifies a webhook of its own, whose first calls can be held up. */
  .extend('teller', async ({ ofFile: { begun, held, server } }, { onCleanup }) => {
    const webhook = randomUUID();
    const begunOf = () => begun.filter((each) => each.webhook === webhook).map((each) => each.notification);
    const start = (type: 'teller' | 'impostor') =>
      server.client.workflow.start(type, {
        ...{ workflowId: `${type}-${webhook}`, taskQueue: server.taskQueue, args: [{ webhook }] },
      });
    const firstCalls = gate();
    onCleanup(firstCalls.open);
    return Promise.resolve({
      start,
      begun: begunOf,
      begunAtLeast: (count: number) => vi.waitUntil(() => begunOf().length >= count, waiting),
      holdUp: () => held.set(webhook, firstCalls.passed),
      /** The calls from now on are answered; those that were held up stay so until the test is over. */
      letOthersGo: () => held.delete(webhook),
    });
  });

test('a delivery under way at a continue-as-new is made again with the same id, then the next', async ({
  teller,
}) => {
  teller.holdUp();
  const handle = await teller.start('teller');
  const step = (next: Step) => handle.signal('step', next);
  await step({ status: 'one' });
  await step({ status: 'two' });
  await teller.begunAtLeast(1);
  teller.letOthersGo();
  await step('continue as new');
  await teller.begunAtLeast(3);
  const [first, again, next] = teller.begun();
  expect([first, again, next].map((each) => each?.sequence)).toEqual([1, 1, 2]);
  expect(again?.id).toBe(first?.id);
  await step({ status: 'three' });
  await teller.begunAtLeast(4);
  expect(teller.begun()[3]?.sequence).toBe(3);
  expect(new Set(teller.begun().map(({ id }) => id)).size).toBe(3);
  await step('close');
  await handle.result();
});

test('a payment with nothing left to deliver closes without a workflow for it', async ({ teller }) => {
  const handle = await teller.start('teller');
  await handle.signal<[Step]>('step', 'close');
  await handle.result();
  const { events } = await handle.fetchHistory();
  expect(events?.some((event) => event.startChildWorkflowExecutionInitiatedEventAttributes)).toBe(false);
});

test('a workflow that hands over notifications of another payment has none of them delivered', async ({
  teller,
}) => {
  await expect((await teller.start('impostor')).result()).rejects.toThrow();
  expect(teller.begun()).toEqual([]);
});
