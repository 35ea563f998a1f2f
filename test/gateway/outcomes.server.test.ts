import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startGatewayStack, type GatewayStack } from '../support/gateway-stack.js';
import { waiting } from '../support/waiting.js';
import { card, newCode, pixPayout } from './requests.js';
import { call } from './test-gateway.js';

let stack: GatewayStack;
beforeAll(async () => {
  // A day of a watch is nine seconds.
  stack = await startGatewayStack({ pollScale: 0.000_1 });
});
afterAll(() => stack.close());

const customer = {
  ...{ name: 'Ana Souza', email: 'ana@example.com' },
  ...{ phone: '+5511987654321', document: '52998224725' },
};
const order = (partner_code: string, more: object = {}) => ({
  order: { partner_code, value: 99.9, description: 'Two books', ...more },
  ...{ customer, watch_days: 730 },
});
/** A gateway that is busy, as all begin at once, answers 503: then it is sent again. */
async function post(path: string, body: object): Promise<void> {
  await vi.waitUntil(async () => {
    const headers = { prefer: 'wait=20' };
    const { status } = await call(stack.url, 'POST', path, { key: stack.apiKey, body, headers });
    if (status < 300) return true;
    expect(status).toBe(503);
    return false;
  }, waiting);
}
const untilMade = (code: string) =>
  stack.sandbox.until(({ orders, payouts }) =>
    [...orders, ...payouts].some(({ partner_code: made }) => made === code),
  );

/** Reads until it is as wanted: hinted at by a postback, or by the payment's own reads. */
async function until(path: string, wanted: { status: string; attention: string | null }): Promise<void> {
  await vi.waitUntil(async () => {
    const { body } = await call(stack.url, 'GET', `${path}?until=${wanted.status}`, {
      key: stack.apiKey,
      headers: { prefer: 'wait=5' },
    });
    return body.status === wanted.status && body.attention === wanted.attention;
  }, waiting);
}

// Most of what the tests do is to wait for a read: they do so side by side.
describe.for(['on', 'off'] as const)('with postbacks %s', (mode) => {
  beforeAll(() => {
    stack.sandbox.postbacks(mode);
  });
  afterAll(() => stack.finish());

  async function cardOrderThatIs(status: string): Promise<string> {
    const code = newCode();
    await post('/v1/orders/card', { ...order(code), credit_card: card() });
    await untilMade(code);
    stack.sandbox.setOrderStatus(code, status);
    await until(`/v1/orders/${code}`, { status, attention: null });
    return code;
  }

  async function payoutThatIs(status: string, attention: string | null): Promise<string> {
    const code = newCode();
    await post('/v1/payouts/pix', { ...pixPayout(code), watch_days: 730 });
    await untilMade(code);
    stack.sandbox.setPayoutStatus(code, status);
    await until(`/v1/payouts/${code}`, { status, attention });
    return code;
  }

  test.concurrent('an order that is charged back raises attention until that is reversed', async () => {
    const code = await cardOrderThatIs('compensated');
    stack.sandbox.setOrderStatus(code, 'chargeback');
    await until(`/v1/orders/${code}`, { status: 'chargeback', attention: 'chargeback' });
    stack.sandbox.setOrderStatus(code, 'compensated');
    await until(`/v1/orders/${code}`, { status: 'compensated', attention: null });
  });

  test.concurrent('an order that is refunded elsewhere is shown as refunded', async () => {
    const code = await cardOrderThatIs('compensated');
    stack.sandbox.setOrderStatus(code, 'refunded');
    await until(`/v1/orders/${code}`, { status: 'refunded', attention: null });
  });

  test.concurrent('a payout that comes back raises attention', async () => {
    const code = await payoutThatIs('done', null);
    stack.sandbox.setPayoutStatus(code, 'error');
    await until(`/v1/payouts/${code}`, { status: 'error', attention: 'payout_returned' });
  });

  test.concurrent('a payout that has failed and is done after all needs no operator any more', async () => {
    const code = await payoutThatIs('error', 'payout_failed');
    stack.sandbox.setPayoutStatus(code, 'done');
    await until(`/v1/payouts/${code}`, { status: 'done', attention: null });
    expect(stack.sandbox.ledger(code).payouts).toHaveLength(1);
  });

  test.concurrent(
    'a checkout that nobody pays expires, and one that is paid after that raises attention',
    async () => {
      const code = newCode();
      const body = order(code, { redirect_url: 'https://shop.example/thanks' });
      await post('/v1/orders/checkout', { ...body, expires_after_hours: 24 });
      await until(`/v1/orders/${code}`, { status: 'expired', attention: null });
      stack.sandbox.setOrderStatus(code, 'paid');
      await until(`/v1/orders/${code}`, { status: 'paid', attention: 'inconsistent_answer' });
    },
  );

  test.concurrent('a refund that fails at the service raises attention', async () => {
    const code = await cardOrderThatIs('paid');
    await post(`/v1/orders/${code}/refund`, { reason: 'sold out' });
    // An order that has failed to be refunded before it was asked to is asked in vain.
    await stack.sandbox.until(({ refunds }) => refunds.some(({ partner_code }) => partner_code === code));
    stack.sandbox.setOrderStatus(code, 'refund_failed');
    await until(`/v1/orders/${code}/refund`, { status: 'rejected', attention: 'refund_failed' });
  });
});
