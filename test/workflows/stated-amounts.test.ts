import { expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

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

test.for(amounts)('an order that reads as paid with %s needs attention', async ([, stated], { order }) => {
  await order.submitted();
  order.service.answers(
    'GET /v1/order/{id}',
    { effect: 'none', status: 200, body: { id: order.id(), status: 'paid', ...stated } },
    { times: 1_000 },
  );
  const asked = await order.until(attentionIs('inconsistent_answer'));
  expect(asked.status).not.toBe('paid');
});

test.for(amounts)('a payout that reads as done with %s needs attention', async ([, stated], { payout }) => {
  await payout.start('stuck');
  const { service_id: id } = await payout.until(statusIs('claimed'));
  payout.service.answers(
    'GET /v1/payout/{id}',
    { effect: 'none', status: 200, body: { id, status: 'done', ...stated } },
    { times: 1_000 },
  );
  const asked = await payout.until(attentionIs('inconsistent_answer'));
  expect(asked.status).not.toBe('done');
});

test('a payout that is listed as done with an amount that is none needs attention', async ({ payout }) => {
  payout.service.answers(
    'GET /v1/payouts',
    {
      ...{ effect: 'none', status: 200 },
      body: {
        ...{ total_pages: 1, current_page: 1 },
        payouts: [
          {
            id: 7,
            partner_code: payout.code,
            status: 'done',
            value: '1.255',
            claimed_at: '2026-01-02T03:04:05Z',
          },
        ],
      },
    },
    { times: 1_000 },
  );
  await payout.start('accepted-then-dropped');
  const asked = await payout.until(attentionIs('inconsistent_answer'));
  expect(asked.status).not.toBe('done');
});
