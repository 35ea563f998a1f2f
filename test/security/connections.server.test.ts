import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { CardStore } from '../../src/card-store/card-store.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import type { GatewayLimits } from '../../src/gateway/deps.js';
import { omsKey } from '../gateway/test-gateway.js';
import { neverOverloaded } from '../support/never-overloaded.js';

async function gatewayWith(limits: Partial<GatewayLimits>): Promise<string> {
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  const app = createGateway({
    client: new Client({ connection }),
    cardStore: new CardStore('card-store-crowded'),
    apiKeys: [{ name: 'shop', key: omsKey, scopes: ['oms'] }],
    postbackKeys: [Buffer.alloc(32, 1)],
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
    taskQueue: 'none',
    limits: { ...neverOverloaded, ...limits },
  });
  onTestFinished(async () => {
    await app.close();
    await connection.close();
  });
  return app.listen({ host: '127.0.0.1', port: 0 });
}

/** Connections on which nothing more comes than this. */
async function silentConnections(url: string, count: number, sent: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) {
    socket.on('error', () => undefined).resume();
    socket.write(sent);
  }
  await Promise.all(sockets.filter(({ connecting }) => connecting).map((socket) => once(socket, 'connect')));
  return sockets;
}

const statusOf = async (url: string): Promise<number> => {
  const { statusCode, body } = await request(url, { reset: true });
  await body.dump();
  return statusCode;
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
  const connections = 40;
  const url = await gatewayWith({ connections });
  const silent = await silentConnections(url, 3 * connections, sent);
  for (let i = 0; i < 20; i += 1) expect(await statusOf(`${url}/healthz`)).toBe(200);
  await expect
    .poll(() => silent.filter(({ closed }) => closed).length)
    .toBeGreaterThanOrEqual(2 * connections);
});

test('who is being answered is not pushed out', async () => {
  const url = await gatewayWith({ connections: 20, temporalCallMs: 2_000 });
  const waiting = request(`${url}/v1/payouts/slow`, { headers: { authorization: `Bearer ${omsKey}` } });
  await silentConnections(url, 100, '');
  const { statusCode, body } = await waiting;
  await body.dump();
  // Temporal is not there; the answer is.
  expect(statusCode).toBe(503);
});

test('an overloaded gateway answers 503 and when to come again, and is still alive and measured', async () => {
  // Any delay at all is too much for it.
  const url = await gatewayWith({ eventLoopDelayMs: 0.000_001 });
  const refused = async () => {
    const { statusCode, headers, body } = await request(`${url}/v1/payouts`);
    return { statusCode, retryAfter: headers['retry-after'], text: await body.text() };
  };
  await expect.poll(refused).toMatchObject({ statusCode: 503, retryAfter: '5' });
  expect((await refused()).text).toContain('urn:durable-payments:problem:overloaded');
  expect(await statusOf(`${url}/healthz`)).toBe(200);
  expect(await statusOf(`${url}/metrics`)).toBe(200);
});
