import { fileURLToPath } from 'node:url';
import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { describe, expect, vi } from 'vitest';
import type { PaymentNotification } from '../../../src/contract/notify.js';
import { bulkTaskQueue } from '../../../src/domain/call-limits.js';
import { notificationTaskQueue } from '../../../src/domain/notifications.js';
import { freshCode } from '../../support/requests.js';
import { testDataConverter } from '../../support/temporal-data-converter.js';
import { noteStarted } from '../../support/temporal-dev-server.js';
import { waiting } from '../../support/waiting.js';
import { test as base } from '../../support/webhook-deployment.js';
import { accept, answerStatus } from '../../support/webhook-receiver.js';
import { testWorkflowBundle } from '../../support/workflow-bundle.js';

const test = base
  /** Starts the workflow by its type and with every default, as any SDK may; answers how it failed, null when it did not. */
  .extend('startBare', ({ deployment: { server } }) => {
    const { client, taskQueue } = server;
    return async (input: unknown, workflowId = `notification-${freshCode()}`): Promise<string | null> => {
      const handle = await client.workflow.start('notification', { workflowId, taskQueue, args: [input] });
      try {
        await handle.result();
        return null;
      } catch (error) {
        const cause = error instanceof WorkflowFailedError ? error.cause : undefined;
        if (!(cause instanceof ApplicationFailure)) throw error;
        return `${String(cause.type)}: ${cause.message}`;
      }
    };
  })
  /** What a payout has notified of its first status. */
  .extend('genuine', async ({ oms }): Promise<PaymentNotification> => {
    const code = await oms.start([]);
    return vi.waitUntil(() => oms.received(code)[0], waiting);
  });

const refused = 'NotOfPayment: Not sent: this payment’s history does not show';
const webhook = 'shop';

describe('the workflow `notification` that an SDK has started', () => {
  test('has nothing signed that its payment has not notified of, whatever is changed in it, nor for another webhook', async ({
    genuine,
    receiver,
    startBare,
  }) => {
    const { payment } = genuine;
    const forged: object[] = [
      { ...genuine, payment: { ...payment, status: 'done' } },
      { ...genuine, payment: { ...payment, value: 0.01 } },
      { ...genuine, payment: { ...payment, started_by: 'another' } },
      { ...genuine, payment: { ...payment, workflow_id: `payout-${freshCode()}` } },
      { ...genuine, payment: { ...payment, workflow_id: 'token-renewal' } },
      { ...genuine, sequence: 7 },
      { ...genuine, id: 'another' },
      { payment },
    ];
    const before = receiver.received.length;
    const inputs = [
      ...forged.map((each) => ({ notify: { webhook }, notifications: [each] })),
      { notify: { webhook: receiver.url }, notifications: [genuine] },
    ];
    for (const input of inputs) expect(await startBare(input), JSON.stringify(input)).toContain(refused);
    expect(receiver.received).toHaveLength(before);
  });

  test('proves nothing to one that is started as a resend of the same payment', async ({
    genuine,
    receiver,
    startBare,
  }) => {
    const { workflow_id: payout } = genuine.payment;
    const notifications = [{ ...genuine, sequence: 2, payment: { ...genuine.payment, status: 'done' } }];
    const before = receiver.received.length;
    for (const resend of ['one', 'two'])
      expect(
        await startBare({ notify: { webhook }, notifications }, `webhook-resend-${resend}:${payout}`),
      ).toContain(refused);
    expect(receiver.received).toHaveLength(before);
  });

  test.for([
    { notify: { workflow_id: 'oms-1', signal: 'paid' }, notifications: [{ payment: { status: 'done' } }] },
    { notify: { webhook }, notifications: [] },
    { notify: { webhook }, notifications: ['done'] },
    { notify: { webhook } },
    { notifications: [{ payment: { status: 'done' } }] },
    'nothing',
  ])('with %j fails at once', async (input, { startBare }) => {
    expect(await startBare(input)).toContain(refused);
  });

  test('delivers what a closed payment had handed over, also what its receiver has never taken', async ({
    deployment: { server },
    oms,
    payments,
    receiver,
    startBare,
  }) => {
    receiver.answerBy(answerStatus(503));
    const code = await oms.start(['done'], { watchDays: 0 });
    const { notifications } = await vi.waitUntil(async () => {
      const seen = await payments.notifiedPayment(`payout-${code}`).notifications();
      return seen.notifications.length === 2 && seen;
    }, waiting);
    receiver.answerBy(accept);
    const again = notifications.map(({ delivery: _, webhook: __, ...each }) => ({ ...each, resent: true }));
    const workflowId = `notification-${freshCode()}`;
    expect(await startBare({ notify: { webhook }, notifications: again }, workflowId)).toBeNull();
    const { events } = await server.client.workflow.getHandle(workflowId).fetchHistory();
    const activities = events?.flatMap(({ activityTaskScheduledEventAttributes: one }) => one ?? []);
    // The proof is one for all, and takes no slot of the deliveries.
    expect(
      activities?.map(({ activityType, taskQueue: queue }) => [activityType?.name, queue?.name]),
    ).toEqual([
      ['checkOrigin', bulkTaskQueue(server.taskQueue)],
      ['notifyOms', notificationTaskQueue(server.taskQueue)],
      ['notifyOms', notificationTaskQueue(server.taskQueue)],
    ]);
    expect(oms.received(code).filter((each) => each.resent)).toEqual(again);
    expect(again.map(({ sequence, payment }) => [sequence, payment.status])).toEqual([
      [1, 'claimed'],
      [2, 'done'],
    ]);
  });
});

test('a workflow that hands over notifications of another payment has none of them delivered', async ({
  deployment: { server },
  genuine,
  receiver,
}) => {
  const taskQueue = `impostors-${freshCode()}`;
  const path = fileURLToPath(new URL('../../webhooks/workflows/index.ts', import.meta.url));
  const worker = await Worker.create({
    ...{ ...server.place, dataConverter: testDataConverter, taskQueue },
    workflowBundle: await testWorkflowBundle(path),
  });
  const input = { notify: { webhook }, notifications: [genuine] };
  const before = receiver.received.length;
  // By a client of its own: its code is not ours to replay.
  const { client } = noteStarted(server);
  const failure: unknown = await worker.runUntil(() =>
    client.workflow
      .execute('impostor', {
        workflowId: `payout-${freshCode()}`,
        taskQueue,
        args: [server.taskQueue, input],
      })
      .catch((error: unknown) => error),
  );
  expect(failure).toMatchObject({ cause: { cause: { type: 'NotOfPayment' } } });
  expect(receiver.received).toHaveLength(before);
});
