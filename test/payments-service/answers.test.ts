import { expect, test } from 'vitest';
import { readCreation } from '../../src/payments-service/creation.js';
import type { PaymentsService } from '../../src/payments-service/payments-service.js';
import { answers } from './raw-server.js';
import { call, cardOrder, paid, refunded, resultOf, validation } from './support.js';

/** What a call comes to that is answered so. */
const answered = async <Result>(
  make: (service: PaymentsService) => Promise<Result>,
  body: string | object,
  status = 200,
) => (await resultOf(answers(status, typeof body === 'string' ? body : JSON.stringify(body)), make)).result;

test.each([
  ['a string id', '{"id":"ord_1","status":"claimed"}', 'ord_1', 'claimed'],
  ['an integer id', '{"id":4711,"status":"claimed"}', '4711', 'claimed'],
  ['a nested payout', '{"payout":{"id":4711,"status":"claimed"}}', '4711', 'claimed'],
  ['a nested order', '{"order":{"id":"x","status":"waiting_payment"}}', 'x', 'waiting_payment'],
  ['an envelope', '{"status":"ok","payout":{"id":7,"status":"processing"}}', '7', 'processing'],
  ['extra fields', '{"id":"1","status":"done","fee":1,"x":{"y":[]}}', '1', 'done'],
  ['no id', '{"status":"claimed"}', null, 'claimed'],
  ['a null id', '{"id":null,"status":"claimed"}', null, 'claimed'],
  ['an empty id', '{"id":"","status":"claimed"}', null, 'claimed'],
  ['an id beyond numbers', '{"id":9007199254740993,"status":"claimed"}', '9007199254740993', 'claimed'],
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
  expect(await answered(refunded, body, 201)).toMatchObject({ outcome: 'answered', value: { id, status } });
});

test.each([200, 201, 202])('%i is a success, also when it is empty', async (status) => {
  expect(await answered(paid, '{"id":"1","status":"done"}', status)).toMatchObject({ outcome: 'answered' });
  const value = { id: null, status: null, answer: null };
  expect(await answered(refunded, '', status)).toEqual({ outcome: 'answered', value });
});

test('204 is a success of a creating call, and no answer to a read', async () => {
  const read = (service: PaymentsService) => service.readOrder('1', call);
  expect(await answered(refunded, '', 204)).toMatchObject({ outcome: 'answered' });
  expect(await answered(read, '', 204)).toMatchObject({ outcome: 'unknown' });
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
  expect(await answered(paid, body)).toEqual(unknown);
  expect(await answered((service) => service.createCardOrder(cardOrder, call), body)).toEqual(unknown);
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
  expect(await answered(refunded, body)).toMatchObject({ outcome });
});

test.each([
  ['23793.38128 60000.000000 00000.000000 1 30569309025904', true],
  ['4111 1111 1111 1111 123 12/2030', false],
  ['4111 1111 1111 1111 4111 1111 1111 1111 4111 1111 1111 1111', false],
])('of the digits "%s" an answer keeps all: %s', async (digits, isKept) => {
  const result = await answered(paid, { id: '1', line: digits });
  const line = result.outcome === 'answered' ? result.value.answer?.line : undefined;
  expect(line === digits).toBe(isKept);
});

test('a number that could be that of a card is not kept, but as an identifier', async () => {
  const body = '{"id":"1","n":371449635398431,"order_id":371449635398431,"score":0.4532015112830366}';
  const answer = { n: '…', order_id: 371449635398431, score: 0.4532015112830366 };
  expect(await answered(paid, body)).toMatchObject({ value: { answer } });
});

const validated = (service: PaymentsService) => service.validateAccount(validation, call);

test('the answer of an undocumented call comes along, bounded', async () => {
  const kept = { url: 'https://pay.example/c/4111111111111111', deep: { a: [1, { b: 2 }] } };
  expect(await answered(validated, { ...kept, long: 'x'.repeat(9_000) })).toMatchObject({
    ...{ outcome: 'answered', value: { answer: { ...kept, long: 'x'.repeat(2_048) } } },
  });
});

