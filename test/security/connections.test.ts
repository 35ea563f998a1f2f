import { once } from 'node:events';
import { expect, test } from 'vitest';
import { call, omsKey } from '../gateway/call.js';
import { gatewayBeforeSilence, ownGateway } from '../support/gateway-without-temporal.js';
import { connections } from '../support/sockets.js';

const statusOf = async (url: string): Promise<number> => {
  const { status } = await call(url, 'GET', '/healthz', { key: null, headers: { connection: 'close' } });
  return status;
};

test.each([
  ['that send nothing', ''],
  ['that stop within the headers', 'POST /v1/cards HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  [
    'that were refused and stop within the body',
    'POST /v1/cards HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
  ],
  [
    'that forge a postback and stop within the body',
    'POST /postbacks/x HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
  ],
  ['that were answered and stay', 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'],
])('three times as many connections as there may be, %s, keep nobody out', async (_, sent) => {
  const most = 20;
  const { url } = await ownGateway({ limits: { connections: most } });
  const silent = connections(url, 3 * most, sent).map((socket) => socket.resume());
  await Promise.all(silent.filter(({ connecting }) => connecting).map((socket) => once(socket, 'connect')));
  for (let i = 0; i < 10; i += 1) expect(await statusOf(url)).toBe(200);
  await expect.poll(() => silent.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(2 * most);
});

test('who is being answered is not pushed out', async () => {
  const { call: ask, gone, url } = await gatewayBeforeSilence({ limits: { connections: 20 } });
  const waiting = ask('GET', '/v1/payouts/slow', { key: omsKey });
  const silent = connections(url, 100, '').map((socket) => socket.resume());
  await expect.poll(() => silent.filter(({ closed }) => closed).length).toBeGreaterThan(80);
  gone();
  // Temporal is not there; the answer is.
  expect((await waiting).status).toBe(503);
});

test('an overloaded gateway answers 503 and when to come again, and is still alive and measured', async () => {
  // Any delay at all is too much for it.
  const { call: ask } = await ownGateway({ limits: { eventLoopDelayMs: 0.000_001 } });
  await expect
    .poll(() => ask('GET', '/v1/payouts', { key: null }))
    .toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { type: 'urn:durable-payments:problem:overloaded' },
    });
  for (const path of ['/healthz', '/metrics'])
    expect((await ask('GET', path, { key: null })).status).toBe(200);
});
