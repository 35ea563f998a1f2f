import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startGatewayStack, type GatewayStack } from '../support/gateway-stack.js';
import { createPaymentsClient } from '../../src/client.js';
import { waiting } from '../support/waiting.js';
import { card, newCode } from './requests.js';
import { call } from './test-gateway.js';

let stack: GatewayStack;
beforeAll(async () => {
  stack = await startGatewayStack({ pollScale: 0.05 });
});
beforeEach(() => {
  stack.sandbox.postbacks('on');
});
afterEach(() => stack.finish());
afterAll(() => stack.close());

const customer = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '+5511987654321',
  document: '52998224725',
};
const order = (partner_code: string, more: object = {}) => ({
  order: { partner_code, value: 99.9, description: 'Two books', ...more },
  customer,
});
const post = async (path: string, body?: object, wait?: number) =>
  call(stack.url, 'POST', path, {
    key: stack.apiKey,
    ...(body === undefined ? {} : { body }),
    ...(wait === undefined ? {} : { headers: { prefer: `wait=${String(wait)}` } }),
  });
const until = async (path: string, ...statuses: string[]) =>
  vi.waitUntil(async () => {
    const answer = await call(stack.url, 'GET', `${path}?until=${statuses.join(',')}`, {
      key: stack.apiKey,
      headers: { prefer: 'wait=30' },
    });
    return statuses.includes(String(answer.body.status)) && answer;
  }, waiting);
const paidCardOrder = async (code: string) => {
  await post('/v1/orders/card', { ...order(code), credit_card: card() }, 20);
  stack.sandbox.setOrderStatus(code, 'paid');
  await until(`/v1/orders/${code}`, 'paid');
};

describe.for(['on', 'off'] as const)('over HTTP, with postbacks %s', (mode) => {
  beforeEach(() => {
    stack.sandbox.postbacks(mode);
  });

  test('a hosted checkout answers where the customer is sent, is paid and settles', async () => {
    const code = newCode();
    const body = order(code, { redirect_url: 'https://shop.example/thanks' });
    const started = await post('/v1/orders/checkout', body);
    expect(started).toMatchObject({
      status: 201,
      headers: { location: `/v1/orders/${code}` },
      body: {
        kind: 'hosted_checkout',
        status: 'waiting_payment',
        checkout: { answer: { status: 'waiting_payment' } },
      },
    });
    expect(started.text).toContain(`${stack.sandbox.url}/sandbox/checkout/`);
    expect(await post('/v1/orders/checkout', body)).toMatchObject({ status: 200 });
    stack.sandbox.setOrderStatus(code, 'compensated');
    expect(await until(`/v1/orders/${code}`, 'compensated')).toMatchObject({
      body: { status: 'compensated' },
    });
    expect(stack.sandbox.ledger(code).orders).toHaveLength(1);
  });

  test('a 3D Secure order gives tokens, is completed with a card, and settles', async () => {
    const code = newCode();
    const path = `/v1/orders/${code}`;
    expect(await post('/v1/orders/3ds', order(code))).toMatchObject({
      status: 201,
      body: { status: 'awaiting_authentication' },
    });
    const token = await post(`${path}/3ds-token`);
    expect(token).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(token.text).toMatch(/^\{"token":"[\w-]+"\}$/);
    const completion = { callback: 'pares=abc', eci: '05', credit_card: card() };
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
    expect(await until(path, 'compensated')).toMatchObject({ body: { status: 'compensated' } });
    expect(stack.sandbox.ledger(code).orders).toMatchObject([{ times_submitted: 1 }]);
  });

  test('an order is refunded once, however often that is requested', async () => {
    const code = newCode();
    await paidCardOrder(code);
    const path = `/v1/orders/${code}/refund`;
    const first = await post(path, { reason: 'sold out' }, 20);
    expect(first).toMatchObject({
      status: 201,
      headers: { location: path },
      body: { kind: 'refund', status: 'refund_processing', value: 99.9 },
    });
    expect(first.body.timeline).toContainEqual(expect.objectContaining({ by: 'stack', reason: 'sold out' }));
    expect(await post(path)).toMatchObject({ status: 200, body: { status: 'refund_processing' } });
    stack.sandbox.setOrderStatus(code, 'refunded');
    expect(await until(path, 'refunded')).toMatchObject({ body: { status: 'refunded' } });
    expect(await post(path)).toMatchObject({ status: 200, body: { status: 'refunded' } });
    expect(stack.sandbox.ledger(code).refunds).toHaveLength(1);
  });
});

