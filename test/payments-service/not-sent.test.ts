import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { answers, startRawServer } from './raw-server.js';
import { call, cardOrder, pixPayout, serviceAt } from './support.js';

const ok = answers(201, '{"id":"1","status":"claimed"}');

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('a refused connection is not_sent', async () => {
  const service = serviceAt(`http://127.0.0.1:${String(await closedPort())}`);
  const result = await service.createPixPayout(pixPayout, call);
  expect(result).toEqual({ outcome: 'not_sent', reason: 'No connection: connections are refused.' });
});

test('a server that does not speak TLS gets nothing of a card, which is not_sent', async () => {
  const server = await startRawServer(ok, (socket) => socket.write('220 hello\r\n'));
  const service = serviceAt(server.url.replace('http:', 'https:'));
  expect(await service.createCardOrder(cardOrder, call)).toMatchObject({ outcome: 'not_sent' });
  expect(server.requests).toHaveLength(0);
  expect(server.received()).not.toContain('4111');
});

test('a handshake that does not end within the connect time is not_sent', async () => {
  const server = await startRawServer(ok);
  const service = serviceAt(server.url.replace('http:', 'https:'), { connectMs: 500 });
  expect(await service.createPixPayout(pixPayout, call)).toEqual({
    outcome: 'not_sent',
    reason: 'No connection: it took too long.',
  });
  expect(server.requests).toHaveLength(0);
});

test('the total time ends a call that has no connection yet as not_sent', async () => {
  const server = await startRawServer(ok);
  const service = serviceAt(server.url.replace('http:', 'https:'), { connectMs: 10_000, totalMs: 200 });
  expect(await service.createPixPayout(pixPayout, call)).toMatchObject({ outcome: 'not_sent' });
});

test('a call refused when the connection stands sends not one byte', async () => {
  const server = await startRawServer(ok);
  const calls: number[] = [];
  const ended = server.nextEnd();
  const result = await serviceAt(server.url).createPixPayout(pixPayout, {
    ...call,
    refusal: () => {
      calls.push(server.connections());
      return 'Too late.';
    },
  });
  await ended;
  expect(result).toEqual({ outcome: 'not_sent', reason: 'Too late.' });
  expect(calls).toHaveLength(1);
  expect(server.connections()).toBe(1);
  expect(server.received()).toBe('');
});

test('a refusal that fails is a call that is not sent', async () => {
  const server = await startRawServer(ok);
  const result = await serviceAt(server.url).createPixPayout(pixPayout, {
    ...call,
    refusal: () => {
      throw new Error('broken');
    },
  });
  expect(result).toMatchObject({ outcome: 'not_sent' });
  expect(server.received()).toBe('');
});

test('a token that no header can carry is not_sent', async () => {
  const server = await startRawServer(ok);
  const result = await serviceAt(server.url).createPixPayout(pixPayout, { ...call, token: 'a\r\nx: y' });
  expect(result).toMatchObject({ outcome: 'not_sent' });
  expect(server.received()).toBe('');
});

test('each creating call has a connection of its own, reads keep theirs', async () => {
  const server = await startRawServer(answers(200, '{"id":"1","status":"claimed"}'));
  const service = serviceAt(server.url);
  await service.createPixPayout(pixPayout, call);
  await service.createPixPayout(pixPayout, call);
  expect(server.connections()).toBe(2);
  expect(server.requests[0]?.toLowerCase()).toContain('connection: close');
  for (let read = 0; read < 10; read += 1) await service.readPayout('1', call);
  expect(server.connections()).toBeLessThan(2 + 10);
});

test.each([
  ['http://payments.example', /https/],
  ['ftp://127.0.0.1', /https/],
  ['http://127.0.0.1.example', /https/],
  ['https://user:pass@payments.example', /credentials/],
  ['https://payments.example/?x=1', /query/],
  ['nonsense', /not a URL/],
])('the base URL %s is refused', (baseUrl, words) => {
  expect(() => serviceAt(baseUrl)).toThrow(words);
});

test.each(['https://payments.example', 'http://localhost:1', 'http://127.0.0.1', 'http://[::1]:8080/base/'])(
  'the base URL %s is accepted',
  (baseUrl) => {
    expect(() => serviceAt(baseUrl)).not.toThrow();
  },
);
