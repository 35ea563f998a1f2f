import { describe, expect } from 'vitest';
import { test } from '../../support/gateway-without-temporal.js';
import { operatorKey, type Answer } from '../call.js';
import { card, cardOrder, newCode, pan, pixPayout, transferPayout } from '../requests.js';

// Whatever was started, or asked of Temporal, would be answered 503.
const isProblem = (answer: Answer, status: number) => {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toContain('application/problem+json');
  expect(answer.body.status).toBe(status);
  expect(answer.text).toContain('"type":"urn:durable-payments:problem:');
  for (const part of [answer.body.title, answer.body.detail]) expect(part).toMatch(/\w/);
  expect(answer.text).not.toContain(pan);
};
const fieldsOf = (answer: Answer) => {
  isProblem(answer, 400);
  return [...new Set(answer.body.errors.map(({ field }) => field))].toSorted();
};

describe('a payout with', () => {
  test.for<[string, string, object]>([
    ['a value of three decimals', 'value', { value: 1.234 }],
    ['a value as text', 'value', { value: '150' }],
    ['a malformed CPF', 'document', { document: '529.982.247-26' }],
    ['no first name', 'first_name', { first_name: undefined }],
    ['a pix key that is none', 'pix', { pix: 'not a key' }],
    ['a card number for a pix key', 'pix', { pix: pan }],
    ['an e-mail that is none', 'email', { email: 'ana' }],
    ['a code of two parts', 'partner_code', { partner_code: 'a/b' }],
    ['the code of a further attempt', 'partner_code', { partner_code: 'order-r2' }],
  ])('%s is refused by its field %s, and nothing is started', async ([, field, change], { gateway }) => {
    const body = { ...pixPayout(), ...change };
    expect(fieldsOf(await gateway.call('POST', '/v1/payouts/pix', { body }))).toEqual([field]);
  });

  test('several faults is answered with all of them at once', async ({ gateway }) => {
    const body = { ...transferPayout(), value: -1, agency: '?', bank_code: 'x', account: pan };
    const answer = await gateway.call('POST', '/v1/payouts/transfer', { body });
    expect(fieldsOf(answer)).toEqual(['account', 'agency', 'bank_code', 'value']);
  });

  test('a field that does not exist is refused, also one that is not the caller’s to choose', async ({
    gateway,
  }) => {
    const own = { notification_url: 'http://example.com', poll_scale: 0.1, pixx: 'ana@example.com' };
    const answer = await gateway.call('POST', '/v1/payouts/pix', { body: { ...pixPayout(), ...own } });
    isProblem(answer, 400);
    expect(answer.text).toMatch(/notification_url.*poll_scale.*pixx/);
  });
});

describe('a card order with', () => {
  test.for<[string, string, object]>([
    ['a card that fails its check digit', 'number', { number: '4111111111111112' }],
    ['a card number with blanks', 'number', { number: '4111 1111 1111 1111' }],
    ['a past expiry', 'due_date', { due_date: '01/2020' }],
    ['an expiry of another form', 'due_date', { due_date: '12/30' }],
    ['an unknown brand', 'brand', { brand: 'bancomat' }],
    ['a CVV of two digits', 'cvv', { cvv: '12' }],
  ])('%s is refused by its field %s, and nothing is started', async ([, field, change], { gateway }) => {
    const credit_card = { ...card(), ...change };
    for (const [path, body, name] of [
      ['/v1/orders/card', { ...cardOrder(), credit_card }, `credit_card.${field}`],
      ['/v1/cards', credit_card, field],
    ] as const) {
      const answer = await gateway.call('POST', path, { body });
      expect(fieldsOf(answer)).toEqual([name]);
      expect(answer.text).not.toMatch(/(?<![\da-f-])\d{12}|(?<![\da-f])4111/);
    }
  });

  test('a card number where none belongs is refused without repeating it', async ({ gateway }) => {
    const order = cardOrder();
    for (const body of [
      { ...order, order: { ...order.order, description: `card ${pan}` } },
      { ...order, customer: { ...order.customer, note: pan } },
      { ...order, risk: { card_number: '1' } },
      { ...order, [pan]: 1 },
      { ...order, customer: { ...order.customer, [pan]: {} } },
      { ...order, customer: { ...order.customer, [pan]: true } },
      { ...order, customer: { ...order.customer, note: Number(pan) } },
      { ...order, customer: { ...order.customer, name: `Ana ${pan}` } },
      { ...order, customer: { ...order.customer, phone: pan } },
      { ...order, customer: { ...order.customer, email: `${pan}@example.com` } },
      { ...order, order: { ...order.order, partner_code: pan } },
    ])
      isProblem(await gateway.call('POST', '/v1/orders/card', { body }), 400);
  });

  test('a customer’s malformed CPF is refused by its path', async ({ gateway }) => {
    const order = cardOrder();
    const body = { ...order, customer: { ...order.customer, document: '111.111.111-11' } };
    const answer = await gateway.call('POST', '/v1/orders/card', { body });
    expect(fieldsOf(answer)).toEqual(['customer.document']);
  });
});

