import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { startDeployment } from '../support/deployment.js';
import { waiting } from '../support/waiting.js';
import { card, cardOrder, newCode, transferPayout } from './requests.js';
import { call } from './call.js';

const stack = await startDeployment({ isWhole: true, gateway: { pollScale: 0.05 } });
afterEach(() => stack.finish());
afterAll(() => stack.close());

const { credit_card: _, ...orderWithoutCard } = cardOrder();
const order = (partner_code: string, more: object = {}) => ({
  ...orderWithoutCard,
  order: { ...orderWithoutCard.order, partner_code, ...more },
});
const post = (path: string, body: object = {}, headers: Record<string, string> = { prefer: 'wait=20' }) =>
  call(stack.gateway.url, 'POST', path, { key: stack.apiKey, body, headers });
const until = (path: string, status: string) =>
  vi.waitUntil(async () => {
    const key = stack.apiKey;
    const answer = await call(stack.gateway.url, 'GET', `${path}?until=${status}`, {
      ...{ key, headers: { prefer: 'wait=30' } },
    });
    return answer.body.status === status && answer;
  }, waiting);
const paidCardOrder = async (code: string) => {
  await post('/v1/orders/card', { ...order(code), credit_card: card() });
  stack.sandbox.setOrderStatus(code, 'paid');
  await until(`/v1/orders/${code}`, 'paid');
  return String(stack.sandbox.ledger(code).orders[0]?.id);
};

test('a hosted checkout answers where the customer is sent, is paid and settles', async () => {
  const code = newCode();
  const body = order(code, { redirect_url: 'https://shop.example/thanks' });
  const started = await post('/v1/orders/checkout', body);
  expect(started).toMatchObject({
    status: 201,
    headers: { location: `/v1/orders/${code}` },
    body: { kind: 'hosted_checkout', status: 'waiting_payment' },
  });
  expect(started.text).toContain(`${stack.sandbox.url}/sandbox/checkout/`);
  expect(await post('/v1/orders/checkout', body)).toMatchObject({ status: 200 });
  stack.sandbox.setOrderStatus(code, 'compensated');
  await until(`/v1/orders/${code}`, 'compensated');
  expect(stack.sandbox.ledger(code).orders).toHaveLength(1);
});

test('a 3D Secure order gives tokens, is completed once with a card, and settles', async () => {
  const code = newCode();
  const path = `/v1/orders/${code}`;
  const completion = { callback: 'pares=abc', eci: '05', credit_card: card() };
  expect(await post('/v1/orders/3ds', order(code))).toMatchObject({
    status: 201,
    body: { status: 'awaiting_authentication' },
  });
  const token = await post(`${path}/3ds-token`);
  expect(token.status).toBe(200);
  expect(token.text).toMatch(/^\{"token":"[\w-]+"\}$/);
  expect(await post(`${path}/3ds-completion`, { callback: 'x', eci: '05' })).toMatchObject({ status: 400 });
  expect(await post(`${path}/3ds-completion`, completion)).toMatchObject({
    status: 200,
    body: { status: 'submitting' },
  });
  await until(path, 'waiting_payment');
  expect(await post(`${path}/3ds-completion`, completion)).toMatchObject({
    status: 409,
    body: { reason: 'NotAwaitingAuthentication' },
  });
  stack.sandbox.setOrderStatus(code, 'compensated');
  await until(path, 'compensated');
  expect(stack.sandbox.ledger(code).orders).toMatchObject([{ times_submitted: 1 }]);
});

test('an account validation is answered by a postback, as it came and not verified', async () => {
  const { partner_code, first_name, last_name, document, bank_code, account } = transferPayout();
  const body = { partner_code, first_name, last_name, document, bank_code, account };
  const path = `/v1/account-validations/${partner_code}`;
  expect(await post('/v1/account-validations', body)).toMatchObject({
    status: 201,
    headers: { location: path },
    body: { status: 'awaiting_answer' },
  });
  stack.sandbox.setValidationStatus(partner_code, 'valid');
  expect(await until(path, 'answered')).toMatchObject({
    body: { answer: { source: 'postback', verified: false, body: { status: 'valid' } } },
  });
  expect(await post('/v1/account-validations', body)).toMatchObject({ status: 200 });
  expect(await post('/v1/account-validations', { ...body, account: '1' })).toMatchObject({ status: 409 });
  expect(stack.sandbox.ledger(partner_code).validations).toHaveLength(1);
});

describe('a refund', () => {
  test('is made once, however often it is requested', async () => {
    const code = newCode();
    await paidCardOrder(code);
    const path = `/v1/orders/${code}/refund`;
    const key = stack.apiKey;
    expect(await call(stack.gateway.url, 'GET', path, { key })).toMatchObject({ status: 404 });
    const partial = await post(path, { value: 10 });
    expect(partial).toMatchObject({ status: 400, body: { errors: [{ field: 'value' }] } });
    expect(partial.text).toContain('only the whole order');
    const first = await post(path, { reason: 'sold out' });
    expect(first).toMatchObject({
      status: 201,
      headers: { location: path },
      body: { kind: 'refund', status: 'refund_processing', value: 99.9 },
    });
    expect(first.body.timeline).toContainEqual(expect.objectContaining({ by: 'oms', reason: 'sold out' }));
    expect(await post(path)).toMatchObject({ status: 200, body: { status: 'refund_processing' } });
    stack.sandbox.setOrderStatus(code, 'refunded');
    await until(path, 'refunded');
    expect(await post(path)).toMatchObject({ status: 200, body: { status: 'refunded' } });
    expect(stack.sandbox.ledger(code).refunds).toHaveLength(1);
  });

  test('of one order under two codes is requested once', async () => {
    const code = newCode();
    const service_id = await paidCardOrder(code);
    const unknown = `/v1/orders/${newCode()}/refund`;
    expect(await post(unknown)).toMatchObject({ status: 400, body: { errors: [{ field: 'service_id' }] } });
    const first = await post(unknown, { service_id });
    expect(first).toMatchObject({ status: 201, body: { workflow_id: `refund-${service_id}`, value: null } });
    expect((await post(unknown, { service_id })).status).toBe(200);
    expect((await post(`/v1/orders/${code}/refund`)).status).toBe(409);
    expect(stack.sandbox.ledger(code).refunds).toHaveLength(1);
  });

  test('of an order that was denied is refused with that reason, and taken once a fresh read shows it as paid', async () => {
    const code = newCode();
    await post('/v1/orders/card', { ...order(code), credit_card: card() });
    stack.sandbox.setOrderStatus(code, 'denied');
    await until(`/v1/orders/${code}`, 'denied');
    expect(await post(`/v1/orders/${code}/refund`)).toMatchObject({
      status: 409,
      body: { reason: 'NotCharged', detail: expect.stringContaining('reads as denied') as string },
    });
    const secured = newCode();
    await post('/v1/orders/3ds', order(secured));
    const unpaid = { status: 409, body: { reason: 'NotCharged' } };
    expect(await post(`/v1/orders/${secured}/refund`)).toMatchObject(unpaid);
    stack.sandbox.postbacks('off');
    stack.sandbox.setOrderStatus(code, 'paid');
    expect((await post(`/v1/orders/${code}/refund`)).status).toBeLessThan(300);
    stack.sandbox.postbacks('on');
  });
});
