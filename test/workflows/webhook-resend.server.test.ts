import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPaymentsClient } from '../../src/client.js';
import type { WebhookResendInput } from '../../src/contract/webhook-resend.js';
import { recordedAs } from '../support/keep-histories.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { startWebhookDeployment, type WebhookDeployment } from '../support/webhook-deployment.js';
import { accept, answerStatus } from '../support/webhook-receiver.js';

let stack: WebhookDeployment;
beforeAll(async () => {
  stack = await startWebhookDeployment();
});
beforeEach(() => {
  stack.receiver.answerBy(accept);
});
afterEach(({ task }) => stack.finish(task.meta.history));
afterAll(() => stack.close());

const resend = async (more: Partial<WebhookResendInput>) => {
  const id = freshCode();
  await stack.payments.startWebhookResend({ resend_id: id, by: 'ana', ...more });
  return stack.finished(id);
};
const untilReceived = (code: string, count: number) =>
  stack.until(
    () => stack.received(code).length,
    (seen) => seen >= count,
  );
const untilDelivered = (code: string, expected: unknown[]) =>
  stack.until(
    () => stack.deliveries(code),
    (seen) => JSON.stringify(seen) === JSON.stringify(expected),
  );

describe('the notifications of one payment', () => {
  test(
    'that were given up are sent again, with the id and sequence that they had, and then count as delivered',
    recordedAs('notifications-resent'),
    async () => {
      stack.receiver.answerBy(answerStatus(503));
      const code = await stack.start(['processing']);
      const workflowId = `payout-${code}`;
      await untilReceived(code, 1);
      await stack.giveUp(workflowId);
      await untilDelivered(code, [
        [1, 'claimed', 'given_up'],
        [2, 'processing', 'waiting'],
      ]);
      await stack.delayNextAttempt(workflowId);
      stack.receiver.answerBy(accept);
      const before = stack.received(code);

      const state = await resend({ workflow_id: workflowId, undelivered: true });
      expect(state).toMatchObject({
        status: 'finished',
        by: 'ana',
        counts: { payments: 1, resent: 1, waiting: 1, unreadable: 0 },
      });
      await untilReceived(code, before.length + 2);
      const sent = stack.receivedSince(code, before.length);
      expect(sent).toHaveLength(2);
      expect(sent).toContainEqual([1, 'claimed', true]);
      expect(sent).toContainEqual([2, 'processing', false]);
      const [first] = before;
      expect(stack.received(code).filter(({ sequence }) => sequence === 1)).toEqual([
        ...before.filter(({ sequence }) => sequence === 1),
        { ...first, resent: true },
      ]);

      await untilDelivered(code, [
        [1, 'claimed', 'delivered'],
        [2, 'processing', 'delivered'],
      ]);
      expect((await resend({ workflow_id: workflowId, undelivered: true })).counts).toMatchObject({
        payments: 1,
        resent: 0,
        waiting: 0,
      });
    },
  );

  test('that still wait are tried at once, in their order, and not sent a second time', async () => {
    stack.receiver.answerBy(answerStatus(503));
    const code = await stack.start(['processing', 'done']);
    await untilReceived(code, 1);
    await stack.delayNextAttempt(`payout-${code}`);
    stack.receiver.answerBy(accept);
    const before = stack.received(code).length;
    const { counts } = await resend({ workflow_id: `payout-${code}` });
    expect(counts).toMatchObject({ resent: 0, waiting: 1 });
    await untilReceived(code, before + 3);
    expect(stack.receivedSince(code, before)).toEqual([
      [1, 'claimed', false],
      [2, 'processing', false],
      [3, 'done', false],
    ]);
  });

  test('are sent again by a range of their sequence, in order; the payment notices nothing', async () => {
    const code = await stack.start(['processing', 'done']);
    await untilReceived(code, 3);
    const payout = stack.deployment.server.client.workflow.getHandle(`payout-${code}`);
    const messages = async () =>
      (await payout.fetchHistory()).events?.filter(
        (event) =>
          event.workflowExecutionSignaledEventAttributes != null ||
          event.workflowExecutionUpdateAcceptedEventAttributes != null,
      ).length;
    await untilDelivered(code, [
      [1, 'claimed', 'delivered'],
      [2, 'processing', 'delivered'],
      [3, 'done', 'delivered'],
    ]);
    const before = await messages();
    const range = { workflow_id: `payout-${code}`, sequence_from: 2, sequence_to: 3 };
    const { counts } = await resend(range);
    expect(counts).toMatchObject({ payments: 1, resent: 2, waiting: 0 });
    expect(await messages()).toBe(before);
    await untilReceived(code, 5);
    expect(stack.receivedSince(code, 3)).toEqual([
      [2, 'processing', true],
      [3, 'done', true],
    ]);
    const [, second, third] = stack.received(code);
    expect(
      stack
        .received(code)
        .slice(3)
        .map(({ id }) => id),
    ).toEqual([second?.id, third?.id]);
  });

  test('are sent again once by a resend, however often it is requested', async () => {
    const code = await stack.start([]);
    await untilReceived(code, 1);
    await untilDelivered(code, [[1, 'claimed', 'delivered']]);
    const id = freshCode();
    const request = { resend_id: id, workflow_id: `payout-${code}`, by: 'ana' };
    await stack.payments.startWebhookResend(request);
    await stack.finished(id);
    const again = await stack.payments.startWebhookResend(request);
    expect(again).toMatchObject({ repeated: true, state: { counts: { resent: 1 } } });
    await expect(stack.payments.startWebhookResend({ ...request, sequence_from: 2 })).rejects.toThrow(
      /differs in: sequence_from/,
    );
    await untilReceived(code, 2);
    expect(stack.receivedSince(code, 1)).toEqual([[1, 'claimed', true]]);
  });
});