describe('a request', () => {
  const json = { 'content-type': 'application/json' };
  test.for([
    ['that is no JSON', 400, { raw: `{"credit_card":{"number":"${pan}"`, headers: json }],
    ['with no body', 400, {}],
    ['with an empty body', 400, { raw: '', headers: json }],
    ['with a body of another shape', 400, { body: [] }],
    ['with a body of another type', 415, { raw: 'hello', headers: { 'content-type': 'text/plain' } }],
    ['with a body beyond 64 KiB', 413, { body: { junk: 'x'.repeat(70_000) } }],
  ] as const)('%s is refused with %i', async ([, status, options], { gateway }) => {
    isProblem(await gateway.call('POST', '/v1/payouts/pix', options), status);
  });

  test('to an address that is not there, or is no address, gets 404, 405 or 400', async ({ gateway }) => {
    isProblem(await gateway.call('GET', `/v1/nothing/${pan}`), 404);
    isProblem(await gateway.call('DELETE', '/v1/payouts/x'), 405);
    isProblem(await gateway.call('GET', `/v1/payouts/%zz${pan}`), 400);
  });

  test('with a query that can not be used names its field', async ({ gateway }) => {
    for (const [path, field] of [
      ["/v1/payouts?status=x'%20OR%20'1", 'status'],
      ['/v1/payouts?attention=none', 'attention'],
      ['/v1/payouts?limit=0', 'limit'],
      ['/v1/payouts?cursor=AAAA', 'cursor'],
      [`/v1/payouts/${newCode()}?until=a%20b`, 'until'],
      [`/v1/orders/${newCode()}?until=refund_${pan}`, 'until'],
      [`/v1/orders?status=refund_${pan}`, 'status'],
      ['/v1/payouts/bad%20code', 'partner_code'],
      ['/v1/changes?since=yesterday', 'since'],
      ['/v1/changes?since=2026-05-01', 'since'],
      ['/v1/changes', 'since'],
    ] as const)
      expect(fieldsOf(await gateway.call('GET', path)), path).toEqual([field]);
    const foreign = await gateway.call('GET', '/v1/changes?since=2026-05-01T00:00:00Z&owner=shop');
    isProblem(foreign, 400);
    expect(foreign.text).toContain('owner');
  });

  test.for([
    ['/v1/payouts?status=erro', 'status'],
    ['/v1/orders?status=compensatd', 'status'],
    ['/v1/payouts/any?until=doen', 'until'],
  ] as const)(
    'for a status that no payment can have is refused with those it can have (%s)',
    async ([path, field], { gateway }) => {
      const { body, status } = await gateway.call('GET', path);
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([
        { field, message: expect.stringContaining('compensated') as string },
      ]);
      // One of the service's own making is looked for at Temporal.
      expect((await gateway.call('GET', '/v1/orders?status=refund_pending')).status).toBe(503);
    },
  );
});

describe('a command', () => {
  test('needs a reason, and an object for a body', async ({ gateway }) => {
    for (const command of ['retry', 'abandon', 'resolve', 'acknowledge'])
      for (const options of [{}, { body: null }]) {
        const path = `/v1/payouts/any/${command}`;
        const answer = await gateway.call('POST', path, { ...options, key: operatorKey });
        isProblem(answer, 400);
        if (!('body' in options)) expect(fieldsOf(answer)).toContain('reason');
      }
  });

  test('with a field that can not be used names it', async ({ gateway }) => {
    for (const [path, body, field] of [
      ['payouts/any/retry', { attempt: 0, reason: 'why' }, 'attempt'],
      ['payouts/any/retry', { corrections: { document: '1' }, reason: 'why' }, 'corrections.document'],
      ['payouts/any/resolve', { reason: 'why' }, 'service_id'],
      ['orders/any/card', {}, 'credit_card'],
      ['bulk-retries', { bulk_retry_id: 'x' }, 'reason'],
      // Only as text is an identifier of 2^53 and more exact.
      ['orders/any/refund', { service_id: 2 ** 53 }, 'service_id'],
    ] as const) {
      const answer = await gateway.call('POST', `/v1/${path}`, { body, key: operatorKey });
      expect(fieldsOf(answer)).toEqual([field]);
    }
  });
});

test('nothing of a card, a CPF or an e-mail stands in the log', async ({ gateway }) => {
  await gateway.call('POST', '/v1/orders/card', { body: cardOrder() });
  await gateway.call('POST', '/v1/cards', { body: { ...card(), brand: pan } });
  await gateway.call('GET', `/v1/orders/${pan}`);
  await gateway.call('GET', `/${pan}`);
  const text = gateway.logs();
  expect(text).toContain('/v1/orders/card');
  for (const secret of [pan, '52998224725', 'ana@example.com', 'SOUZA']) expect(text).not.toContain(secret);
});
