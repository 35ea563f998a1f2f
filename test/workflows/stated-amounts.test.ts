import { expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

/** What a read states of an amount that is not the one asked for. */
const amounts: [string, object][] = [
  ['0', { value: 0 }],
  ['a negative one', { value: -99.9 }],
  ['three decimals', { value: 9.999 }],
  ['a decimal comma', { value: '99,90' }],
  ['a word', { value: 'all' }],
  ['another currency', { value: 99.9, currency: 'USD' }],
  ['null beside another field that states it', { value: null, amount: 1.25 }],
];

test.for(amounts)(
  'an order that reads as paid with %s needs attention',
  async ([, stated], { orders, sandbox }) => {
    const code = freshCode();
    const order = await orders.submitted(code);
    sandbox.fault({
      ...{ endpoint: 'GET /v1/order/{id}', partner_code: code, times: 1_000 },
      fault: { effect: 'none', status: 200, body: { id: orders.idOf(code), status: 'paid', ...stated } },
    });
    const asked = await order.until(attentionIs('inconsistent_answer'));
    expect(asked.status).not.toBe('paid');
  },
);

test.for(amounts)(
  'a payout that reads as done with %s needs attention',
  async ([, stated], { payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.start(code, 'stuck');
    const { service_id: id } = await payout.until(statusIs('claimed'));
    sandbox.fault({
      ...{ endpoint: 'GET /v1/payout/{id}', partner_code: code, times: 1_000 },
      fault: { effect: 'none', status: 200, body: { id, status: 'done', ...stated } },
    });
    const asked = await payout.until(attentionIs('inconsistent_answer'));
    expect(asked.status).not.toBe('done');
  },
);

test('a payout that is listed as done with an amount that is none needs attention', async ({
  payouts,
  sandbox,
}) => {
  const code = freshCode();
  sandbox.fault({
    ...{ endpoint: 'GET /v1/payouts', times: 1_000 },
    fault: {
      ...{ effect: 'none', status: 200 },
      body: {
        ...{ total_pages: 1, current_page: 1 },
        payouts: [
          { id: 7, partner_code: code, status: 'done', value: '1.255', claimed_at: '2026-01-02T03:04:05Z' },
        ],
      },
    },
  });
  const payout = await payouts.start(code, 'accepted-then-dropped');
  const asked = await payout.until(attentionIs('inconsistent_answer'));
  expect(asked.status).not.toBe('done');
});
