import { expect, test } from 'vitest';
import { readCreation } from '../../src/payments-service/creation.js';
import { answers, startRawServer } from './raw-server.js';
import { call, cardOrder, pixPayout, serviceAt } from './support.js';

test.each([
  ['a string id', '{"id":"ord_1","status":"claimed"}', 'ord_1', 'claimed'],
  ['an integer id', '{"id":4711,"status":"claimed"}', '4711', 'claimed'],
  ['a nested payout', '{"payout":{"id":4711,"status":"claimed"}}', '4711', 'claimed'],
  ['a nested order', '{"order":{"id":"x","status":"waiting_payment"}}', 'x', 'waiting_payment'],
  [
    'a nested thing in an envelope',
    '{"status":"ok","payout":{"id":7,"status":"processing"}}',
    '7',
    'processing',
  ],
  ['extra fields', '{"id":"1","status":"done","fee":1,"x":{"y":[]}}', '1', 'done'],
  ['no id', '{"status":"claimed"}', null, 'claimed'],
  ['a null id', '{"id":null,"status":"claimed"}', null, 'claimed'],
  ['an empty id', '{"id":"","status":"claimed"}', null, 'claimed'],
  [
    'an id that no number can hold',
    '{"id":9007199254740993,"status":"claimed"}',
    '9007199254740993',
    'claimed',
  ],
  ['digits within a text', '{"id":"a 9007199254740993\\"","status":"claimed"}', null, 'claimed'],
  ['a huge integer id', '{"id":1e40,"status":"claimed"}', null, 'claimed'],
  ['a broken number as id', '{"id":1.5,"status":"claimed"}', null, 'claimed'],
  ['an id that climbs', '{"id":"..","status":"claimed"}', null, 'claimed'],
  ['an object as id', '{"id":{"a":1},"status":"claimed"}', null, 'claimed'],
  ['no status', '{"id":"1"}', '1', null],
  ['a status of another type', '{"id":"1","status":5}', '1', null],
  ['a status in another case', '{"id":"1","status":" Waiting Payment "}', '1', 'waiting_payment'],
  ['an unknown status', '{"id":"1","status":"on_hold"}', '1', 'on_hold'],
  ['nothing at all', '{}', null, null],
  ['a byte order mark', '\uFEFF{"id":"1","status":"done"}', '1', 'done'],
])('an answer with %s is understood', async (_, body, id, status) => {
  const server = await startRawServer(answers(201, body));
  const result = await serviceAt(server.url).requestRefund('1', call);
  expect(result).toMatchObject({ outcome: 'answered', value: { id, status } });
});

test.each([200, 201, 202])('%i is a success, also when it is empty', async (status) => {
  const full = await startRawServer(answers(status, '{"id":"1","status":"done"}'));
  const empty = await startRawServer(answers(status, ''));
  expect(await serviceAt(full.url).createPixPayout(pixPayout, call)).toMatchObject({ outcome: 'answered' });
  expect(await serviceAt(empty.url).requestRefund('1', call)).toEqual({
    outcome: 'answered',
    value: { id: null, status: null, answer: null },
  });
});

const failed = '{"error":true,"message":"Saldo insuficiente"}';
const unknownWith = (what: string, words?: string) => ({
  ...{ outcome: 'unknown', httpStatus: null, reason: `The service answered with success, and ${what}.` },
  ...(words !== undefined && { words }),
});

test.each([
  [failed, unknownWith('says that it failed', 'error: true; message: Saldo insuficiente')],
  ['{"message":"queued"}', unknownWith('gave no usable identifier', 'message: queued')],
  ['{"status":"claimed"}', unknownWith('gave no usable identifier', 'status: claimed')],
  ['', unknownWith('gave no usable identifier')],
])('a payout and a card order that are answered 200 and %s are not called taken', async (body, unknown) => {
  const server = await startRawServer(answers(200, body));
  const service = serviceAt(server.url);
  expect(await service.createPixPayout(pixPayout, call)).toEqual(unknown);
  expect(await service.createCardOrder(cardOrder, call)).toEqual(unknown);
});