describe('a refund over HTTP', () => {
  test('of an order whose workflow is gone needs its identifier at the service', async () => {
    const [code, known] = [newCode(), newCode()];
    await paidCardOrder(known);
    const path = `/v1/orders/${code}/refund`;
    const unnamed = await post(path);
    expect(unnamed).toMatchObject({ status: 400, body: { errors: [{ field: 'service_id' }] } });
    const service_id = stack.sandbox.ledger(known).orders[0]?.id;
    const started = await post(path, { service_id }, 20);
    expect(started).toMatchObject({
      status: 201,
      body: { service_id, status: 'refund_processing', value: null },
    });
    expect(await post(path, { service_id })).toMatchObject({ status: 200, body: { service_id } });
    expect(stack.sandbox.ledger(known).refunds).toHaveLength(1);
  });

  test('of one order under two codes is requested once', async () => {
    const [code, other] = [newCode(), newCode()];
    await paidCardOrder(code);
    const service_id = stack.sandbox.ledger(code).orders[0]?.id;
    const first = await post(`/v1/orders/${code}/refund`, {}, 20);
    expect(first).toMatchObject({ status: 201, body: { workflow_id: `refund-${String(service_id)}` } });
    expect(await post(`/v1/orders/${other}/refund`, { service_id })).toMatchObject({ status: 409 });
    expect(stack.sandbox.ledger(code).refunds).toHaveLength(1);
  });

  test('of another value than its order is refused by name, whoever starts it', async () => {
    const code = newCode();
    await paidCardOrder(code);
    expect(await post(`/v1/orders/${code}/refund`, { value: 10 })).toMatchObject({
      status: 400,
      body: {
        errors: [{ field: 'value', message: expect.stringContaining('only the whole order') as string }],
      },
    });
    const service_id = String(stack.sandbox.ledger(code).orders[0]?.id);
    const { client, taskQueue } = stack.server;
    const payments = createPaymentsClient({ client, taskQueue });
    const { payment } = await payments.startRefund({ partner_code: code, service_id, value: 10 });
    const state = await payment.awaitStatus({ statuses: ['rejected'], timeout_seconds: 30 });
    expect(state).toMatchObject({ attention: 'invalid_input', status: 'rejected' });
    expect(state.attention_detail).toContain('only the whole order can be refunded');
    expect(stack.sandbox.ledger(code).refunds).toHaveLength(0);
  });

  test('of an order that was denied is refused with that reason, and taken once a fresh read shows it as paid', async () => {
    const code = newCode();
    await post('/v1/orders/card', { ...order(code), credit_card: card() }, 20);
    stack.sandbox.setOrderStatus(code, 'denied');
    await until(`/v1/orders/${code}`, 'denied');
    expect(await post(`/v1/orders/${code}/refund`)).toMatchObject({
      status: 409,
      body: { reason: 'NotCharged', detail: expect.stringContaining('reads as denied') as string },
    });
    stack.sandbox.postbacks('off');
    stack.sandbox.setOrderStatus(code, 'paid');
    expect((await post(`/v1/orders/${code}/refund`)).status).toBeLessThan(300);
    await until(`/v1/orders/${code}/refund`, 'refund_processing');
  });

  test.for([
    ['card', {}, { credit_card: card() }],
    ['checkout', { redirect_url: 'https://shop.example/thanks' }, {}],
    ['3ds', {}, {}],
  ] as const)(
    'of a %s order that nobody has paid is refused with that reason',
    async ([kind, fields, more]) => {
      stack.sandbox.postbacks('off');
      const code = newCode();
      await post(`/v1/orders/${kind}`, { ...order(code, fields), ...more }, 20);
      expect(await post(`/v1/orders/${code}/refund`)).toMatchObject({
        status: 409,
        body: { reason: 'NotCharged', detail: expect.stringContaining('reads as waiting_payment') as string },
      });
      expect(stack.sandbox.ledger(code).refunds).toHaveLength(0);
    },
  );

  test('of an order that never got an identifier is refused', async () => {
    const code = newCode();
    await post('/v1/orders/card', order(code), 20);
    expect(await post(`/v1/orders/${code}/refund`)).toMatchObject({
      status: 409,
      body: { reason: 'NotSubmitted' },
    });
  });

  test('that the service refuses is retried and resolved by an operator', async () => {
    const code = newCode();
    await paidCardOrder(code);
    const path = `/v1/orders/${code}/refund`;
    const refuse = () => {
      stack.sandbox.fault({ endpoint: 'PUT /v1/order/{id}/refund', partner_code: code, fault: '422' });
    };
    refuse();
    expect(await post(path, {}, 20)).toMatchObject({
      status: 201,
      body: { status: 'rejected', attention: 'refund_failed' },
    });
    refuse();
    expect(await post(`${path}/retry`, { reason: 'once more' })).toMatchObject({ status: 200 });
    await until(path, 'rejected');
    const acknowledged = { attention: 'refund_failed', reason: 'seen' };
    expect(await post(`${path}/acknowledge`, acknowledged)).toMatchObject({
      status: 409,
      body: { reason: 'DecisionNeeded' },
    });
    expect(await post(`${path}/resolve`, { outcome: 'perhaps' })).toMatchObject({ status: 400 });
    const resolved = await post(`${path}/resolve`, { outcome: 'not_refunded', reason: 'paid in cash' });
    expect(resolved).toMatchObject({ status: 200, body: { status: 'resolved', outcome: 'not_refunded' } });
    expect(stack.sandbox.ledger(code).refunds).toHaveLength(0);
  });

  test('that was never requested is not found', async () => {
    const answer = await call(stack.url, 'GET', `/v1/orders/${newCode()}/refund`, { key: stack.apiKey });
    expect(answer.status).toBe(404);
  });
});

