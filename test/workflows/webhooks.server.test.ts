import { describe, expect, vi } from 'vitest';
import type { PaymentsClient } from '../../src/client.js';
import type { WebhookResendInput } from '../../src/contract/webhook-resend.js';
import { recordedAs } from '../support/keep-histories.js';
import { freshCode } from '../support/requests.js';
import { waiting } from '../support/waiting.js';
import { test } from '../support/webhook-deployment.js';
import { accept, answerStatus } from '../support/webhook-receiver.js';

/** Resends and answers the state at its end. */
async function resend(payments: PaymentsClient, more: Partial<WebhookResendInput>) {
  const id = freshCode();
  await payments.startWebhookResend({ resend_id: id, by: 'ana', ...more });
  return vi.waitUntil(async () => {
    const state = await payments.webhookResend(id).state();
    return state.closed && state;
  }, waiting);
}

describe('the notifications of one payment', () => {
  test(
    'that were given up are sent again as they were; those that still wait are tried at once, in order, and once',
    recordedAs('notifications-resent'),
    async ({ oms, payments, receiver }) => {
      receiver.answerBy(answerStatus(503));
      const code = await oms.start(['processing', 'done']);
      const workflowId = `payout-${code}`;
      await oms.untilReceived(code, 1);
      await oms.giveUp(workflowId);
      await oms.untilDeliveries(code, [1, 'claimed', 'given_up'], [2, 'processing', 'waiting']);
      await oms.delayNextAttempt(workflowId);
      receiver.answerBy(accept);
      const before = oms.received(code);

      const undelivered = { workflow_id: workflowId, undelivered: true };
      expect(await resend(payments, undelivered)).toMatchObject({
        status: 'finished',
        by: 'ana',
        counts: { payments: 1, resent: 1, waiting: 1, unreadable: 0 },
      });
      await oms.untilReceived(code, before.length + 3);
      const sent = oms.receivedSince(code, before.length);
      expect(sent).toHaveLength(3);
      expect(sent).toContainEqual([1, 'claimed', true]);
      expect(sent.filter(([, , resent]) => resent === false)).toEqual([
        [2, 'processing', false],
        [3, 'done', false],
      ]);
      expect(oms.received(code).find(({ resent }) => resent)).toEqual({ ...before[0], resent: true });

      await oms.untilDeliveries(
        code,
        [1, 'claimed', 'delivered'],
        [2, 'processing', 'delivered'],
        [3, 'done', 'delivered'],
      );
      const { counts } = await resend(payments, undelivered);
      expect(counts).toMatchObject({ payments: 1, resent: 0, waiting: 0 });
    },
  );
});

test('a delivery under way when a payment continues as new is made again with the same id, then the next', async ({
  deployment: { heldUp, server },
  oms,
  receiver,
}) => {
  const { passed } = heldUp();
  receiver.answerBy((request, response) => void passed.then(() => accept(request, response)));
  const code = await oms.start(['processing']);
  await oms.untilReceived(code, 1);
  receiver.answerBy(accept);
  const payout = server.client.workflow.getHandle(`payout-${code}`);
  const runOf = async () => (await payout.describe()).runId;
  const first = await runOf();
  // Not more than make it continue as new: it can't while more come.
  await Promise.all(Array.from({ length: 1_000 }, () => payout.signal('statusHint', { source: 'test' })));
  await vi.waitUntil(async () => (await runOf()) !== first, waiting);
  await oms.untilReceived(code, 3);
  expect(oms.receivedSince(code, 0)).toEqual([
    [1, 'claimed', false],
    [1, 'claimed', false],
    [2, 'processing', false],
  ]);
  const [held, again] = oms.received(code);
  expect(again).toEqual(held);
});

test('the notifications of all payments since a moment are sent again for closed and terminated ones as well, of one owner alone', async ({
  deployment: { server },
  oms,
  payments,
  receiver,
}) => {
  const since = new Date().toISOString();
  const owner = freshCode();
  const closed = await oms.start(['done'], { owner, watchDays: 0 });
  const foreign = await oms.start([], { owner: freshCode() });
  await oms.untilReceived(foreign, 1);
  await oms.untilDeliveries(closed, [1, 'claimed', 'delivered'], [2, 'done', 'delivered']);
  receiver.answerBy(answerStatus(503));
  const terminated = await oms.start([], { owner });
  await oms.untilReceived(terminated, 1);
  await server.client.workflow.getHandle(`payout-${terminated}`).terminate();
  await vi.waitUntil(async () => {
    const changes = await payments.changes({ since, owner });
    return changes.payments.filter((each) => each.closed).length === 2;
  }, waiting);
  receiver.answerBy(accept);
  const before = oms.received(terminated).length;

  const undelivered = await resend(payments, { seen_after: since, owner, undelivered: true });
  expect(undelivered.counts).toEqual({ payments: 2, resent: 1, waiting: 0, unreadable: 0 });
  await oms.untilReceived(terminated, before + 1);
  expect(oms.receivedSince(terminated, before)[0]).toEqual([1, 'claimed', true]);
  const all = await resend(payments, { seen_after: since, owner });
  expect(all.counts).toMatchObject({ payments: 2 });
  await oms.untilReceived(closed, 4);
  expect(oms.receivedSince(closed, 2)).toEqual([
    [1, 'claimed', true],
    [2, 'done', true],
  ]);
  expect(oms.received(foreign)).toHaveLength(1);
  const later = await resend(payments, { seen_after: new Date().toISOString(), owner });
  expect(later.counts).toMatchObject({ resent: 0, waiting: 0 });
});

test(
  'a ping is signed, about no payment, and answered',
  recordedAs('webhook-pinged'),
  async ({ payments, receiver }) => {
    const result = await payments.pingWebhook({ webhook: 'shop' });
    expect(result).toMatchObject({ webhook: 'shop', delivered: true, reason: null });
    expect(receiver.pings).toEqual([{ id: result.id, type: 'webhook.ping', at: result.at }]);
  },
);