test('what is left out of the answer of an undocumented call is marked', async () => {
  const many = Array.from({ length: 101 }, (_, index) => `item ${String(index)}`);
  const nested = Array.from({ length: 9 }).reduce<object>((data) => ({ data }), { valid: false });
  const fields = Object.fromEntries(many.map((name) => [name, 1]));
  const answer = {
    ...{ holder: '…', many: [...many.slice(0, 100), '…'], fields: { 'item 99': 1, '…': '…' } },
    nested: { data: { data: { data: { data: { data: { data: { data: '…' } } } } } } },
  };
  const result = await answered(validated, { holder: 'JANE DOE', many, fields, nested });
  expect(result).toMatchObject({ value: { answer } });
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
  const [status, claimedAt] = ['done', '2026-01-01T10:00:00Z'];
  const record = { id: '9', status: 'Done', value: 19.9, partner_code: 'salary-1', claimed_at: claimedAt };
  expect(await answered((service) => service.readPayout('9', call), record)).toEqual({
    outcome: 'answered',
    value: { id: '9', status, partnerCode: 'salary-1', valueCentavos: 1990, claimedAt },
  });
});

const unclear = (valueUnclear: string) => ({ valueCentavos: null, valueUnclear });

test.each([
  ['"value":"19.90"', { valueCentavos: 1990 }],
  ['"value":0', { valueCentavos: 0 }],
  ['"value":-1', { valueCentavos: -100 }],
  ['"value":19.9,"currency":"BRL"', { valueCentavos: 1990 }],
  ['"value":null,"amount":1.25', { valueCentavos: 125 }],
  ['"value":null', { valueCentavos: null }],
  ['"other":1', { valueCentavos: null }],
  ['"value":19.999', unclear('19.999')],
  ['"value":"125,50"', unclear('"125,50"')],
  ['"value":"much"', unclear('"much"')],
  ['"value":""', unclear('""')],
  ['"value":1e21', unclear('1e+21')],
  ['"value":{"amount":1}', unclear('{"amount":1}')],
  ['"value":19.9,"currency":"USD"', unclear('19.9 USD')],
])('of a record with %s the amount is %j', async (fields, amount) => {
  const result = await answered((service) => service.readOrder('9', call), `{"id":"9",${fields}}`);
  const value = { id: '9', status: null, partnerCode: null, ...amount };
  expect(result).toEqual({ outcome: 'answered', value });
});

test('a list of payouts is read whole, with all digits of identifiers, or not at all', async () => {
  const query = { page: 1, per_page: 200, sort: 'created_at', direction: 'desc', status: undefined } as const;
  const listed = (service: PaymentsService) => service.listPayouts(query, call);
  const fields = '"status":"claimed","partner_code":"a","fee":0.5,"tax":{}';
  const list = `{"payouts":[{"id":9007199254740993,${fields}}],"total_pages":3,"current_page":1}`;
  const { result, server } = await resultOf(answers(200, list), listed);
  const payout = { id: '9007199254740993', partnerCode: 'a', value: null, fee: '0.50', tax: 'unreadable' };
  expect(result).toMatchObject({
    value: { payouts: [{ ...payout, paidAt: null }], totalPages: 3, currentPage: 1 },
  });
  const asked = 'GET /v1/payouts?page=1&per_page=200&sort=created_at&direction=desc HTTP/1.1';
  expect(server.requests[0]).toContain(asked);
  expect(await answered(listed, '{"payouts":[null],"total_pages":3}')).toMatchObject({ outcome: 'unknown' });
});

test.for<[string, object | null]>([
  ['{"token":"abc","expire_minutes":5,"type":"Bearer"}', { token: 'abc', expireMinutes: 5 }],
  ['{"token":"abc","expire_minutes":"5"}', { token: 'abc', expireMinutes: 5 }],
  ['{"token":"abc"}', { token: 'abc', expireMinutes: 30 }],
  ['{"token":"abc","expire_minutes":-1}', { token: 'abc', expireMinutes: 30 }],
  ...['{}', '{"token":""}', '{"token":"a b"}', '{"token":5}', ''].map((body): [string, null] => [body, null]),
])('the token answer %s holds the token %j', async ([body, value]) => {
  const result = await answered((service) => service.authenticate(), body);
  expect(result).toMatchObject(value === null ? { outcome: 'unknown' } : { outcome: 'answered', value });
});
