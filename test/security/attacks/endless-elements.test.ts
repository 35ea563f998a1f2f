import { describe, expect, test } from 'vitest';
import { maxElements, maxRecordsOfAPage } from '../../../src/payments-service/answer-bounds.js';
import { GrowingBuffer } from '../../../src/payments-service/growing-buffer.js';
import { readPayoutList, readRecord } from '../../../src/payments-service/wire.js';
import { answers, startRawServer } from '../../payments-service/raw-server.js';
import { call, pixPayout, serviceAt } from '../../payments-service/support.js';

const maxAnswerBytes = 1_048_576;
const whole = (unit: string, begin = '', end = '') =>
  begin + unit.repeat(Math.floor((maxAnswerBytes - begin.length - end.length) / unit.length)) + end;

describe('an answer of up to 1 MiB', () => {
  test.for([
    ['empty records', whole('{},', '{"payouts":[', '{}],"total_pages":1}')],
    ['numbers', whole('1,', '{"payouts":[', '1]}')],
    ['fields', whole('"a":1,', '{', '"b":1}')],
    ['tags', whole('<')],
    ['arrays in arrays', whole('[')],
    ['objects in objects', whole('{"a":')],
    [
      'levels behind brackets in a text',
      `{"a":"${']'.repeat(9_000)}","b":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
    ],
    ['a few thousand levels', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`],
  ])('of %s is not read: its elements are bounded, not its bytes alone', async ([, body]) => {
    const server = await startRawServer(answers(200, body));
    const service = serviceAt(server.url, { maxAnswerBytes });
    const read = await service.listPayouts({ page: 1, per_page: 200 }, call);
    expect(read).toMatchObject({ outcome: 'unknown', httpStatus: 200 });
    expect(read.outcome === 'unknown' && read.reason).toContain('it has too many elements');
    const refusing = await startRawServer(answers(422, body));
    const sent = await serviceAt(refusing.url, { maxAnswerBytes }).createPixPayout(pixPayout, call);
    expect(sent).toMatchObject({ outcome: 'unknown', httpStatus: 422 });
  });

  test('in chunks of one byte takes no more room than in one', () => {
    const received = new GrowingBuffer();
    for (let byte = 0; byte < maxAnswerBytes; byte += 1) received.add(Buffer.of(byte % 251));
    const bytes = received.bytes();
    expect(bytes.length).toBe(maxAnswerBytes);
    expect([0, 16_384, maxAnswerBytes - 1].map((at) => bytes[at])).toEqual(
      [0, 16_384, maxAnswerBytes - 1].map((at) => at % 251),
    );
    expect(bytes.buffer.byteLength).toBeLessThanOrEqual(2 * maxAnswerBytes + 2);
  });

  test.for(['9', ' ', 'a', '5555 '])('with one text or number of %j is read, and none of it kept', (unit) => {
    const text = unit.repeat(900_000 / unit.length);
    const record = readRecord({ id: text, status: text, partner_code: text, value: text, claimed_at: text });
    expect(record).toMatchObject({ id: null, status: null, partnerCode: null, claimedAt: null });
    expect(JSON.stringify(record).length).toBeLessThan(300);
  });
});

describe('a page of payouts', () => {
  const page = (records: number) => ({ payouts: Array.from({ length: records }, (_, id) => ({ id })) });

  test('holds at most twice as many records as are asked for', () => {
    expect(readPayoutList(page(maxRecordsOfAPage))?.payouts).toHaveLength(maxRecordsOfAPage);
    expect(readPayoutList(page(maxRecordsOfAPage + 1))).toBeUndefined();
  });

  test('as large as it may be asked for has far fewer elements than are taken', () => {
    const record = Object.fromEntries(
      Array.from({ length: 35 }, (_, field) => [`field_${String(field)}`, null]),
    );
    const text = JSON.stringify({ payouts: Array(200).fill(record) });
    expect(text.split(/[[{,]/).length).toBeLessThan(maxElements / 2);
  });
});

test.for([
  ['{"trace":"%","message":"partner_code already exists"}', 'unknown'],
  ['{"trace":"%","message":"is invalid"}', 'refused'],
  ['{"trace":"%","errors":{"already_exists":null}}', 'unknown'],
  ['{"trace":"%","a":[[[[[[[["PartnerCodeUsed"]]]]]]]]}', 'unknown'],
  ['<p>% c&oacute;digo j&aacute; registrado</p>', 'unknown'],
] as const)('the words of a refusal count wherever they stand: %s', async ([body, outcome]) => {
  const server = await startRawServer(answers(422, body.replace('%', 'at main. '.repeat(200))));
  expect(await serviceAt(server.url).createPixPayout(pixPayout, call)).toMatchObject({ outcome });
});

test('no more of an endless answer is read than the largest that is of use', async () => {
  let written = 0;
  const { url } = await startRawServer((socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(' '.repeat(65_536))) written += 65_536;
      socket.once('drain', more);
    };
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n', more);
  });
  const result = await serviceAt(url, { maxAnswerBytes }).createPixPayout(pixPayout, call);
  expect(result).toMatchObject({ outcome: 'unknown' });
  // What is of use, and what the sockets hold.
  expect(written).toBeLessThan(16 * maxAnswerBytes);
});

test.for([
  ['headers', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'],
  ['early hints', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
] as const)('%s that drip end with the time of a call', async ([, head, drop]) => {
  const { url } = await startRawServer((socket) => {
    socket.write(head);
    const drip = setInterval(() => socket.write(drop), 20);
    socket.on('close', () => {
      clearInterval(drip);
    });
  });
  const result = await serviceAt(url, { totalMs: 500 }).createPixPayout(pixPayout, call);
  expect(result).toMatchObject({ outcome: 'unknown' });
});