test.each([
  ['{"success":false}', 'unknown'],
  ['{"id":"7","status":"paid","success":false}', 'unknown'],
  ['{"success":"false"}', 'unknown'],
  ['{"success":0}', 'unknown'],
  ['{"data":{"success":false}}', 'unknown'],
  ['{"status":"error","message":"Saldo insuficiente"}', 'unknown'],
  ['{"status":"denied"}', 'unknown'],
  ['{"errors":["already refunded"]}', 'unknown'],
  ['{"success":true,"errors":[]}', 'answered'],
  ['{"message":"queued"}', 'answered'],
])('a refund that is answered 200 and %s is %s', async (body, outcome) => {
  const server = await startRawServer(answers(200, body));
  expect(await serviceAt(server.url).requestRefund('7', call)).toMatchObject({ outcome });
});

test('a list keeps the digits of identifiers that no number can hold', async () => {
  const body = '{"payouts":[{"id":9007199254740993,"status":"done","value":19.9}],"total_pages":1}';
  const server = await startRawServer(answers(200, body));
  expect(
    await serviceAt(server.url).listPayouts(
      { page: 1, per_page: 200, sort: 'created_at', direction: 'desc' },
      call,
    ),
  ).toMatchObject({
    value: { payouts: [{ id: '9007199254740993', valueCentavos: 1990 }] },
  });
});

test('204 is a success of a creating call, and no answer to a read', async () => {
  const server = await startRawServer(answers(204));
  const service = serviceAt(server.url);
  expect(await service.requestRefund('1', call)).toMatchObject({ outcome: 'answered' });
  expect(await service.readOrder('1', call)).toMatchObject({ outcome: 'unknown' });
});

test.each([
  ['23793.38128 60000.000000 00000.000000 1 30569309025904', true],
  ['4111 1111 1111 1111 123 12/2030', false],
  ['4111 1111 1111 1111 4111 1111 1111 1111 4111 1111 1111 1111', false],
])('of the digits "%s" an answer keeps all: %s', async (digits, isKept) => {
  const server = await startRawServer(answers(201, JSON.stringify({ id: '1', line: digits })));
  const result = await serviceAt(server.url).createPixPayout(pixPayout, call);
  const line = result.outcome === 'answered' ? result.value.answer?.line : undefined;
  expect(line === digits).toBe(isKept);
});

test('a number that could be that of a card is not kept, but as an identifier', async () => {
  const server = await startRawServer(
    answers(201, '{"id":"1","n":371449635398431,"order_id":371449635398431,"score":0.4532015112830366}'),
  );
  const result = await serviceAt(server.url).createPixPayout(pixPayout, call);
  expect(result).toMatchObject({
    value: { answer: { n: '…', order_id: 371449635398431, score: 0.4532015112830366 } },
  });
});

test('the answer of an undocumented call comes along, bounded', async () => {
  const body = {
    url: 'https://pay.example/c/4111111111111111',
    deep: { a: [1, { b: 2 }] },
    long: 'x'.repeat(9_000),
  };
  const server = await startRawServer(answers(200, JSON.stringify(body)));
  const result = await serviceAt(server.url).validateAccount(
    { partner_code: 'v-1', notification_url: 'https://oms.example' },
    call,
  );
  expect(result).toMatchObject({
    outcome: 'answered',
    value: { answer: { url: body.url, deep: body.deep, long: 'x'.repeat(2_048) } },
  });
});

test('what is left out of the answer of an undocumented call is marked', async () => {
  const many = Array.from({ length: 101 }, (_, index) => `item ${String(index)}`);
  const nested = Array.from({ length: 9 }).reduce<object>((data) => ({ data }), { valid: false });
  const fields = Object.fromEntries(many.map((name) => [name, 1]));
  const body = { holder: 'JANE DOE', many, fields, nested };
  const server = await startRawServer(answers(200, JSON.stringify(body)));
  const validation = { partner_code: 'v-1', notification_url: 'https://oms.example' };
  expect(await serviceAt(server.url).validateAccount(validation, call)).toMatchObject({
    value: {
      answer: {
        holder: '…',
        many: [...many.slice(0, 100), '…'],
        fields: { 'item 99': 1, '…': '…' },
        nested: { data: { data: { data: { data: { data: { data: { data: '…' } } } } } } },
      },
    },
  });
});

test.for([
  [16, true],
  [17, false],
  [100, false],
] as const)('an answer with %s texts of 1,000 characters is kept: %s', ([times, isKept]) => {
  const read = readCreation({ id: '1', texts: Array(times).fill('4-'.repeat(500)) }, []);
  expect(read).toMatchObject({ id: '1', answer: isKept ? { id: '1' } : null });
});

