import { expect, test } from 'vitest';
import { createNotificationActivities } from '../../activities/index.js';
import { selectNotifiedPayments } from '../../activities/select-notified-payments.js';
import type { Delivery } from '../../src/webhooks/webhook-sender.js';
import { notification } from '../support/webhook-receiver.js';
import { failureOf, firstDispatch } from './support.js';

const activitiesWith = (delivery: Delivery) =>
  createNotificationActivities({ webhooks: { deliver: () => Promise.resolve(delivery) } });

const busy: Delivery = { kind: 'busy', reason: 'Ten calls are under way.' };
const failed: Delivery = { kind: 'failed', reason: 'The webhook shop answered 503.' };

const failureBy = (delivery: Delivery) =>
  failureOf(firstDispatch().run(activitiesWith(delivery).notifyOms, { webhook: 'shop', notification }));

test('a notification that finds its webhook busy is tried again, and says why', async () => {
  const failure = await failureBy(busy);
  expect(failure).toMatchObject({ type: 'NotDelivered', message: busy.reason, nonRetryable: false });
  expect(failure.nextRetryDelay).toBeGreaterThanOrEqual(10_000);
  expect(failure.nextRetryDelay).toBeLessThanOrEqual(20_000);
});

test('a notification that was not taken is tried again when the retry policy says', async () => {
  const failure = await failureBy(failed);
  expect(failure).toMatchObject({ type: 'NotDelivered', nonRetryable: false });
  expect(failure.nextRetryDelay).toBeUndefined();
});

test.for([busy, failed])('a ping that ends as %j was not delivered, and says why', async (delivery) => {
  const { pingWebhook } = activitiesWith(delivery);
  expect(await pingWebhook({ id: 'run-1-ping', webhook: 'shop' })).toMatchObject({
    delivered: false,
    reason: delivery.reason,
  });
});

test('what an SDK starts as a resend, and can not be used as one, sends nothing and is not tried again', async () => {
  const select = selectNotifiedPayments({ changedPayments: () => Promise.reject(new Error('not searched')) });
  await expect(select({ input: { resend_id: 'x', by: 'ana' }, since: null })).rejects.toMatchObject({
    ...{ type: 'InvalidInput', nonRetryable: true },
  });
});
