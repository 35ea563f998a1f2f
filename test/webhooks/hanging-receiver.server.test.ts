import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createNotificationActivities } from '../../activities/index.js';
import { maxCallsOfWebhook, notificationTaskQueue } from '../../src/domain/notifications.js';
import { createWebhookSender } from '../../src/webhooks/webhook-sender.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { connectDevServer, type DevServer } from '../support/temporal-dev-server.js';
import { waiting } from '../support/waiting.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { testWorkflowBundle } from '../support/workflow-bundle.js';

/** One more than one webhook may have. */
const slots = maxCallsOfWebhook + 1;

let server: DevServer;
let hanging: WebhookReceiver;
let other: WebhookReceiver;
let stop: () => Promise<void>;

beforeAll(async () => {
  server = await connectDevServer();
  [hanging, other] = [await startWebhookReceiver(), await startWebhookReceiver()];
  hanging.answerBy(() => undefined);
  const target = (name: string, { url, secret }: WebhookReceiver) => ({
    ...{ name, url, keys: null, secrets: [secret], mayBePrivate: false },
  });
  const webhooks = createWebhookSender({
    targets: [target('hanging', hanging), target('other', other)],
    allowLoopback: true,
    // A call that hangs does so for as long as the test.
    totalMs: 2 * waiting.timeout,
  });
  const shared = { ...server.place, dataConverter: testDataConverter };
  const workflowsPath = fileURLToPath(new URL('./workflows/index.ts', import.meta.url));
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
      maxConcurrentActivityTaskExecutions: slots,
    }),
  ];
  const running = Promise.all(workers.map((worker) => worker.run()));
  stop = async () => {
    for (const worker of workers) worker.shutdown();
    await running;
  };
});
afterAll(async () => {
  await hanging.close();
  await stop();
  await other.close();
  await server.close();
});

async function notify(webhook: string) {
  const handle = await server.client.workflow.start('teller', {
    workflowId: `teller-${randomUUID()}`,
    taskQueue: server.taskQueue,
    args: [{ webhook }],
  });
  await handle.signal('step', { status: 'one' });
  return handle;
}

test('a receiver that hangs leaves room for another, and what it has no room for waits', async () => {
  const toHanging = await Promise.all(Array.from({ length: 2 * slots }, () => notify('hanging')));
  await vi.waitUntil(() => hanging.received.length >= maxCallsOfWebhook, waiting);
  const toOther = await notify('other');
  await vi.waitUntil(() => other.received.length > 0, waiting);
  expect(hanging.received).toHaveLength(maxCallsOfWebhook);

  const failureOf = async (handle: (typeof toHanging)[number]) => {
    const { raw } = await handle.describe();
    return raw.pendingActivities?.[0]?.lastFailure?.applicationFailureInfo?.type;
  };
  await vi.waitUntil(
    async () => (await Promise.all(toHanging.map(failureOf))).includes('NotDelivered'),
    waiting,
  );
  for (const handle of [...toHanging, toOther]) await handle.terminate('The test is over.');
});
