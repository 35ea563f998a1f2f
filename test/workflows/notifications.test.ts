import type { WorkflowHandle } from '@temporalio/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import type { PaymentNotification } from '../../src/contract/notify.js';
import { createWebhookSender } from '../../src/webhooks/webhook-sender.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { accept, answerStatus, startWebhookReceiver } from '../support/webhook-receiver.js';
import type { WebhookReceiver } from '../support/webhook-receiver.js';

let receiver: WebhookReceiver;
let rig: PaymentRig;
const open: WorkflowHandle[] = [];
// A rig for each test: a server that has skipped the retries of an activity may not find back to its clock.
beforeEach(async () => {
  receiver = await startWebhookReceiver();
  const target = { name: 'shop', url: receiver.url, secrets: [receiver.secret], mayBePrivate: false };
  const webhooks = createWebhookSender({ targets: [target], allowLoopback: true });
  rig = await startPaymentRig({ webhooks });
});
afterEach(async () => {
  try {
    // A delivery that waits for its next attempt would never be idle.
    for (const handle of open.splice(0)) await handle.terminate().catch(() => undefined);
    await rig.finish('all');
  } finally {
    await rig.close();
    await receiver.close();
  }
});

const start = async (code: string, more: object = { notify: { webhook: 'shop' } }) => {
  const handle = await rig.start('payout', `payout-${code}`, pixPayout(code, '', more));
  open.push(handle);
  return handle;
};
const statusIs = (status: string) => (state: PayoutState) => state.status === status;
const receivedOf = (code: string) =>
  receiver.received.filter(({ notification }) => notification.payment.partner_code === code);
const toldOf = (code: string) =>
  receivedOf(code).map(({ notification: { sequence, payment } }) => [sequence, payment.status]);

/** Lets time pass until as much was received. */
async function untilReceived(handle: WorkflowHandle, code: string, count: number, step = '1 minute') {
  await rig.until(handle, () => receivedOf(code).length >= count, step);
}

describe('an OMS with a webhook', () => {
  test('is told of each change of status in order, and of nothing personal', async () => {
    const code = freshCode();
    const handle = await start(code);
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(code, 'processing');
    await rig.until(handle, statusIs('processing'));
    rig.sandbox.setPayoutStatus(code, 'done');
    const done = await rig.until(handle, statusIs('done'));
    await untilReceived(handle, code, 3);
    expect(toldOf(code)).toEqual([
      [1, 'claimed'],
      [2, 'processing'],
      [3, 'done'],
    ]);
    const last = receivedOf(code).at(-1);
    expect(last).toEqual({
      id: last?.notification.id,
      notification: {
        id: expect.stringMatching(/-3$/) as string,
        type: 'payment.status_changed',
        sequence: 3,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
        payment: {
          kind: 'payout',
          partner_code: code,
          workflow_id: `payout-${code}`,
          service_id: done.service_id,
          status: 'done',
          attention: null,
          value: 150.25,
          attempt: 1,
          cause: null,
        },
      } satisfies PaymentNotification,
    });
    expect(JSON.stringify(receivedOf(code))).not.toMatch(/maria|52998224725|5511987654321/i);
    expect(new Set(receivedOf(code).map(({ id }) => id)).size).toBe(3);
  });

  test('is told when a person is needed', async () => {
    const code = freshCode();
    const handle = await start(code);
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(code, 'error');
    await rig.until(handle, (state: PayoutState) => state.attention === 'payout_failed');
    await untilReceived(handle, code, 3);
    const attention = receivedOf(code).find(({ notification: { type } }) => type === 'payment.attention');
    expect(attention?.notification.payment).toMatchObject({ status: 'error', attention: 'payout_failed' });
  });

  test('that is down for hours delays no payment, and is told everything in order when it is back', async () => {
    const code = freshCode();
    receiver.answerBy(answerStatus(503));
    const handle = await start(code);
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(code, 'processing');
    await rig.until(handle, statusIs('processing'));
    rig.sandbox.setPayoutStatus(code, 'done');
    await rig.until(handle, statusIs('done'));
    await untilReceived(handle, code, 8, '1 hour');
    expect(new Set(receivedOf(code).map(({ id }) => id)).size).toBe(1);
    expect(toldOf(code).every(([sequence]) => sequence === 1)).toBe(true);

    receiver.answerBy(accept);
    const before = receivedOf(code).length;
    await untilReceived(handle, code, before + 3, '1 hour');
    expect(toldOf(code).slice(before)).toEqual([
      [1, 'claimed'],
      [2, 'processing'],
      [3, 'done'],
    ]);
  });

  test('that is down for days is given up for one change, which the timeline says, and told of the next', async () => {
    const code = freshCode();
    receiver.answerBy(answerStatus(500));
    const handle = await start(code);
    await rig.until(handle, statusIs('claimed'));
    const gaveUp = await rig.until(
      handle,
      (state: PayoutState) => state.timeline.some(({ what }) => what.includes('was not notified')),
      '6 hours',
    );
    expect(gaveUp.timeline.find(({ what }) => what.includes('was not notified'))?.what).toBe(
      'The OMS was not notified of claimed (notification 1): The webhook shop answered 500.',
    );
    receiver.answerBy(accept);
    const before = receivedOf(code).length;
    rig.sandbox.setPayoutStatus(code, 'done');
    await rig.until(handle, statusIs('done'), '6 hours');
    await untilReceived(handle, code, before + 1, '1 hour');
    expect(toldOf(code).at(-1)?.[1]).toBe('done');
  });

  test('that is on no list gets nothing, and the payment goes on', async () => {
    const code = freshCode();
    const handle = await start(code, { notify: { webhook: 'https://evil.example/' } });
    await rig.until(handle, statusIs('claimed'), '1 second');
    rig.sandbox.setPayoutStatus(code, 'done');
    await handle.signal('statusHint', { source: 'test' });
    await rig.until(handle, statusIs('done'), '1 second');
    expect(receiver.received).toEqual([]);
  });
});

