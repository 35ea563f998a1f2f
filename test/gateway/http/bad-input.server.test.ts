import { WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { card, cardOrder, newCode, pan, pixPayout, transferPayout } from '../requests.js';
import { startTestGateway } from '../test-gateway.js';
import type { Answer, TestGateway } from '../test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const isProblem = (answer: Answer, status: number) => {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toContain('application/problem+json');
  expect(answer.body.status).toBe(status);
  expect(answer.text).toContain('"type":"urn:durable-payments:problem:');
  for (const part of [answer.body.title, answer.body.detail]) expect(part).toMatch(/\w/);
};

const fieldsOf = (answer: Answer) => new Set(answer.body.errors.map(({ field }) => field));

const nothingStarted = async (workflowId: string) =>
  expect(gateway.server.client.workflow.getHandle(workflowId).describe()).rejects.toThrow(
    WorkflowNotFoundError,
  );

describe('a payout with', () => {
  const faults: [string, string, object][] = [
    ['a value of three decimals', 'value', { value: 1.234 }],
    ['a value of zero', 'value', { value: 0 }],
    ['a negative value', 'value', { value: -5 }],
    ['a value of 1e300', 'value', { value: 1e300 }],
    ['a value as text', 'value', { value: '150' }],
    ['a value below a centavo', 'value', { value: 1e-7 }],
    ['a malformed CPF', 'document', { document: '529.982.247-26' }],
    ['no first name', 'first_name', { first_name: undefined }],
    ['a pix key that is none', 'pix', { pix: 'not a key' }],
    ['a card number for a pix key', 'pix', { pix: pan }],
    ['a field that does not exist', 'pixx', { pixx: 'ana@example.com' }],
    ['an e-mail that is none', 'email', { email: 'ana' }],
  ];
  test.each(faults)(
    '%s is refused by its field %s, and nothing is started',
    async (_fault, field, change) => {
      const payout = pixPayout();
      const answer = await gateway.call('POST', '/v1/payouts/pix', { body: { ...payout, ...change } });
      isProblem(answer, 400);
      expect(answer.body.errors.map(({ field }) => field)).toContain(field);
      expect(answer.text).not.toContain(pan);
      await nothingStarted(`payout-${payout.partner_code}`);
    },
  );

  test.each(['a/b', 'with space', '', '-first', 'x'.repeat(65), 'order-r2'])(
    'the partner_code %o is refused',
    async (partnerCode) => {
      const answer = await gateway.call('POST', '/v1/payouts/pix', { body: pixPayout(partnerCode) });
      isProblem(answer, 400);
      expect(fieldsOf(answer)).toEqual(new Set(['partner_code']));
    },
  );

  test('a card number for an account is refused', async () => {
    const body = { ...transferPayout(), account: pan };
    const answer = await gateway.call('POST', '/v1/payouts/transfer', { body });
    isProblem(answer, 400);
    expect(fieldsOf(answer)).toEqual(new Set(['account']));
    expect(answer.text).not.toContain(pan);
  });

  test('several faults is answered with all of them at once', async () => {
    const body = { ...transferPayout(), value: -1, agency: '?', bank_code: 'x' };
    const answer = await gateway.call('POST', '/v1/payouts/transfer', { body });
    const fields = answer.body.errors.map(({ field }) => field);
    expect(fields.toSorted()).toEqual(['agency', 'bank_code', 'value']);
  });

  test('a notification_url or a poll_scale of its own is refused: neither is the caller’s to choose', async () => {
    const own = { notification_url: 'http://example.com', poll_scale: 0.1 };
    const answer = await gateway.call('POST', '/v1/payouts/pix', { body: { ...pixPayout(), ...own } });
    isProblem(answer, 400);
    expect(answer.text).toMatch(/notification_url.*poll_scale/);
  });
});

