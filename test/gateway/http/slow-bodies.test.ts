import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { expect, onTestFinished, test, vi } from 'vitest';
import { gatewayLimits } from '../../../src/gateway/deps.js';
import { boundAnswers } from '../../../src/gateway/http/answer-deadlines.js';
import { serverLimits } from '../../../src/gateway/http/limits.js';
import { boundSlowBodies } from '../../../src/gateway/http/slow-bodies.js';

const { bodyBytes, requestMs } = gatewayLimits;

const intervals = ['setInterval', 'clearInterval'] as const;

/** A server that answers how many bytes have come, its time at a standstill. */
async function server(more: readonly ('setTimeout' | 'clearTimeout')[] = ['setTimeout', 'clearTimeout']) {
  vi.useFakeTimers({ toFake: [...intervals, ...more] });
  onTestFinished(() => void vi.useRealTimers());
  const app = Fastify({
    ...serverLimits(gatewayLimits),
    bodyLimit: 100 * bodyBytes,
    forceCloseConnections: true,
  });
  boundAnswers(app.withTypeProvider<ZodTypeProvider>(), gatewayLimits);
  boundSlowBodies(app.withTypeProvider<ZodTypeProvider>(), gatewayLimits);
  app.post('/early', { onRequest: async (_request, reply) => reply.code(401).send() }, () => 'never');
  app.post('/', ({ body }) => ({ length: String(body).length }));
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return app;
}

/** A request of so many bytes, of which none has come yet; and the other end of its connection. */
async function begun(app: Awaited<ReturnType<typeof server>>, length: number, path = '/') {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
  const arrived = once(app.server, 'request') as Promise<[{ socket: Socket }]>;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${String(length)}\r\nConnection: close\r\n\r\n`,
  );
  const [request] = await arrived;
  const sends = async (bytes: number) => {
    const wanted = request.socket.bytesRead + bytes;
    socket.write('x'.repeat(bytes));
    while (request.socket.bytesRead < wanted) await nextTurn();
  };
  return { closed: once(socket, 'close'), sends, text: () => text };
}

test('a body that comes slowly for minutes is read in full', async () => {
  const app = await server();
  const slow = await begun(app, 21 * bodyBytes);
  for (let stretch = 0; stretch < 20; stretch += 1) {
    await slow.sends(bodyBytes);
    vi.advanceTimersByTime(requestMs);
  }
  await slow.sends(bodyBytes);
  await slow.closed;
  expect(slow.text()).toContain(`{"length":${String(21 * bodyBytes)}}`);
});

test('one of which less comes in any stretch, however much came before, is refused by that bound', async () => {
  const app = await server();
  const slow = await begun(app, 21 * bodyBytes);
  await slow.sends(20 * bodyBytes);
  vi.advanceTimersByTime(requestMs);
  await slow.sends(bodyBytes - 1);
  vi.advanceTimersByTime(requestMs);
  await slow.closed;
  expect(slow.text()).toMatch(/^HTTP\/1.1 408 [^]*in each 15 seconds at least 64 KiB/);
});

test('who goes on sending after that is cut off', async () => {
  const app = await server();
  const slow = await begun(app, 2 * bodyBytes);
  vi.advanceTimersByTime(requestMs);
  while (!slow.text().includes('408')) await nextTurn();
  await slow.sends(1);
  vi.advanceTimersByTime(requestMs);
  await slow.closed;
});

test('what is answered before its body has come leaves no timer when its connection has ended', async () => {
  // Those of bodies are intervals. A Temporal client of another test file may set a timeout at any time.
  const app = await server([]);
  const early = await begun(app, 2 * bodyBytes, '/early');
  await early.closed;
  expect(early.text()).toMatch(/^HTTP\/1.1 401 /);
  while (vi.getTimerCount() > 0) await nextTurn();
});

test('a request that is injected leaves no timer behind: it has no connection to close', async () => {
  const app = await server();
  const before = vi.getTimerCount();
  const payload = 'x'.repeat(9);
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/',
    payload,
    headers: { 'content-type': 'text/plain' },
  });
  expect(statusCode).toBe(200);
  expect(vi.getTimerCount()).toBe(before);
});