describe('a payment that closes before the OMS was told', () => {
  const closing = { watch_days: 0, notify: { webhook: 'shop' } };

  test('answers its result without delay, and the OMS is told in order all the same', async () => {
    const code = freshCode();
    receiver.answerBy(answerStatus(503));
    const handle = await start(code, closing);
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(code, 'done');
    await handle.signal('statusHint', { source: 'test' });
    const result = await rig.result<PayoutState>(handle, '1 second');
    expect(result).toMatchObject({ status: 'done', closed: true });

    receiver.answerBy(accept);
    const before = receivedOf(code).length;
    await untilReceived(handle, code, before + 2, '1 second');
    expect(toldOf(code).slice(before)).toEqual([
      [1, 'claimed'],
      [2, 'done'],
    ]);
  });

  test('tells of a refusal of its input too', async () => {
    const code = freshCode();
    const handle = await start(code, { ...closing, document: '52998224726' });
    expect(await rig.result<PayoutState>(handle, '1 second')).toMatchObject({ attention: 'invalid_input' });
    await untilReceived(handle, code, 2, '1 second');
    expect(receivedOf(code).map(({ notification: { type } }) => type)).toEqual([
      'payment.status_changed',
      'payment.attention',
    ]);
  });
});

describe('an OMS with a workflow', () => {
  test('that is not there is noted, and the payment goes on', async () => {
    const code = freshCode();
    const handle = await start(code, { notify: { workflow_id: 'nobody', signal: 'paymentChanged' } });
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(code, 'done');
    const done = await rig.until(handle, statusIs('done'));
    expect(done.timeline.filter(({ what }) => what.includes('The OMS was not notified'))).not.toEqual([]);
  });

  test('is sent each change as a signal', async () => {
    const code = freshCode();
    const handle = await start(code, { notify: { workflow_id: 'oms-1', signal: 'paymentChanged' } });
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(code, 'done');
    await rig.until(handle, statusIs('done'));
    const { events } = await handle.fetchHistory();
    const signals = (events ?? []).flatMap(
      ({ signalExternalWorkflowExecutionInitiatedEventAttributes: signal }) => signal ?? [],
    );
    expect(signals.map(({ workflowExecution }) => workflowExecution?.workflowId)).toEqual(['oms-1', 'oms-1']);
    expect(signals.map(({ signalName }) => signalName)).toEqual(['paymentChanged', 'paymentChanged']);
  });

  test.for(['retryPayout', 'postbackReceived', 'statusHint', '__x'])(
    'can’t be a payment that is commanded by %s',
    async (signal) => {
      const code = freshCode();
      const handle = await start(code, { notify: { workflow_id: 'payout-x', signal } });
      expect(await rig.result<PayoutState>(handle)).toMatchObject({ attention: 'invalid_input' });
    },
  );
});

describe('a payment that has nobody to tell', () => {
  test('costs not one event for it', async () => {
    const code = freshCode();
    const handle = await start(code, { watch_days: 0 });
    await rig.until(handle, statusIs('claimed'), '1 second');
    rig.sandbox.setPayoutStatus(code, 'done');
    await handle.signal('statusHint', { source: 'test' });
    await rig.result<PayoutState>(handle, '1 second');
    const { events } = await handle.fetchHistory();
    const activities = (events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
    );
    expect(new Set(activities)).toEqual(new Set(['createPixPayout']));
    const telling = (events ?? []).filter(
      (event) =>
        event.startChildWorkflowExecutionInitiatedEventAttributes ??
        event.signalExternalWorkflowExecutionInitiatedEventAttributes,
    );
    expect(telling).toEqual([]);
  });
});
