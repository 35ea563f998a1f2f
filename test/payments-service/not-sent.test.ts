import { expect, test } from 'vitest';
import { ownPort } from '../support/own-port.js';
import { answers, startRawServer } from './raw-server.js';
import { call, cardOrder, paid, pixPayout, resultOf, serviceAt } from './support.js';

const ok = answers(201, '{"id":"1","status":"claimed"}');

test('a refused connection is not_sent', async () => {
  const result = await paid(serviceAt(`http://127.0.0.1:${String(await ownPort())}`));
  expect(result).toEqual({ outcome: 'not_sent', reason: 'No connection: connections are refused.' });
});

test('a server that does not speak TLS gets nothing of a card, which is not_sent', async () => {
  const server = await startRawServer(ok, (socket) => socket.write('220 hello\r\n'));
  const service = serviceAt(server.url.replace('http:', 'https:'));
  expect(await service.createCardOrder(cardOrder, call)).toMatchObject({ outcome: 'not_sent' });
  expect(server.requests).toHaveLength(0);
  expect(server.received()).not.toContain('4111');
});

test.for([
  ['the connect', { connectMs: 500 }],
  ['the total', { connectMs: 10_000, totalMs: 200 }],
] as const)('a handshake that does not end within %s time is not_sent', async ([name, limits]) => {
  const server = await startRawServer(ok);
  const result = await paid(serviceAt(server.url.replace('http:', 'https:'), limits));
  expect(result).toMatchObject({ outcome: 'not_sent' });
  if (name === 'the connect') expect(result).toMatchObject({ reason: 'No connection: it took too long.' });
  expect(server.requests).toHaveLength(0);
});

test('a call refused when the connection stands sends not one byte', async () => {
  const server = await startRawServer(ok);
  const calls: number[] = [];
  const ended = server.nextEnd();
  const refusal = () => {
    calls.push(server.connections());
    return 'Too late.';
  };
  const result = await serviceAt(server.url).createPixPayout(pixPayout, { ...call, refusal });
  await ended;
  expect(result).toEqual({ outcome: 'not_sent', reason: 'Too late.' });
  expect([calls.length, server.connections(), server.received()]).toEqual([1, 1, '']);
});

test.for([
  [
    'a refusal that fails',
    {
      refusal: () => {
        throw new Error('broken');
      },
    },
  ],
  ['a token that no header can carry', { token: 'a\r\nx: y' }],
] as const)('%s makes a call that is not sent', async ([, more]) => {
  const pay: typeof paid = (service) => service.createPixPayout(pixPayout, { ...call, ...more });
  const { result, server } = await resultOf(ok, pay);
  expect(result).toMatchObject({ outcome: 'not_sent' });
  expect(server.received()).toBe('');
});

test('each creating call has a connection of its own, reads keep theirs', async () => {
  const server = await startRawServer(answers(200, '{"id":"1","status":"claimed"}'));
  const service = serviceAt(server.url);
  await paid(service);
  await paid(service);
  expect(server.connections()).toBe(2);
  expect(server.requests[0]?.toLowerCase()).toContain('connection: close');
  for (let read = 0; read < 10; read += 1) await service.readPayout('1', call);
  expect(server.connections()).toBeLessThan(2 + 10);
});

test.for([
  ...['https://payments.example', 'http://localhost:1', 'http://127.0.0.1'].map((url) => [url, ''] as const),
  ...[['http://[::1]:8080/base/', ''] as const, ['http://payments.example', 'https'] as const],
  ['ftp://127.0.0.1', 'https'],
  ['http://127.0.0.1.example', 'https'],
  ['https://user:pass@payments.example', 'credentials'],
  ['https://payments.example/?x=1', 'query'],
  ['nonsense', 'not a URL'],
] as const)('the base URL %s is accepted, or refused with the word "%s"', ([baseUrl, word]) => {
  if (word === '') expect(() => serviceAt(baseUrl)).not.toThrow();
  else expect(() => serviceAt(baseUrl)).toThrow(word);
});
