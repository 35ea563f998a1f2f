import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PaymentNotification } from '../../../src/contract/notify.js';
import { bulkTaskQueue } from '../../../src/domain/call-limits.js';
import { notificationTaskQueue } from '../../../src/domain/notifications.js';
import { freshCode } from '../../support/requests.js';
import { startWebhookDeployment, type WebhookDeployment } from '../../support/webhook-deployment.js';
import { accept, answerStatus } from '../../support/webhook-receiver.js';

let stack: WebhookDeployment;
beforeAll(async () => {
  stack = await startWebhookDeployment();
});
beforeEach(() => stack.receiver.answerBy(accept));
afterEach(({ task }) => stack.finish(task.meta.history));
afterAll(() => stack.close());

/** A payout that has notified of its first status, and that notification. */
async function notified(): Promise<{ code: string; genuine: PaymentNotification }> {
  const code = await stack.start([]);
  const [genuine] = await stack.until(
    () => stack.received(code),
    (seen) => seen.length > 0,
  );
  if (genuine === undefined) throw new Error('Nothing was received.');
  return { code, genuine };
}

/** Starts the workflow by its type and with every default, as any SDK may; answers how it failed, null when it did not. */
async function startBare(input: unknown, workflowId = `notification-${freshCode()}`): Promise<string | null> {
  const { client, taskQueue } = stack.deployment.server;
  const handle = await client.workflow.start('notification', { workflowId, taskQueue, args: [input] });
  try {
    await handle.result();
    return null;
  } catch (error) {
    const cause = error instanceof WorkflowFailedError ? error.cause : undefined;
    if (!(cause instanceof ApplicationFailure)) throw error;
    return `${String(cause.type)}: ${cause.message}`;
  }
}

const refused = 'NotOfPayment: Not sent: this payment’s history does not show';
const webhook = 'shop';

describe('the workflow `notification` that an SDK has started', () => {
  test('has nothing signed that its payment has not notified of, whatever is changed in it', async () => {
    const { code, genuine } = await notified();
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
    const before = stack.receiver.received.length;
    for (const each of forged)
      expect(await startBare({ notify: { webhook }, notifications: [each] }), JSON.stringify(each)).toContain(
        refused,
      );
    expect(stack.receiver.received.slice(before)).toEqual([]);
    expect(stack.received(code)).toEqual([genuine]);
  });

  test('has nothing signed for another webhook than that of the payment', async () => {
    const { genuine } = await notified();
    const before = stack.receiver.received.length;
    const notify = { webhook: stack.receiver.url };
    expect(await startBare({ notify, notifications: [genuine] })).toContain(refused);
    expect(stack.receiver.received).toHaveLength(before);
  });

  test('proves nothing to one that is started as a resend of the same payment', async () => {
    const { genuine } = await notified();
    const { workflow_id: payout } = genuine.payment;
    const notifications = [{ ...genuine, sequence: 2, payment: { ...genuine.payment, status: 'done' } }];
    const before = stack.receiver.received.length;
    for (const resend of ['one', 'two'])
      expect(
        await startBare({ notify: { webhook }, notifications }, `webhook-resend-${resend}:${payout}`),
      ).toContain(refused);
    expect(stack.receiver.received).toHaveLength(before);
  });

  test.for([
    { notify: { workflow_id: 'oms-1', signal: 'paid' }, notifications: [{ payment: { status: 'done' } }] },
    { notify: { webhook }, notifications: [] },
    { notify: { webhook }, notifications: ['done'] },
    { notify: { webhook } },
    { notifications: [{ payment: { status: 'done' } }] },
    'nothing',
  ])('with %j fails at once', async (input) => {
    expect(await startBare(input)).toContain(refused);
  });

  test('delivers once more what its payment did notify of, as a resend does', async () => {
    const { code, genuine } = await notified();
    expect(
      await startBare({ notify: { webhook }, notifications: [{ ...genuine, resent: true }] }),
    ).toBeNull();
    expect(stack.received(code)).toEqual([genuine, { ...genuine, resent: true }]);
  });

  test('delivers what a closed payment had handed over, also what its receiver has never taken', async () => {
    stack.receiver.answerBy(answerStatus(503));
    const code = await stack.start(['done'], { watchDays: 0 });
    const { notifications } = await stack.until(
      () => stack.payments.notifiedPayment(`payout-${code}`).notifications(),
      (seen) => seen.notifications.length === 2,
    );
    stack.receiver.answerBy(accept);
    const again = notifications.map(({ delivery: _, webhook: __, ...each }) => ({ ...each, resent: true }));
    const workflowId = `notification-${freshCode()}`;
    expect(await startBare({ notify: { webhook }, notifications: again }, workflowId)).toBeNull();
    const { client, taskQueue } = stack.deployment.server;
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    const activities = events?.flatMap(({ activityTaskScheduledEventAttributes: one }) => one ?? []);
    // The proof is one for all, and takes no slot of the deliveries.
    expect(
      activities?.map(({ activityType, taskQueue: queue }) => [activityType?.name, queue?.name]),
    ).toEqual([
      ['checkOrigin', bulkTaskQueue(taskQueue)],
      ['notifyOms', notificationTaskQueue(taskQueue)],
      ['notifyOms', notificationTaskQueue(taskQueue)],
    ]);
    const resent = stack.received(code).filter((each) => each.resent);
    expect(resent.map(({ sequence, payment }) => [sequence, payment.status])).toEqual([
      [1, 'claimed'],
      [2, 'done'],
    ]);
  });
});
