import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { answers, response, type Behaviour } from './raw-server.js';
import { paid, resultOf } from './support.js';

const taken = '{"id":"7","status":"claimed"}';

const outcomeOf = (behave: Behaviour) => resultOf(behave, paid);

/** An answer whose body is not as it was asked for. */
const encoded =
  (encoding: string, body: Buffer, status = 201): Behaviour =>
  (socket) => {
    const headers = { 'content-encoding': encoding, 'content-length': String(body.length) };
    socket.write(response(status, '', headers));
    socket.write(body);
  };

describe('an answer that is compressed, though none was asked for,', () => {
  test.for([
    ['gzip', gzipSync(taken)],
    ['x-gzip', gzipSync(taken)],
    ['GZIP', gzipSync(taken)],
    ['deflate', deflateSync(taken)],
    ['deflate', deflateRawSync(taken)],
    ['br', brotliCompressSync(taken)],
    ['identity', Buffer.from(taken)],
    ['gzip', Buffer.from(taken)],
    ['utf-8', Buffer.from(taken)],
  ] as const)('by %s is read', async ([encoding, body]) => {
    const { result, server } = await outcomeOf(encoded(encoding, body));
    expect(result).toMatchObject({ outcome: 'answered', value: { id: '7' } });
    expect(server.received().toLowerCase()).toContain('accept-encoding: identity\r\n');
  });

  test.for([
    ['gzip', Buffer.from('taken'), 'it is not valid gzip'],
    ['gzip', gzipSync(taken).subarray(0, -9), 'it is not valid gzip'],
    ['gzip', gzipSync('x'.repeat(10_000_000)), 'it is too large'],
    ['br', brotliCompressSync('x'.repeat(10_000_000)), 'it is too large'],
    ['deflate', deflateSync('x'.repeat(10_000_000)), 'it is too large'],
    ['zstd', Buffer.from('taken'), 'its Content-Encoding is not known here'],
    ['gzip, gzip', gzipSync(gzipSync(taken)), 'its Content-Encoding is not known here'],
  ] as const)(
    'and by %s can not be read leaves the outcome unknown, and says why',
    async ([encoding, body, why]) => {
      const { result } = await outcomeOf(encoded(encoding, body));
      const reason = `The service answered 201, but its answer could not be read: ${why}.`;
      expect(result).toEqual({ outcome: 'unknown', reason, httpStatus: 201 });
    },
  );
});

test.for([
  [gzipSync('{"error":"is invalid"}'), 'refused'],
  [gzipSync('{"error":"partner_code already exists"}'), 'unknown'],
  [gzipSync('{"error":"is invalid"}').subarray(0, -9), 'unknown'],
] as const)('a refusal that is compressed (%#) is one by its words alone', async ([body, outcome]) => {
  const { result } = await outcomeOf(encoded('gzip', body, 422));
  expect(result).toMatchObject({ outcome, httpStatus: 422 });
});

test.for([
  [422, '{"error":"is inva', 'unknown'],
  [422, `{"error":"${'x'.repeat(2_000_000)}"}`, 'unknown'],
  [429, '{"error":"is inva', 'unknown'],
  [401, '{"error":"is inva', 'unauthorized'],
  [422, Buffer.from('{"error":"j\xe1 cadastrado"}', 'latin1'), 'unknown'],
  [422, Buffer.from('{"error":"n\xe3o aceito"}', 'latin1'), 'refused'],
] as const)(
  'of a %d whose words are lost or in Latin-1 (%#) nothing is taken for proof but its words',
  async ([status, body, outcome]) => {
    const { result } = await outcomeOf((socket) => {
      const length = typeof body === 'string' ? body.length + 9 : body.length;
      socket.write(response(status, '', { 'content-length': String(length) }));
      socket.end(body);
    });
    expect(result).toMatchObject({ outcome });
  },
);

const proceed = 'HTTP/1.1 100 Continue\r\nDate: today\r\n\r\n';
test.for([
  ['once', [proceed + response(201, taken)]],
  ['twice', [`${proceed}HTTP/1.0 100\r\n\r\n${response(201, taken)}`]],
  ['before the answer comes', [proceed, response(201, taken)]],
  ['byte by byte', [...proceed, response(201, taken)]],
] as const)('a 100 Continue that nobody asked for is passed over when it comes %s', async ([, parts]) => {
  const { result, server } = await outcomeOf((socket) => {
    socket.setNoDelay();
    const send = (at: number) => {
      const part = parts[at];
      if (part !== undefined) socket.write(part, () => setImmediate(send, at + 1));
    };
    send(0);
  });
  expect(result).toMatchObject({ outcome: 'answered', value: { id: '7' } });
  expect(server.requests).toHaveLength(1);
});

test('20 KiB of headers are read', async () => {
  const { result } = await outcomeOf(answers(201, taken, { 'x-proxy': 'x'.repeat(20_480) }));
  expect(result).toMatchObject({ outcome: 'answered', value: { id: '7' } });
});

const longHeader = { 'x-proxy': 'x'.repeat(102_400) };
const twoLengths = 'content-length: 2\r\ntransfer-encoding: chunked';

test.for([
  ['100 KiB of headers', response(201, taken, longHeader), 'its headers are too large'],
  ['lines without a carriage return', response(201, taken).replaceAll('\r', ''), 'it is no HTTP'],
  ['two lengths', `HTTP/1.1 201 Created\r\n${twoLengths}\r\n\r\n0\r\n\r\n`, 'its length'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.0\r\n', 'it is no HTTP'],
] as const)('of %s it is reported that the answer could not be read, and why', async ([, text, why]) => {
  const { result } = await outcomeOf((socket) => socket.write(text));
  expect(result.outcome === 'unknown' && result.reason).toContain(
    `The answer of the service could not be read: ${why}`,
  );
});
