import { describe, expect } from 'vitest';
import type { OrderState } from '../../src/contract/state.js';
import { hostedCheckoutsOn } from '../support/lifecycles/hosted-checkouts.js';
import { threeDSecureOrdersOn } from '../support/lifecycles/three-d-secure-orders.js';
import { attentionIs, statusIs, type Payment } from '../support/payment.js';
import type { PaymentsStack } from '../support/payments-stack.js';
import { test } from '../support/plain-payments.js';

type Opens = (stack: PaymentsStack, code: string) => Promise<Payment<OrderState>>;

/** Orders that wait for their customer, the status meanwhile, and for how many minutes. */
const kinds: readonly [string, Opens, string, number][] = [
  [
    'a checkout that is to expire after two hours',
    (stack, code) => hostedCheckoutsOn(stack).opened(code, '', { watch_days: 0, expires_after_hours: 2 }),
    'waiting_payment',
    120,
  ],
  [
    'a 3D Secure order',
    (stack, code) => threeDSecureOrdersOn(stack).opened(code, '', { watch_days: 0 }),
    'awaiting_authentication',
    30,
  ],
];

describe.for(kinds)('%s that nobody pays', ([, opens, waiting, minutes]) => {
  test('expires then, by a read that worked', async ({ code, stack }) => {
    const order = await opens(stack, code);
    expect(await order.after(`${minutes - 1} minutes`)).toMatchObject({ status: waiting });
    const expired = await order.until(statusIs('expired'), '1 minute', 3);
    expect(expired).toMatchObject({ attention: null, closed: false });
    expect(await order.refusal('completeThreeDSecure')).toMatch(/InvalidMessage|NotAwaiting/);
    expect(await order.result('10 days')).toMatchObject({ status: 'expired', closed: true });
  });

  test('does not expire while no read works: it needs attention', async ({ code, service, stack }) => {
    const order = await opens(stack, code);
    await order.after(`${minutes - 10} minutes`);
    service.fails('GET /v1/order/{id}');
    expect(await order.until(attentionIs('overdue'), '1 minute', 30)).toMatchObject({ status: waiting });
    service.recovers();
    expect(await order.until(statusIs('expired'), '10 minutes')).toMatchObject({ attention: null });
  });

  test.for([5 * 24, 7 * 24 - 1])(
    'is followed for a week, whatever watch_days is, to its last hours: a payment after %i hours needs attention',
    async (hours, { code, service, stack }) => {
      const order = await opens(stack, code);
      await order.until(statusIs('expired'), '5 minutes', 30);
      expect(await order.after(`${hours} hours`)).toMatchObject({ closed: false });
      service.shows('paid');
      const paid = await order.until(statusIs('paid'), '1 hour', 48);
      expect(paid).toMatchObject({ attention: 'inconsistent_answer', closed: false });
      expect(await order.command('acknowledgeAttention')).toMatchObject({ attention: null });
      service.shows('compensated');
      await order.until(statusIs('compensated'), '1 hour');
    },
  );
});
