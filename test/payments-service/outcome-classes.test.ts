import { expect, test } from 'vitest';
import { answers, response, startRawServer, type Behaviour } from './raw-server.js';
import { call, paid, pixPayout, refunded, resultOf, serviceAt } from './support.js';

test.each([400, 404, 405, 413, 415, 422, 501])(
  '%i is a refusal with the words of the service',
  async (httpStatus) => {
    const body = '{"errors":[{"field":"pix","message":"no such key"}]}';
    const { result } = await resultOf(answers(httpStatus, body), paid);
    const reason = `The service answered ${String(httpStatus)}.`;
    expect(result).toEqual({
      outcome: 'refused',
      reason,
      words: 'field: pix; message: no such key',
      httpStatus,
    });
  },
);

test.each([401, 403])(
  '%i requires another token, and is a refusal once the token is new',
  async (httpStatus) => {
    const { result } = await resultOf(answers(httpStatus), paid);
    expect(result).toMatchObject({ outcome: 'unauthorized' });
    const withNewToken = await resultOf(answers(httpStatus), (service) =>
      service.createPixPayout(pixPayout, { ...call, tokenIsNew: true }),
    );
    expect(withNewToken.result).toMatchObject({ outcome: 'refused', httpStatus });
  },
);

test.each([
  ['90', 90_000],
  ['86400', 3_600_000],
  ['-5', null],
  ['soon', null],
  [undefined, null],
  ['Mon, 01 Jan 2001 00:00:00 GMT', 0],
])('429 with Retry-After %s waits %s ms', async (header, retryAfterMs) => {
  const headers = header === undefined ? {} : { 'retry-after': header };
  const { result } = await resultOf(answers(429, '', headers), paid);
  expect(result).toEqual({ outcome: 'throttled', reason: 'The service answered 429.', retryAfterMs });
});

const created = '{"id":"1","status":"claimed"}';

test.each([203, 205, 206, 300, 304, 402, 406, 408, 409, 410, 425, 451, 500, 502, 503, 504, 599])(
  '%i leaves the outcome of a creating call unknown',
  async (httpStatus) => {
    const { result, server } = await resultOf(answers(httpStatus, created), paid);
    expect(result).toMatchObject({ outcome: 'unknown', httpStatus });
    expect(server.requests).toHaveLength(1);
  },
);

test.each([301, 302, 303, 307, 308])(
  'a %i is not followed, neither by a creating call nor by a read',
  async (status) => {
    const target = await startRawServer(answers(200, '{"id":"stolen","status":"claimed"}'));
    const server = await startRawServer(answers(status, '', { location: `${target.url}/elsewhere` }));
    const service = serviceAt(server.url);
    for (const result of [await paid(service), await refunded(service), await service.readPayout('1', call)])
      expect(result).toMatchObject({ outcome: 'unknown' });
    expect(target.connections()).toBe(0);
  },
);

const halfAnswer = response(200, '{"id":"1","status":"claimed"}', { 'content-length': '5000' });

const upgrade = 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';

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
  ['upgrades to something else', (socket) => void socket.write(upgrade)],
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
    const { result, server } = await resultOf(behave, refunded, { headersMs: 500, bodyMs: 500 });
    expect(result).toMatchObject({ outcome: 'unknown' });
    // Where the machine is busy, the time of a call may be over before what was sent is read.
    await expect.poll(() => [server.requests.length, server.connections()]).toEqual([1, 1]);
  },
);

test('the total time ends a call whose answer drips', async () => {
  const drips: Behaviour = (socket) => {
    socket.write(response(200, '', { 'content-length': '1000' }));
    const drip = setInterval(() => socket.write(' '), 20);
    socket.on('close', () => {
      clearInterval(drip);
    });
  };
  const { result } = await resultOf(drips, refunded, { totalMs: 2_000 });
  expect(result).toMatchObject({ outcome: 'unknown' });
});

test('a refusal whose words break off is none: they may say that there is such a payment', async () => {
  const breaksOff: Behaviour = (socket) =>
    socket.end(response(422, '{"message":"no', { 'content-length': '5000' }));
  const { result } = await resultOf(breaksOff, paid);
  const reason: unknown = expect.stringContaining('it broke off');
  expect(result).toMatchObject({ outcome: 'unknown', httpStatus: 422, reason });
});

test('an early 103 is no answer', async () => {
  const { result } = await resultOf((socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
    socket.write(response(201, '{"id":"7","status":"claimed"}'));
  }, paid);
  expect(result).toMatchObject({ outcome: 'answered', value: { id: '7' } });
});