describe('a card order with', () => {
  const faults: [string, string, object][] = [
    ['a card that fails its check digit', 'credit_card.number', { number: '4111111111111112' }],
    ['a card number with blanks', 'credit_card.number', { number: '4111 1111 1111 1111' }],
    ['a past expiry', 'credit_card.due_date', { due_date: '01/2020' }],
    ['an expiry of another form', 'credit_card.due_date', { due_date: '12/30' }],
    ['an unknown brand', 'credit_card.brand', { brand: 'bancomat' }],
    ['a CVV of two digits', 'credit_card.cvv', { cvv: '12' }],
  ];
  test.each(faults)(
    '%s is refused by its field %s, and nothing is started',
    async (_fault, field, change) => {
      const order = cardOrder();
      const credit_card = { ...card(), ...change };
      for (const [path, body, name] of [
        ['/v1/orders/card', { ...order, credit_card }, field],
        ['/v1/cards', credit_card, field.replace('credit_card.', '')],
      ] as const) {
        const answer = await gateway.call('POST', path, { body });
        isProblem(answer, 400);
        expect(fieldsOf(answer)).toEqual(new Set([name]));
        expect(answer.text).not.toMatch(/(?<![\da-f-])\d{12}|(?<![\da-f])4111/);
      }
      await nothingStarted(`order-${order.order.partner_code}`);
    },
  );

  test('a card number where none belongs is refused without repeating it', async () => {
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
    ]) {
      const answer = await gateway.call('POST', '/v1/orders/card', { body });
      isProblem(answer, 400);
      expect(answer.text).not.toContain(pan);
    }
    await nothingStarted(`order-${order.order.partner_code}`);
  });

  test('a customer’s malformed CPF is refused by its path', async () => {
    const order = cardOrder();
    const body = { ...order, customer: { ...order.customer, document: '111.111.111-11' } };
    const answer = await gateway.call('POST', '/v1/orders/card', { body });
    expect(answer.body.errors).toMatchObject([{ field: 'customer.document' }]);
  });
});

describe('a request', () => {
  test('that is no JSON is refused without repeating any of it', async () => {
    const raw = `{"credit_card":{"number":"${pan}"`;
    const headers = { 'content-type': 'application/json' };
    const answer = await gateway.call('POST', '/v1/orders/card', { raw, headers });
    isProblem(answer, 400);
    expect(answer.text).not.toContain('4111');
  });

  test('with no body, or a body of another kind, is refused', async () => {
    isProblem(await gateway.call('POST', '/v1/payouts/pix'), 400);
    isProblem(await gateway.call('POST', '/v1/payouts/pix', { body: [] }), 400);
    const headers = { 'content-type': 'text/plain' };
    isProblem(await gateway.call('POST', '/v1/payouts/pix', { raw: 'hello', headers }), 415);
    isProblem(
      await gateway.call('POST', '/v1/payouts/pix', {
        raw: '',
        headers: { 'content-type': 'application/json' },
      }),
      400,
    );
  });

  test('with a body beyond 64 KiB is refused', async () => {
    const answer = await gateway.call('POST', '/v1/payouts/pix', { body: { junk: 'x'.repeat(70_000) } });
    isProblem(answer, 413);
  });

  test('to an address that is not there, or is no address, gets 404, 405 or 400', async () => {
    isProblem(await gateway.call('GET', `/v1/nothing/${pan}`), 404);
    isProblem(await gateway.call('DELETE', '/v1/payouts/x'), 405);
    const malformed = await gateway.call('GET', `/v1/payouts/%zz${pan}`);
    isProblem(malformed, 400);
    expect(malformed.text).not.toContain(pan);
  });

  test('for a payment that is unknown gets 404', async () => {
    isProblem(await gateway.call('GET', `/v1/payouts/${newCode()}`), 404);
    isProblem(await gateway.call('GET', `/v1/orders/${newCode()}`, { headers: { prefer: 'wait=5' } }), 404);
    isProblem(
      await gateway.call('POST', `/v1/payouts/${newCode()}/retry`, { body: { reason: 'a test' } }),
      404,
    );
  });

  test('with a query that can not be used names its field', async () => {
    const fields = async (path: string) =>
      (await gateway.call('GET', path)).body.errors.map(({ field }) => field);
    expect(await fields("/v1/payouts?status=x'%20OR%20'1")).toEqual(['status']);
    expect(await fields('/v1/payouts?attention=none')).toEqual(['attention']);
    expect(await fields('/v1/payouts?limit=0')).toEqual(['limit']);
    expect(await fields('/v1/payouts?cursor=AAAA')).toEqual(['cursor']);
    expect(await fields(`/v1/payouts/${newCode()}?until=a%20b`)).toEqual(['until']);
    expect(await fields(`/v1/orders/${newCode()}?until=refund_${pan}`)).toEqual(['until']);
    expect(await fields(`/v1/orders?status=refund_${pan}`)).toEqual(['status']);
    expect(await fields('/v1/payouts/bad%20code')).toEqual(['partner_code']);
  });
});

test('nothing of a card, a CPF or an e-mail stands in the log', async () => {
  await gateway.call('POST', '/v1/orders/card', { body: cardOrder() });
  await gateway.call('POST', '/v1/cards', { body: { ...card(), brand: pan } });
  await gateway.call('GET', `/v1/orders/${pan}`);
  await gateway.call('GET', `/${pan}`);
  const text = gateway.logs();
  expect(text).toContain('/v1/orders/card');
  for (const secret of [pan, '52998224725', 'ana@example.com', 'SOUZA']) expect(text).not.toContain(secret);
});
