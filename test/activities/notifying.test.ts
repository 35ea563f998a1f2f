import { ApplicationFailure } from '@temporalio/activity';
import { expect, test } from 'vitest';
import { createNotificationActivities } from '../../activities/index.js';
import type { PaymentNotification } from '../../src/contract/notify.js';
import type { Delivery } from '../../src/webhooks/webhook-sender.js';
import { firstDispatch } from './support.js';

const notification: PaymentNotification = {
  ...{ id: 'run-1', type: 'payment.status_changed', sequence: 1, at: '2026-01-01T00:00:00.000Z' },
  payment: {
    ...{ kind: 'payout', partner_code: 'p1', workflow_id: 'payout-p1', started_by: null, service_id: '77' },
    ...{ status: 'done', attention: null, value: 10.5, attempt: 1, cause: null },
  },
};
const activitiesWith = (delivery: Delivery) =>
  createNotificationActivities({
    webhooks: { deliver: () => Promise.resolve(delivery) },
  });

const failureAt = (attempt: number, delivery: Delivery) =>
  firstDispatch({ attempt })
    .run(activitiesWith(delivery).notifyOms, { webhook: 'shop', notification })
    .then(
      () => undefined,
      (error: unknown) => (error instanceof ApplicationFailure ? error : undefined),
    );

test('a notification that finds its webhook busy is tried again, and says why', async () => {
  const failure = await failureAt(1, { kind: 'busy', reason: 'Ten calls are under way.' });
  expect(failure).toMatchObject({
    type: 'NotDelivered',
    message: 'Ten calls are under way.',
    nonRetryable: false,
  });
  expect(failure?.nextRetryDelay).toBeGreaterThanOrEqual(10_000);
  expect(failure?.nextRetryDelay).toBeLessThanOrEqual(20_000);
});

test('a notification that was not taken is tried again when the retry policy says', async () => {
  const failure = await failureAt(1, { kind: 'failed', reason: 'The webhook shop answered 500.' });
  expect(failure).toMatchObject({ type: 'NotDelivered', nonRetryable: false });
  expect(failure?.nextRetryDelay).toBeUndefined();
});

test('a ping of a webhook that is busy was not delivered, and says why', async () => {
  const { pingWebhook } = activitiesWith({ kind: 'busy', reason: 'Ten calls are under way.' });
  expect(await pingWebhook({ id: 'run-1-ping', webhook: 'shop' })).toMatchObject({
    delivered: false,
    reason: 'Ten calls are under way.',
  });
});
