import { expect } from 'vitest';
import { magicNumbers, scenarioGroups } from '../../../src/dev/sandbox/scenarios.js';
import {
  card,
  cardOrder,
  customer,
  orderFields,
  pixPayout,
  transferPayout,
  validation,
  test,
  signedInAt,
} from './helpers.js';

const orderLives: Record<string, string[]> = {
  denied: ['waiting_payment', 'denied'],
  'denied-at-once': ['denied'],
  'denied-then-paid': ['waiting_payment', 'denied', 'paid', 'compensated'],
  chargeback: ['waiting_payment', 'paid', 'compensated', 'chargeback'],
  'never-settles': ['waiting_payment', 'paid'],
  error: ['waiting_payment', 'error'],
  'error-at-once': ['error'],
  'done-at-once': ['paid', 'compensated'],
  'odd-status': ['waiting_payment', 'under_review', 'paid', 'compensated'],
  stuck: ['waiting_payment'],
};

const payoutLives: Record<string, string[]> = {
  error: ['claimed', 'processing', 'error'],
  'error-at-once': ['error'],
  'error-once': ['claimed', 'processing', 'error'],
  'error-then-done': ['claimed', 'processing', 'error', 'done'],
  'done-then-error': ['claimed', 'processing', 'done', 'error'],
  'done-at-once': ['done'],
  'done-directly': ['claimed', 'done'],
  'odd-status': ['claimed', 'under_review', 'done'],
  stuck: ['claimed'],
};

const validationLives: Record<string, string[]> = {
  invalid: ['processing', 'invalid'],
  stuck: ['processing'],
};

const elsewhere = [
  'checkout-paid',
  'refund-slow',
  'refund-never',
  'refund-failed',
  'refund-visible',
  'unlisted',
  'listed-late',
];

test('every life of the table is lived below', () => {
  const lived = [orderLives, payoutLives, validationLives].flatMap((lives) => Object.keys(lives));
  expect(new Set([...lived, ...elsewhere])).toEqual(new Set(Object.keys(scenarioGroups.lives)));
});

test.each(Object.entries(orderLives))('an order with sandbox:%s', async (tag, statuses) => {
  const { call, service } = await signedInAt({ timeScale: 1 });
  const { json } = await call('POST /v1/order', cardOrder({ description: `Books, sandbox:${tag}.` }));
  expect(json.status).toBe(statuses[0]);
  service.hurry();
  expect(service.ledger('o-1').orders[0]?.history.map(({ status }) => status)).toEqual(statuses);
});

test.each(Object.entries(payoutLives))('a payout with sandbox+%s', async (tag, statuses) => {
  const { call, service } = await signedInAt({ timeScale: 1 });
  await call('POST /v1/payout/transfer', transferPayout({ account: `sandbox+${tag}` }));
  service.hurry();
  expect(service.ledger('p-1').payouts[0]?.history.map(({ status }) => status)).toEqual(statuses);
});

test.each(Object.entries(validationLives))('an account validation with sandbox+%s', async (tag, statuses) => {
  const { call, service } = await signedInAt({ timeScale: 1 });
  await call('POST /v1/account/validate', validation({ account: `sandbox+${tag}` }));
  service.hurry();
  expect(service.ledger('v-1').validations[0]?.history.map(({ status }) => status)).toEqual(statuses);
});

test('magic numbers stand for tags that exist', () => {
  for (const tag of magicNumbers.values()) expect(Object.keys(scenarioGroups.lives)).toContain(tag);
});

test('a card number alone decides, also when it completes a 3D Secure order', async ({ service, call }) => {
  const number = '4000000000001000';
  await call('POST /v1/order', cardOrder({ partner_code: 'a' }, { number }));
  const { json } = await call('POST /v1/3ds/order', { order: orderFields({ partner_code: 'b' }), customer });
  await call(`PUT /v1/3ds/order/${String(json.id)}`, {
    credit_card: { ...card, number },
    credentials: { callback: 'done', eci: '05' },
  });
  await service.until(({ orders }) => orders.every(({ status }) => status === 'denied'));
  expect(service.ledger().totals.charged).toBe('0.00');
});

test('the e-mail of a payee or a customer carries a tag as well', async ({ service, call }) => {
  await call('POST /v1/payout/pix', pixPayout({ email: 'sandbox+error@example.com' }));
  await call('POST /v1/order', {
    ...cardOrder(),
    customer: { ...customer, email: 'sandbox+error@example.com' },
  });
  await service.until(({ orders, payouts }) =>
    [...orders, ...payouts].every(({ status }) => status === 'error'),
  );
});

test('error-once: the retry goes well', async ({ service, call }) => {
  await call(
    'POST /v1/payout/pix',
    pixPayout({ partner_code: 'p-1-r2', pix: 'sandbox+error-once@example.com' }),
  );
  await service.until(({ payouts }) => payouts[0]?.status === 'done');
});

test('checkout-paid: the customer pays by itself', async ({ service, call }) => {
  const order = orderFields({ description: 'sandbox:checkout-paid', redirect_url: 'https://shop.example' });
  await call('POST /v1/checkout', { order, customer });
  await service.until(({ totals }) => totals.charged === '10.50');
});

test.each([
  ['refund-never', 'paid', 'compensated', '0.00'],
  ['refund-failed', 'paid', 'refund_failed', '0.00'],
  ['refund-slow', 'paid', 'refunded', '10.50'],
  ['refund-visible', 'refund_processing', 'refunded', '10.50'],
])('%s: an order shows %s meanwhile, and %s in the end', async (tag, meanwhile, inTheEnd, refunded) => {
  const { call, service } = await signedInAt({ timeScale: 1 });
  const { json } = await call('POST /v1/order', cardOrder({ description: `sandbox:${tag}+done-at-once` }));
  await call(`PUT /v1/order/${String(json.id)}/refund`);
  const read = async () => (await call(`GET /v1/order/${String(json.id)}`)).json.status;
  expect(await read()).toBe(meanwhile);
  service.hurry();
  expect(await read()).toBe(inTheEnd);
  expect(service.ledger().totals).toMatchObject({ charged: '10.50', refunded });
});

test('unlisted and listed-late: what the list shows and when', async () => {
  const { call, service } = await signedInAt({ timeScale: 1 });
  const list = async () =>
    ((await call('GET /v1/payouts')).json.payouts as { partner_code: string }[]).map(
      (payout) => payout.partner_code,
    );
  await call('POST /v1/payout/pix', pixPayout({ partner_code: 'a', pix: 'sandbox+unlisted@example.com' }));
  await call('POST /v1/payout/pix', pixPayout({ partner_code: 'b', pix: 'sandbox+listed-late@example.com' }));
  expect(await list()).toEqual([]);
  service.hurry();
  expect(await list()).toEqual(['b']);
});
