import { describe, expect } from 'vitest';
import type { PaymentNotification } from '../../src/contract/notify.js';
import { maxWaitingNotifications } from '../../src/domain/notifications.js';
import { NotificationQueue } from '../../workflows/shared/notification-queue.js';
import { PaymentRecord } from '../../workflows/shared/payment-record.js';
import { readStartInput } from '../../workflows/shared/start-input.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';
import { runOf } from '../support/run-of.js';

type Payment = PaymentNotification['payment'];

const at = '2026-05-02T12:00:00.000Z';
const payment = (status: string, attention: Payment['attention'] = null): Payment => ({
  ...{ kind: 'payout', partner_code: 'p1', workflow_id: 'payout-p1', started_by: null, service_id: null },
  ...{ status, attention, value: 1, attempt: 1, cause: null },
});
const newQueue = () => {
  const queue = new NotificationQueue({ webhook: 'shop' }, 'run');
  queue.update(payment('submitting'), at);
  return queue;
};

test('of each change of status and each new attention there is one notification, numbered, and none of the start', () => {
  const queue = newQueue();
  queue.update(payment('claimed'), at);
  queue.update(payment('claimed'), at);
  queue.update(payment('error', 'payout_failed'), at);
  queue.update(payment('error', 'payout_failed'), at);
  queue.update(payment('error'), at);
  expect(queue.data.waiting.map(({ id, type, payment: { status } }) => [id, type, status])).toEqual([
    ['run-1', 'payment.status_changed', 'claimed'],
    ['run-2', 'payment.status_changed', 'error'],
    ['run-3', 'payment.attention', 'error'],
  ]);
});

test('only so many wait; the oldest that is not on its way is dropped', () => {
  const queue = newQueue();
  for (let i = 1; i <= maxWaitingNotifications; i += 1)
    expect(queue.update(payment(`s${String(i)}`), at)).toEqual([]);
  expect(queue.update(payment('next'), at)).toMatchObject([{ sequence: 2 }]);
  expect(queue.update(payment('last'), at)).toMatchObject([{ sequence: 3 }]);
  expect(queue.data.waiting).toHaveLength(maxWaitingNotifications);
  const sequences = queue.data.waiting.map(({ sequence }) => sequence);
  expect([...sequences.slice(0, 2), sequences.at(-1)]).toEqual([1, 4, maxWaitingNotifications + 2]);
});

test('a new run goes on with the next number, and with what waits', () => {
  const before = newQueue();
  before.update(payment('claimed'), at);
  const queue = new NotificationQueue({ webhook: 'shop' }, 'next-run', before.data);
  queue.update(payment('claimed'), at);
  queue.update(payment('done'), at);
  expect(queue.takeAll().map(({ id }) => id)).toEqual(['run-1', 'next-run-2']);
  expect(queue.first).toBeUndefined();
});

const notify = { webhook: 'shop' };

test('a notification that is dropped stands in the timeline of its payment', () => {
  const run = runOf('payout-p1');
  const record = new PaymentRecord(run, 'payout', readStartInput(run, 'payout', {}, { notify }, 14));
  for (let i = 0; i <= maxWaitingNotifications + 1; i += 1) {
    record.set({ status: `s${String(i)}` });
    record.notifyChanges(1);
  }
  expect(record.data.timeline.map(({ what }) => what)).toEqual([
    'The OMS was not notified of s2 (notification 2): too many wait',
  ]);
});

describe('an OMS', () => {
  test('is notified of each attempt with its number, its own identifier and the cause of its failure', async ({
    payouts,
    sandbox,
    stack,
  }) => {
    const code = freshCode();
    const payout = await payouts.start(code, '', { notify });
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'error');
    await payout.until(attentionIs('payout_failed'));
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(`${code}-r2`, 'done');
    await payout.until(statusIs('done'));
    const [first, second] = payouts.made(code).map(({ id }) => String(id));
    const queued = stack
      .notificationsOf(payout.workflowId)
      .map(({ payment: it }) => [it.status, it.attention, it.attempt, it.service_id, it.cause]);
    expect(queued).toEqual([
      ['claimed', null, 1, first, null],
      ['error', 'payout_failed', 1, first, 'service_error'],
      ['error', 'payout_failed', 1, first, 'service_error'],
      ['submitting', null, 2, null, null],
      ['claimed', null, 2, second, null],
      ['done', null, 2, second, null],
    ]);
  });
});