describe('an account validation over HTTP', () => {
  test('is answered by a postback, as it came and not verified', async () => {
    const partner_code = newCode();
    const body = {
      partner_code,
      first_name: 'Ana',
      last_name: 'Souza',
      document: '52998224725',
      bank_code: '001',
      account: '12345-6',
    };
    const started = await post('/v1/account-validations', body, 20);
    expect(started).toMatchObject({
      status: 201,
      headers: { location: `/v1/account-validations/${partner_code}` },
      body: { status: 'awaiting_answer' },
    });
    stack.sandbox.setValidationStatus(partner_code, 'valid');
    const answered = await until(`/v1/account-validations/${partner_code}`, 'answered');
    expect(answered.body).toMatchObject({
      status: 'answered',
      answer: { source: 'postback', verified: false, body: { status: 'valid' } },
    });
    expect(await post('/v1/account-validations', body)).toMatchObject({ status: 200 });
    expect(await post('/v1/account-validations', { ...body, account: '1' })).toMatchObject({ status: 409 });
    expect(stack.sandbox.ledger(partner_code).validations).toHaveLength(1);
  });
});

describe('a lost card of a 3D Secure order', () => {
  test('is discarded when the completion is refused, and never shown', async () => {
    const code = newCode();
    const answer = await post(`/v1/orders/${code}/3ds-completion`, {
      callback: 'x',
      eci: '05',
      credit_card: card(),
    });
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('4111111111111111');
  });

  test('needs to be given once: neither beside its reference nor not at all', async () => {
    const path = `/v1/orders/${newCode()}/3ds-completion`;
    expect(await post(path, { callback: 'x', eci: '05' })).toMatchObject({ status: 400 });
  });
});
