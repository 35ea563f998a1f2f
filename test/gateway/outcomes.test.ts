import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startOpenHouse, type OpenHouse } from '../support/open-house.js';
import { card, newCode, pixPayout } from './requests.js';
import { call } from './rig.js';

let house: OpenHouse;
beforeAll(async () => {
  // A day of a watch is nine seconds.
  house = await startOpenHouse({ pollScale: 0.000_1 });
});
afterEach(() => house.finish());
afterAll(() => house.close());

const customer = {
  ...{ name: 'Ana Souza', email: 'ana@example.com' },
  ...{ phone: '+5511987654321', document: '52998224725' },
};
const order = (partner_code: string, more: object = {}) => ({
  order: { partner_code, value: 99.9, description: 'Two books', ...more },
  ...{ customer, watch_days: 730 },
});
const post = (path: string, body: object) =>
  call(house.url, 'POST', path, { key: house.apiKey, body, headers: { prefer: 'wait=20' } });

/** Asks until it is as wanted: hinted at by a postback, or by the payment's own reads. */
async function until(path: string, wanted: { status: string; attention: string | null }): Promise<void> {
  for (;;) {
    const { body } = await call(house.url, 'GET', `${path}?until=${wanted.status}`, {
      key: house.apiKey,
      headers: { prefer: 'wait=5' },
    });
    if (body.status === wanted.status && body.attention === wanted.attention) return;
  }
}

describe.for(['on', 'off'] as const)('with postbacks %s', (mode) => {
  beforeEach(() => {
    house.sandbox.postbacks(mode);
  });

  async function cardOrderThatIs(status: string): Promise<string> {
    const code = newCode();
    await post('/v1/orders/card', { ...order(code), credit_card: card() });
    house.sandbox.setOrderStatus(code, status);
    await until(`/v1/orders/${code}`, { status, attention: null });
    return code;
  }

  async function payoutThatIs(status: string, attention: string | null): Promise<string> {
    const code = newCode();
    await post('/v1/payouts/pix', { ...pixPayout(code), watch_days: 730 });
    house.sandbox.setPayoutStatus(code, status);
    await until(`/v1/payouts/${code}`, { status, attention });
    return code;
  }

  test('an order that is charged back calls a person, until that is reversed', async () => {
    const code = await cardOrderThatIs('compensated');
    house.sandbox.setOrderStatus(code, 'chargeback');
    await until(`/v1/orders/${code}`, { status: 'chargeback', attention: 'chargeback' });
    house.sandbox.setOrderStatus(code, 'compensated');
    await until(`/v1/orders/${code}`, { status: 'compensated', attention: null });
  });

  test('an order that is refunded elsewhere is shown as refunded', async () => {
    const code = await cardOrderThatIs('compensated');
    house.sandbox.setOrderStatus(code, 'refunded');
    await until(`/v1/orders/${code}`, { status: 'refunded', attention: null });
  });

  test('a payout that comes back calls a person', async () => {
    const code = await payoutThatIs('done', null);
    house.sandbox.setPayoutStatus(code, 'error');
    await until(`/v1/payouts/${code}`, { status: 'error', attention: 'payout_returned' });
  });

  test('a payout that has failed and is done after all calls nobody any more', async () => {
    const code = await payoutThatIs('error', 'payout_failed');
    house.sandbox.setPayoutStatus(code, 'done');
    await until(`/v1/payouts/${code}`, { status: 'done', attention: null });
    expect(house.sandbox.ledger(code).payouts).toHaveLength(1);
  });

  test('a checkout that nobody pays expires, and one that is paid after that calls a person', async () => {
    const code = newCode();
    const body = order(code, { redirect_url: 'https://shop.example/thanks' });
    await post('/v1/orders/checkout', { ...body, expires_after_hours: 24 });
    await until(`/v1/orders/${code}`, { status: 'expired', attention: null });
    house.sandbox.setOrderStatus(code, 'paid');
    await until(`/v1/orders/${code}`, { status: 'paid', attention: 'inconsistent_answer' });
  });

  test('a refund that fails at the service calls a person', async () => {
    const code = await cardOrderThatIs('paid');
    await post(`/v1/orders/${code}/refund`, { reason: 'sold out' });
    house.sandbox.setOrderStatus(code, 'refund_failed');
    await until(`/v1/orders/${code}/refund`, { status: 'rejected', attention: 'refund_failed' });
  });
});
