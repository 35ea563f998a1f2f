import { describe, expect } from 'vitest';
import type { OrderState } from '../../src/contract/state.js';
import { recordedAs } from '../support/keep-histories.js';
import { statusIs, type Payment, timelineShows } from '../support/payment.js';
import { test } from '../support/payments.js';
import { freshCode } from '../support/requests.js';
import type { TestStack } from '../support/test-stack.js';
import { refusalOf } from '../support/refusal.js';
import { randomUUID } from 'node:crypto';

/** When the workflow ended, by the server's clock. */
async function endOf(stack: TestStack, order: Payment<OrderState>): Promise<number> {
  const { closeTime } = await stack.handleOf(order).describe();
  return closeTime?.getTime() ?? NaN;
}

describe('a card order that goes well', () => {
  test(
    'settles 30 days later without any postback, and ends at the end of its watch',
    recordedAs('card-order-settled-by-reads-alone'),
    async ({ orders, sandbox, clock, stack }) => {
      const code = freshCode();
      const order = await orders.submitted(code);
      sandbox.setOrderStatus(code, 'paid');
      await order.until(statusIs('paid'));
      await clock.sleep('30 days');
      sandbox.setOrderStatus(code, 'compensated');
      const settled = await order.until(statusIs('compensated'), '6 hours');
      expect(settled).toMatchObject({
        attention: null,
        service_id: orders.idOf(code),
        value: 99.9,
        closed: false,
      });
      const result = await order.result('10 days');
      expect(result).toMatchObject({ status: 'compensated', closed: true, attention: null });
      const watchedDays = ((await endOf(stack, order)) - Date.parse(settled.updated_at)) / 86_400_000;
      expect(Math.round(watchedDays)).toBe(180);
      expect(orders.made(code)).toMatchObject([{ times_created: 1, times_charged: 1 }]);
    },
  );
});

describe('a hosted checkout that is paid', () => {
  test(
    'shows where the customer is sent, and is followed by reads alone to its settlement',
    recordedAs('hosted-checkout-paid'),
    async ({ checkouts, sandbox, clock }) => {
      const code = freshCode();
      const checkout = await checkouts.opened(code);
      const state = await checkout.state();
      const id = checkouts.made(code)[0]?.id ?? '';
      expect(state.checkout?.url).toBe(`${sandbox.url}/sandbox/checkout/${id}`);
      expect(state.checkout?.answer).toMatchObject({ id, status: 'waiting_payment' });
      sandbox.setOrderStatus(code, 'paid');
      await checkout.until(statusIs('paid'));
      await clock.sleep('3 days');
      sandbox.setOrderStatus(code, 'compensated');
      const settled = await checkout.until(statusIs('compensated'), '1 hour');
      expect(settled.attention).toBeNull();
      expect(await checkout.result('10 days')).toMatchObject({
        closed: true,
        status: 'compensated',
      });
      expect(checkouts.made(code)).toHaveLength(1);
    },
  );
});

describe('a hosted checkout that nobody pays', () => {
  test(
    'expires after 48 hours, by a read that worked, and is watched on',
    recordedAs('hosted-checkout-expired'),
    async ({ checkouts }) => {
      const code = freshCode();
      const checkout = await checkouts.opened(code);
      const before = await checkout.state();
      const expired = await checkout.until(statusIs('expired'), '1 hour', 60);
      const hours = (Date.parse(expired.updated_at) - Date.parse(before.updated_at)) / 3_600_000;
      expect(Math.round(hours)).toBe(48);
      expect(expired).toMatchObject({ attention: null, closed: false });
      expect(expired.last_read?.status).toBe('waiting_payment');
      expect(await checkout.result('10 days')).toMatchObject({
        status: 'expired',
        closed: true,
      });
    },
  );
});

describe('a 3D Secure order that goes well', () => {
  test(
    'gives tokens to the browser, is completed with a card once, and settles',
    recordedAs('three-d-secure-completed'),
    async ({ secureOrders, sandbox }) => {
      const code = freshCode();
      const order = await secureOrders.opened(code);
      const tokens = await Promise.all([1, 2, 3].map(() => secureOrders.issueToken(order)));
      expect(new Set(tokens.map(({ token }) => token)).size).toBe(3);
      const taken = await secureOrders.complete(order, secureOrders.completion({ by: 'shop' }));
      expect(taken).toMatchObject({ status: 'submitting', attention: null });
      await order.until(statusIs('waiting_payment'), '1 second');
      sandbox.setOrderStatus(code, 'paid');
      await order.until(statusIs('paid'));
      sandbox.setOrderStatus(code, 'compensated');
      const result = await order.result('10 days');
      expect(result).toMatchObject({ status: 'compensated', closed: true, attention: null });
      expect(secureOrders.made(code)).toMatchObject([{ kind: '3ds', times_created: 1, times_submitted: 1 }]);
      for (const { token } of tokens) expect(JSON.stringify(result)).not.toContain(token);
    },
  );
});

