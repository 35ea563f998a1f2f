import { pino } from 'pino';
import { expect } from 'vitest';
import {
  anyText,
  card,
  cardOrder,
  customer,
  orderFields,
  sandbox,
  signedIn,
  test,
  signedInAt,
} from './helpers.js';

test('an order is waiting for payment, then paid, then compensated, and each change is posted back', async ({
  call,
  receiver,
}) => {
  const created = await call('POST /v1/order', cardOrder({ notification_url: receiver.url }));
  expect(created.status).toBe(200);
  expect(created.json).toEqual({ id: anyText, status: 'waiting_payment' });
  await receiver.atLeast(2);
  const posted = { id: created.json.id, partner_code: 'o-1', type: 'order' };
  for (const status of ['paid', 'compensated'])
    expect(receiver.received).toContainEqual({ ...posted, status });
  const read = await call(`GET /v1/order/${String(created.json.id)}`);
  expect(read.json).toEqual({ id: created.json.id, status: 'compensated' });
});

test('a refund is queued, GET goes on showing paid, and then shows refunded', async () => {
  const { call, service } = await signedInAt({ progress: 'manual' });
  const { json } = await call('POST /v1/order', cardOrder());
  const id = String(json.id);
  expect((await call(`PUT /v1/order/${id}/refund`)).status).toBe(422);
  service.setOrderStatus('o-1', 'paid');
  expect((await call(`PUT /v1/order/${id}/refund`)).json).toEqual({ id, status: 'refund_processing' });
  expect((await call(`GET /v1/order/${id}`)).json.status).toBe('paid');
  service.setOrderStatus(id, 'refunded');
  expect((await call(`GET /v1/order/${id}`)).json.status).toBe('refunded');
  expect(service.ledger().totals).toMatchObject({ charged: '10.50', refunded: '10.50' });
});

test('a refund finishes by itself, and a second request refunds a second time', async ({ service, call }) => {
  const { json } = await call('POST /v1/order', cardOrder());
  const id = String(json.id);
  await service.until(({ totals }) => totals.charged === '10.50');
  await call(`PUT /v1/order/${id}/refund`);
  await service.until(({ totals }) => totals.refunded === '10.50');
  await call(`PUT /v1/order/${id}/refund`);
  await service.until(
    ({ refunds }) => refunds.filter(({ refunded_at }) => refunded_at !== null).length === 2,
  );
  expect(service.ledger().totals).toMatchObject({ charged: '10.50', refunded: '21.00' });
});

test('the same order sent twice is charged twice, and the ledger shows it', async ({ service, call }) => {
  await call('POST /v1/order', cardOrder());
  await call('POST /v1/order', cardOrder());
  await service.until(({ totals }) => totals.charged === '21.00');
  expect(service.ledger().orders.map(({ times_created }) => times_created)).toEqual([2, 2]);
  expect(service.ledger().calls).toMatchObject({ 'POST /v1/order': 2, 'POST /v1/auth': 1 });
});

test('a hosted checkout waits until its page is paid, and sends the customer back', async ({
  service,
  call,
}) => {
  const order = { ...orderFields(), redirect_url: 'https://shop.example/thanks' };
  const { json } = await call('POST /v1/checkout', { order, customer });
  expect(json).toEqual({
    id: anyText,
    status: 'waiting_payment',
    checkout_url: `${service.url}/sandbox/checkout/${String(json.id)}`,
  });
  const page = await call(`GET /sandbox/checkout/${String(json.id)}`);
  expect(page.text).toContain('10.50');
  expect(service.ledger().totals.charged).toBe('0.00');
  const paid = await call(`POST /sandbox/checkout/${String(json.id)}/pay`, 'x=1', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect([paid.status, paid.headers.location]).toEqual([303, 'https://shop.example/thanks']);
  await service.until(({ orders }) => orders[0]?.status === 'compensated');
});

test('a 3D Secure order is charged once it is completed, and again when it is completed again', async ({
  service,
  call,
}) => {
  const { json } = await call('POST /v1/3ds/order', { order: orderFields(), customer });
  expect(json.status).toBe('waiting_payment');
  expect((await call('GET /v1/3ds/token')).json).toEqual({ token: anyText });
  const completion = { credit_card: card, credentials: { callback: 'https://shop.example/cb', eci: '05' } };
  const completed = await call(`PUT /v1/3ds/order/${String(json.id)}`, completion);
  expect(completed.json).toEqual({ id: json.id, status: 'waiting_payment' });
  await service.until(({ orders }) => orders[0]?.status === 'compensated');
  expect(service.ledger().totals.charged).toBe('10.50');
  await call(`PUT /v1/3ds/order/${String(json.id)}`, completion);
  await service.until(({ totals }) => totals.charged === '21.00');
  expect(service.ledger().orders).toMatchObject([{ times_created: 1, times_submitted: 2, times_charged: 2 }]);
});

test('a 3D Secure order completed again after a denied card is charged once', async () => {
  const { call, service } = await signedInAt({ timeScale: 1 });
  const { json } = await call('POST /v1/3ds/order', { order: orderFields(), customer });
  const complete = async (number: string) => {
    const credentials = { callback: 'https://shop.example/cb', eci: '05' };
    await call(`PUT /v1/3ds/order/${String(json.id)}`, { credit_card: { ...card, number }, credentials });
    service.hurry();
  };
  await complete('4000000000001000');
  expect(service.ledger()).toMatchObject({ orders: [{ status: 'denied' }], totals: { charged: '0.00' } });
  await complete(card.number);
  expect(service.ledger()).toMatchObject({
    orders: [{ status: 'compensated' }],
    totals: { charged: '10.50' },
  });
});

test('nothing of a card is in the ledger', async ({ service, call }) => {
  await call('POST /v1/order', cardOrder({}, { number: '5555555555554444', cvv: '987' }));
  // Identifiers have many digits: a few count where they stand by themselves.
  expect(JSON.stringify(service.ledger())).not.toMatch(/5555555555554444|(?<!\d)(4444|987)(?!\d)/);
});

test('nothing of a card is logged, whether the order is accepted, refused or unreadable', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const call = await signedIn(await sandbox({ logger }));
  const number = '5555555555554444';
  await call('POST /v1/order', cardOrder({}, { number, cvv: '987' }));
  await call('POST /v1/order', cardOrder({ value: -1 }, { number, cvv: '987' }));
  await call('POST /v1/order', `{"credit_card":{"number":"${number}`);
  expect(lines.filter((line) => line.includes('/v1/order')).length).toBeGreaterThanOrEqual(3);
  expect(lines.join('')).not.toContain(number);
});