test('an answer that is far too long to keep is searched for card numbers no further than to there', () => {
  let reads = 0;
  const text = {
    get long() {
      reads += 1;
      return '4-'.repeat(1_024);
    },
  };
  expect(readCreation({ id: '1', texts: Array(100).fill(text) }, [])).toMatchObject({ answer: null });
  expect(reads).toBeLessThan(20);
});

test('a payout is read with its money as centavos', async () => {
  const body = {
    id: '9',
    status: 'Done',
    value: 19.9,
    partner_code: 'salary-1',
    claimed_at: '2026-01-01T10:00:00Z',
  };
  const server = await startRawServer(answers(200, JSON.stringify(body)));
  expect(await serviceAt(server.url).readPayout('9', call)).toEqual({
    outcome: 'answered',
    value: {
      id: '9',
      status: 'done',
      partnerCode: 'salary-1',
      valueCentavos: 1990,
      claimedAt: '2026-01-01T10:00:00Z',
    },
  });
});

test.each([
  ['"value":"19.90"', { valueCentavos: 1990 }],
  ['"value":0', { valueCentavos: 0 }],
  ['"value":-1', { valueCentavos: -100 }],
  ['"value":19.9,"currency":"BRL"', { valueCentavos: 1990 }],
  ['"value":null,"amount":1.25', { valueCentavos: 125 }],
  ['"value":null', { valueCentavos: null }],
  ['"other":1', { valueCentavos: null }],
  ['"value":19.999', { valueCentavos: null, valueUnclear: '19.999' }],
  ['"value":"125,50"', { valueCentavos: null, valueUnclear: '"125,50"' }],
  ['"value":"much"', { valueCentavos: null, valueUnclear: '"much"' }],
  ['"value":""', { valueCentavos: null, valueUnclear: '""' }],
  ['"value":1e21', { valueCentavos: null, valueUnclear: '1e+21' }],
  ['"value":{"amount":1}', { valueCentavos: null, valueUnclear: '{"amount":1}' }],
  ['"value":19.9,"currency":"USD"', { valueCentavos: null, valueUnclear: '19.9 USD' }],
])('of a record with %s the amount is %j', async (fields, amount) => {
  const server = await startRawServer(answers(200, `{"id":"9",${fields}}`));
  const { value } = await serviceAt(server.url)
    .readOrder('9', call)
    .then((read) => ({ value: undefined, ...read }));
  expect(value).toEqual({ id: '9', status: null, partnerCode: null, ...amount });
});

test('a list of payouts is read whole, or not at all', async () => {
  const list = {
    payouts: [{ id: 1, status: 'claimed', partner_code: 'a', fee: 0.5, tax: {} }],
    total_pages: 3,
    current_page: 1,
  };
  const server = await startRawServer(answers(200, JSON.stringify(list)));
  const service = serviceAt(server.url);
  const query = { page: 1, per_page: 200, sort: 'created_at', direction: 'desc', status: undefined } as const;
  expect(await service.listPayouts(query, call)).toMatchObject({
    value: {
      payouts: [{ id: '1', partnerCode: 'a', value: null, fee: '0.50', tax: 'unreadable', paidAt: null }],
      totalPages: 3,
      currentPage: 1,
    },
  });
  expect(server.requests[0]).toContain(
    'GET /v1/payouts?page=1&per_page=200&sort=created_at&direction=desc HTTP/1.1',
  );

  const holes = await startRawServer(answers(200, JSON.stringify({ ...list, payouts: [null] })));
  expect(await serviceAt(holes.url).listPayouts(query, call)).toMatchObject({ outcome: 'unknown' });
});

test.each([
  ['{"token":"abc","expire_minutes":5,"type":"Bearer"}', { token: 'abc', expireMinutes: 5 }],
  ['{"token":"abc","expire_minutes":"5"}', { token: 'abc', expireMinutes: 5 }],
  ['{"token":"abc"}', { token: 'abc', expireMinutes: 30 }],
  ['{"token":"abc","expire_minutes":-1}', { token: 'abc', expireMinutes: 30 }],
])('the token answer %s is read', async (body, value) => {
  const server = await startRawServer(answers(200, body));
  expect(await serviceAt(server.url).authenticate()).toEqual({ outcome: 'answered', value });
});

test.each(['{}', '{"token":""}', '{"token":"a b"}', '{"token":5}', ''])(
  'a token answer of %s holds no token',
  async (body) => {
    const server = await startRawServer(answers(200, body));
    expect(await serviceAt(server.url).authenticate()).toMatchObject({ outcome: 'unknown' });
  },
);