describe('a 3D Secure order that is open', () => {
  test('a cancel request after it was opened is noted and changes nothing', async ({ secureOrders }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code);
    await order.cancel();
    await order.until(timelineShows('cancel request'));
    const { token } = await secureOrders.issueToken(order);
    expect(token).not.toBe('');
  });

  test('ends after half an hour as expired, by a read that worked', async ({ secureOrders, clock }) => {
    const order = await secureOrders.opened(freshCode());
    await clock.sleep('29 minutes');
    expect(await order.state()).toMatchObject({ status: 'awaiting_authentication' });
    const expired = await order.until(statusIs('expired'), '1 minute', 3);
    expect(expired).toMatchObject({ attention: null, closed: false });
    expect(await secureOrders.complete(order).catch(refusalOf)).toBe('NotAwaitingAuthentication');
    expect(await order.command('issueThreeDSecureToken').catch(refusalOf)).toBe('NotAwaitingAuthentication');
    expect(await order.result('10 days')).toMatchObject({ status: 'expired' });
  });
});

describe('a refund that goes well', () => {
  test(
    'is requested once and followed until the order reads as refunded, by reads alone',
    recordedAs('refund-by-reads-alone'),
    async ({ refunds, sandbox }) => {
      const code = freshCode();
      const refund = await refunds.requested(code);
      expect(await refund.state()).toMatchObject({ requests: 1, attention: null, value: 99.9 });
      sandbox.setOrderStatus(code, 'refunded');
      const result = await refund.result('1 hour');
      expect(result).toMatchObject({ status: 'refunded', closed: true, attention: null, outcome: null });
      expect(result.timeline.find(({ by }) => by === 'shop')).toMatchObject({ reason: 'sold out' });
      expect(refunds.requestsOf(code)).toBe(1);
    },
  );
});

describe('a card', () => {
  test(
    'that is gone from the card store is awaited again, and a new one charges once',
    recordedAs('card-order-with-a-second-card'),
    async ({ orders }) => {
      const code = freshCode();
      const order = await orders.start(code, '', { card: orders.cards.lost() });
      const waiting = await order.until(statusIs('awaiting_card'), '1 second');
      expect(waiting).toMatchObject({ attention: 'awaiting_card' });
      const provided = await order.command('provideCard', { ...orders.cards.stored(), by: 'shop' });
      expect(provided).toMatchObject({ status: 'submitting', attention: null });
      await order.until(statusIs('waiting_payment'), '1 second');
      expect(orders.made(code)).toMatchObject([{ times_created: 1, times_submitted: 1 }]);
    },
  );
});

describe('a card order of unknown outcome', () => {
  test(
    'goes on under the identifier that an operator found',
    recordedAs('card-order-resolved-by-an-operator'),
    async ({ orders, sandbox }) => {
      const code = freshCode();
      const order = await orders.unknown(code);
      const resolved = await order.command('resolveSubmission', {
        service_id: orders.idOf(code),
        reason: 'seen',
        by: 'ana',
      });
      expect(resolved).toMatchObject({
        status: 'waiting_payment',
        attention: null,
        service_id: orders.idOf(code),
      });
      sandbox.setOrderStatus(code, 'compensated');
      await order.until(statusIs('compensated'));
    },
  );
});

describe('an order whose identifier is a wrong one', () => {
  test('is found by the right one as soon as an operator has named it', async ({
    clock,
    orders,
    sandbox,
    stack,
  }) => {
    const code = freshCode();
    const body = { id: `${String(Date.now())}7`, status: 'waiting_payment' };
    sandbox.fault({
      ...{ endpoint: 'POST /v1/order', partner_code: code },
      fault: { effect: 'done', status: 200, body },
    });
    const order = await orders.submitted(code);
    const found = async () => {
      const { searchAttributes } = await stack.handleOf(order).describe();
      return searchAttributes.PaymentServiceId;
    };
    await clock.sleep('5 minutes');
    expect(await order.state()).toMatchObject({ attention: null, service_id: body.id });
    expect(await found()).toEqual([body.id]);
    // Read again within seconds.
    sandbox.setOrderStatus(code, 'paid');
    await order.command('resolveSubmission', { service_id: orders.idOf(code), reason: 'seen', by: 'ana' });
    expect(await found()).toEqual([orders.idOf(code)]);
  });
});

// Last: the server holds its clock for a task that nobody takes.
describe('a card whose gateway is gone', () => {
  test('is awaited again: nothing was sent', async ({ orders, clock, stack }) => {
    const code = freshCode();
    const gone = { card_ref: randomUUID(), task_queue: `card-store-${randomUUID()}` };
    const order = await orders.start(code, '', { card: gone });
    const isHeld = async () =>
      ((await stack.handleOf(order).describe()).raw.pendingActivities ?? []).length > 0;
    await expect.poll(isHeld).toBe(true);
    // Two sleeps at once let go of the clock for that task as well. The last of its half minute really passes.
    await Promise.all([clock.sleep('25 seconds'), clock.sleep('25 seconds')]);
    await order.until(statusIs('awaiting_card'), '5 seconds', 20);
    await order.command('provideCard', orders.cards.stored());
    await order.until(statusIs('waiting_payment'), '1 second');
    expect(orders.made(code)).toHaveLength(1);
  });
});
