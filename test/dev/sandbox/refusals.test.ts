import { expect } from 'vitest';
import { cardOrder, customer, orderFields, pixPayout, transferPayout, validation, test } from './helpers.js';

const wrong: [why: string, endpoint: string, body: unknown, field: string][] = [
  ['no value', 'POST /v1/order', cardOrder({ value: undefined }), 'order.value'],
  ['value 0', 'POST /v1/order', cardOrder({ value: 0 }), 'order.value'],
  ['three decimals', 'POST /v1/order', cardOrder({ value: 1.005 }), 'order.value'],
  ['value as text', 'POST /v1/order', cardOrder({ value: '10' }), 'order.value'],
  [
    'no address to notify',
    'POST /v1/order',
    cardOrder({ notification_url: 'ftp://a' }),
    'order.notification_url',
  ],
  ['another method', 'POST /v1/order', cardOrder({ payment_method: 'cash' }), 'order.payment_method'],
  [
    'a number that is no card',
    'POST /v1/order',
    cardOrder({}, { number: '4111111111111112' }),
    'credit_card.number',
  ],
  ['a short year', 'POST /v1/order', cardOrder({}, { due_date: '12/31' }), 'credit_card.due_date'],
  ['an unknown brand', 'POST /v1/order', cardOrder({}, { brand: 'own' }), 'credit_card.brand'],
  ['no card', 'POST /v1/order', { order: orderFields(), customer }, 'credit_card'],
  [
    'no customer',
    'POST /v1/checkout',
    { order: orderFields({ redirect_url: 'https://a.example' }) },
    'customer',
  ],
  ['no way back', 'POST /v1/checkout', { order: orderFields(), customer }, 'order.redirect_url'],
  ['no order', 'POST /v1/3ds/order', { customer }, 'order'],
  ['no key', 'POST /v1/payout/pix', pixPayout({ pix: '' }), 'pix'],
  ['a negative value', 'POST /v1/payout/pix', pixPayout({ value: -1 }), 'value'],
  ['no account', 'POST /v1/payout/transfer', transferPayout({ account: undefined }), 'account'],
  ['no bank', 'POST /v1/account/validate', validation({ bank_code: undefined }), 'bank_code'],
  ['no body', 'POST /v1/payout/pix', undefined, 'pix'],
];

test.for(wrong)(
  '422 names the field that is wrong: %s',
  async ([_why, endpoint, body, field], { call, service }) => {
    const { status, json } = await call(endpoint, body);
    expect(status).toBe(422);
    const { fields } = json.error as { fields: { field: string }[] };
    expect(fields.map((problem) => problem.field)).toContain(field);
    expect(service.ledger()).toMatchObject({ orders: [], payouts: [], validations: [] });
  },
);

test.for([
  'GET /v1/order/1',
  'PUT /v1/order/1/refund',
  'PUT /v1/3ds/order/1',
  'GET /v1/payout/1',
  'GET /v1/other',
])('what does not exist is 404: %s', async (endpoint, { call }) => {
  expect((await call(endpoint)).status).toBe(404);
});

test('a card order cannot be completed as a 3D Secure one', async ({ call }) => {
  const { json } = await call('POST /v1/order', cardOrder());
  expect((await call(`PUT /v1/3ds/order/${String(json.id)}`, {})).status).toBe(404);
});

test('a body that is not JSON is refused without being repeated', async ({ call }) => {
  const broken = await call('POST /v1/order', '{"number":"4111111111111111');
  expect(broken.status).toBe(400);
  expect(broken.text).not.toContain('4111');
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await call('POST /v1/order', 'a=b', form)).status).toBe(415);
});

test('a tag that does not exist is refused, not ignored', async ({ call }) => {
  const { status, text } = await call('POST /v1/order', cardOrder({ description: 'sandbox:deneid' }));
  expect(status).toBe(422);
  expect(text).toContain('deneid');
});
