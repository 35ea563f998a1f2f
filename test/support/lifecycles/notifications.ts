import { test as base } from 'vitest';
import type { PayoutState } from '../../../src/contract/state.js';
import { createWebhookSender } from '../../../src/webhooks/webhook-sender.js';
import type { Payment } from '../payment.js';
import { startTestStack } from '../test-stack.js';
import { accept, shopTarget, startWebhookReceiver } from '../webhook-receiver.js';
import { payoutsOn } from './payouts.js';

/** Payouts of an OMS that is notified by webhook or signal: its receiver, and what it has received. */
export const test = base
  // eslint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures from the pattern
  .extend('shared', { scope: 'file' }, async ({}, { onCleanup }) => {
    const receiver = await startWebhookReceiver();
    const stack = await startTestStack({
      webhooks: createWebhookSender({ targets: [shopTarget(receiver)], allowLoopback: true }),
      notifyWorkflows: ['oms-'],
    });
    onCleanup(async () => {
      await stack.close();
      await receiver.close();
    });
    return { receiver, stack };
  })
  .extend('receiver', ({ shared }) => {
    shared.receiver.answerBy(accept);
    return shared.receiver;
  })
  .extend('stack', async ({ shared: { stack }, task }, { onCleanup }) => {
    onCleanup(() => stack.finish(task.meta.history));
    return Promise.resolve(stack);
  })
  .extend('sandbox', ({ stack }) => stack.sandbox)
  .extend('oms', ({ receiver, stack }) => {
    const received = (code: string) =>
      receiver.received.filter(({ notification }) => notification.payment.partner_code === code);
    return {
      start: (code: string, more: object = { notify: { webhook: 'shop' } }) =>
        payoutsOn(stack).start(code, '', more),
      received,
      receivedStatuses: (code: string) =>
        received(code).map(({ notification: { sequence, payment } }) => [sequence, payment.status]),
      /** Lets time pass until as much was received. */
      untilReceived: async (payout: Payment<PayoutState>, code: string, count: number, step = '1 minute') => {
        await payout.until(() => received(code).length >= count, step);
      },
    };
  });
