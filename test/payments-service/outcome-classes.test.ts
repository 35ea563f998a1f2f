import { expect, test } from 'vitest';
import { answers, response, startRawServer, type Behaviour } from './raw-server.js';
import { call, pixPayout, serviceAt } from './support.js';

test.each([400, 404, 405, 413, 415, 422, 501])(
  '%i is a refusal with the words of the service',
  async (status) => {
    const server = await startRawServer(
      answers(status, '{"errors":[{"field":"pix","message":"no such key"}]}'),
    );
    const result = await serviceAt(server.url).createPixPayout(pixPayout, call);
    expect(result).toEqual({
      outcome: 'refused',
      reason: `The service answered ${String(status)}.`,
      words: 'field: pix; message: no such key',
      httpStatus: status,
    });
  },
);

test.each([401, 403])('%i requires another token, and is a refusal once the token is new', async (status) => {
  const server = await startRawServer(answers(status));
  const service = serviceAt(server.url);
  expect(await service.createPixPayout(pixPayout, call)).toMatchObject({ outcome: 'unauthorized' });
  const withNewToken = await service.createPixPayout(pixPayout, { ...call, tokenIsNew: true });
  expect(withNewToken).toMatchObject({ outcome: 'refused', httpStatus: status });
});

test.each([
  ['90', 90_000],
  ['86400', 3_600_000],
  ['-5', null],
  ['soon', null],
  [undefined, null],
  ['Mon, 01 Jan 2001 00:00:00 GMT', 0],
])('429 with Retry-After %s waits %s ms', async (header, retryAfterMs) => {
  const server = await startRawServer(
    answers(429, '', header === undefined ? {} : { 'retry-after': header }),
  );
  const result = await serviceAt(server.url).createPixPayout(pixPayout, call);
  expect(result).toEqual({ outcome: 'throttled', reason: 'The service answered 429.', retryAfterMs });
});

test.each([203, 205, 206, 300, 304, 402, 406, 408, 409, 410, 425, 451, 500, 502, 503, 504, 599])(
  '%i leaves the outcome of a creating call unknown',
  async (status) => {
    const server = await startRawServer(answers(status, 'what?'));
    const result = await serviceAt(server.url).createPixPayout(pixPayout, call);
    expect(result).toMatchObject({ outcome: 'unknown', httpStatus: status });
    expect(server.requests).toHaveLength(1);
  },
);

test.each([301, 302, 303, 307, 308])(
  'a %i is not followed, neither by a creating call nor by a read',
  async (status) => {
    const target = await startRawServer(answers(200, '{"id":"stolen","status":"claimed"}'));
    const server = await startRawServer(answers(status, '', { location: `${target.url}/elsewhere` }));
    const service = serviceAt(server.url);
    expect(await service.createPixPayout(pixPayout, call)).toMatchObject({ outcome: 'unknown' });
    expect(await service.requestRefund('1', call)).toMatchObject({ outcome: 'unknown' });
    expect(await service.readPayout('1', call)).toMatchObject({ outcome: 'unknown' });
    expect(target.connections()).toBe(0);
  },
);

const halfAnswer = response(200, '{"id":"1","status":"claimed"}', { 'content-length': '5000' });

const losses: [string, Behaviour][] = [
  ['resets the connection', (socket) => socket.resetAndDestroy()],
  ['ends the connection', (socket) => socket.end()],
  ['breaks off in the status line', (socket) => socket.end('HTTP/1.1 2')],
  ['breaks off in the headers', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le')],
  ['breaks off in the body', (socket) => socket.end(halfAnswer)],
  ['speaks another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.0\r\n')],
  ['answers nothing', () => undefined],
  ['stalls in the headers', (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-')],
  ['stalls in the body', (socket) => void socket.write(halfAnswer)],
  [
    'upgrades to something else',
    (socket) => void socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  ],
  ['answers more than is read', answers(200, JSON.stringify({ id: '1', pad: 'x'.repeat(100_000) }))],
  ['answers a page', answers(200, '<html>Welcome</html>', { 'content-type': 'text/html' })],
  ['answers half of a JSON text', answers(201, '{"id":"1","sta')],
  ['answers a list', answers(200, '[]')],
  ['answers a text', answers(200, '"ok"')],
  ['answers null', answers(200, 'null')],
];

test.each(losses)(
  'a service that %s leaves the outcome unknown, and nothing is sent twice',
  async (_, behave) => {
    const server = await startRawServer(behave);
    const soon = { headersMs: 500, bodyMs: 500 };
    const result = await serviceAt(server.url, soon).requestRefund('order-1', call);
    expect(result).toMatchObject({ outcome: 'unknown' });
    expect(server.requests).toHaveLength(1);
    expect(server.connections()).toBe(1);
  },
);

test('the total time ends a call whose answer drips', async () => {
  let drip: NodeJS.Timeout | undefined;
  const server = await startRawServer((socket) => {
    socket.write(response(200, '', { 'content-length': '1000' }));
    drip = setInterval(() => socket.write(' '), 20);
    socket.on('close', () => {
      clearInterval(drip);
    });
  });
  const result = await serviceAt(server.url, { totalMs: 2_000 }).requestRefund('order-1', call);
  expect(result).toMatchObject({ outcome: 'unknown' });
});

test('a refusal whose words break off is none: they may say that there is such a payment', async () => {
  const server = await startRawServer((socket) => {
    socket.end(response(422, '{"message":"no', { 'content-length': '5000' }));
  });
  const result = await serviceAt(server.url).createPixPayout(pixPayout, call);
  expect(result).toMatchObject({ outcome: 'unknown', httpStatus: 422 });
  expect(result.outcome === 'unknown' && result.reason).toContain('it broke off');
});

test('an early 103 is no answer', async () => {
  const server = await startRawServer((socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
    socket.write(response(201, '{"id":"7","status":"claimed"}'));
  });
  const result = await serviceAt(server.url).createPixPayout(pixPayout, call);
  expect(result).toMatchObject({ outcome: 'answered', value: { id: '7' } });
});
