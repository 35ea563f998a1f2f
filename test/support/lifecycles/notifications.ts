import { test as base } from 'vitest';
import type { PayoutState } from '../../../src/contract/state.js';
import { createWebhookSender } from '../../../src/webhooks/webhook-sender.js';
import type { Payment } from '../payment.js';
import { startTestStack } from '../test-stack.js';
import { startWebhookReceiver } from '../webhook-receiver.js';
import { payoutsOn } from './payouts.js';

/** Payouts of an OMS that is notified by webhook or signal: its receiver, and what it has received. */
export const test = base
  .extend('receiver', async ({ task: _ }, { onCleanup }) => {
    const receiver = await startWebhookReceiver();
    onCleanup(() => receiver.close());
    return receiver;
  })
  // One for each test: a server that has skipped the retries of an activity may not find back to its clock.
  .extend('stack', async ({ receiver, task }, { onCleanup }) => {
    const target = { name: 'shop', url: receiver.url, secrets: [receiver.secret], mayBePrivate: false };
    const stack = await startTestStack({
      webhooks: createWebhookSender({ targets: [target], allowLoopback: true }),
      notifyWorkflows: ['oms-'],
    });
    onCleanup(async () => {
      try {
        await stack.finish({ leftOpen: 'all', history: task.meta.history });
      } finally {
        await stack.close();
      }
    });
    return stack;
  })
  .extend('sandbox', ({ stack }) => stack.sandbox)
  .extend('oms', ({ receiver, stack }, { onCleanup }) => {
    const open: Payment<PayoutState>[] = [];
    // A delivery that waits for its next attempt would never be idle.
    onCleanup(async () => {
      for (const payment of open)
        await stack
          .handleOf(payment)
          .terminate()
          .catch(() => undefined);
    });
    const received = (code: string) =>
      receiver.received.filter(({ notification }) => notification.payment.partner_code === code);
    return {
      start: async (code: string, more: object = { notify: { webhook: 'shop' } }) => {
        const payout = await payoutsOn(stack).start(code, '', more);
        open.push(payout);
        return payout;
      },
      received,
      receivedStatuses: (code: string) =>
        received(code).map(({ notification: { sequence, payment } }) => [sequence, payment.status]),
      /** Lets time pass until as much was received. */
      untilReceived: async (payout: Payment<PayoutState>, code: string, count: number, step = '1 minute') => {
        await payout.until(() => received(code).length >= count, step);
      },
    };
  });
