import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { recordedAs } from '../support/keep-histories.js';
import { startWebhookDeployment, type WebhookDeployment } from '../support/webhook-deployment.js';
import { accept, answerStatus } from '../support/webhook-receiver.js';

let stack: WebhookDeployment;
beforeAll(async () => {
  stack = await startWebhookDeployment();
});
afterEach(({ task }) => stack.finish(task.meta.history));
afterAll(() => stack.close());

test('a ping is signed, about no payment, and answered', recordedAs('webhook-pinged'), async () => {
  stack.receiver.answerBy(accept);
  const result = await stack.payments.pingWebhook({ webhook: 'shop' });
  expect(result).toMatchObject({ webhook: 'shop', delivered: true, reason: null });
  expect(stack.receiver.pings).toEqual([{ id: result.id, type: 'webhook.ping', at: result.at }]);
});

test('a ping that is not taken says why, and is not made again', async () => {
  stack.receiver.answerBy(answerStatus(503));
  const before = stack.receiver.pings.length;
  expect(await stack.payments.pingWebhook({ webhook: 'shop' })).toMatchObject({
    delivered: false,
    reason: 'The webhook shop answered 503.',
  });
  expect(stack.receiver.pings).toHaveLength(before + 1);
});

test('a ping of what is on no list is not made', async () => {
  expect(await stack.payments.pingWebhook({ webhook: 'https://evil.example/' })).toMatchObject({
    delivered: false,
    reason:
      'The webhook is not one of NOTIFY_TARGETS, or not for payments of its owner, so it is not called.',
  });
});