describe('the notifications of all payments since a moment', () => {
  test('are sent again for closed and terminated payments as well, of one owner alone', async () => {
    const since = new Date().toISOString();
    const owner = freshCode();
    const closed = await stack.start(['done'], { owner, watchDays: 0 });
    const foreign = await stack.start([], { owner: freshCode() });
    await untilReceived(closed, 2);
    stack.receiver.answerBy(answerStatus(503));
    const terminated = await stack.start([], { owner });
    await untilReceived(terminated, 1);
    await stack.deployment.server.client.workflow.getHandle(`payout-${terminated}`).terminate();
    await stack.until(
      () => stack.payments.changes({ since, owner }),
      ({ payments }) => payments.filter((each) => each.closed).length === 2,
    );
    await untilDelivered(closed, [
      [1, 'claimed', 'delivered'],
      [2, 'done', 'delivered'],
    ]);
    stack.receiver.answerBy(accept);
    const before = {
      closed: stack.received(closed).length,
      terminated: stack.received(terminated).length,
      foreign: stack.received(foreign).length,
    };

    const undelivered = await resend({ seen_after: since, owner, undelivered: true });
    expect(undelivered.counts).toEqual({ payments: 2, resent: 1, waiting: 0, unreadable: 0 });
    await untilReceived(terminated, before.terminated + 1);
    const all = await resend({ seen_after: since, owner });
    expect(all.counts).toMatchObject({ payments: 2 });
    await untilReceived(closed, before.closed + 2);
    expect(stack.receivedSince(closed, before.closed)).toEqual([
      [1, 'claimed', true],
      [2, 'done', true],
    ]);
    expect(stack.receivedSince(terminated, before.terminated)[0]).toEqual([1, 'claimed', true]);
    expect(stack.received(foreign)).toHaveLength(before.foreign);
    const later = await resend({ seen_after: new Date().toISOString(), owner });
    expect(later.counts).toMatchObject({ resent: 0, waiting: 0 });
  });
});

test('a range sends nothing of payments of another task queue: their webhooks are not ours', async () => {
  const since = new Date().toISOString();
  const { client } = stack.deployment.server;
  const others = createPaymentsClient({ client, taskQueue: `other-${freshCode()}` });
  const code = freshCode();
  const owner = `oms-${code}`;
  await others.startPayout({ ...pixPayout(code), method: 'pix', notify: { webhook: 'shop' } }, { owner });
  await stack.until(
    () => stack.payments.changes({ since, owner }),
    ({ payments }) => payments.length === 1,
  );
  const { counts } = await resend({ seen_after: since, owner });
  expect(counts.payments).toBe(0);
});

test('what can not be used as a resend fails as a workflow too, and sends nothing', async () => {
  const { client, taskQueue } = stack.deployment.server;
  const handle = await client.workflow.start('webhookResend', {
    workflowId: `webhook-resend-${freshCode()}`,
    taskQueue,
    args: [{ resend_id: 'x', by: 'ana' }],
  });
  await expect(handle.result()).rejects.toMatchObject({
    cause: { cause: { type: 'InvalidInput' } },
  });
});
