import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { duplexPair } from 'node:stream';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { GatewayLimits } from '../../../src/gateway/deps.js';
import { gatewayWithoutTemporal } from '../../support/gateway-without-temporal.js';

// This machine has one IPv6 address of its own, so connections are handed to the gateway’s server with theirs.

/** Whoever has one IPv6 address of a network has 2^64 of them. */
const ofAttacker = (index: number) => `2001:db8:1:2::${index.toString(16)}`;
/** In the same /48, as a neighbour at the same provider may be. */
const neighbour = '2001:db8:1:3::1';

function gatewayWith(limits: Partial<GatewayLimits>) {
  const { app, close } = gatewayWithoutTemporal({ limits });
  onTestFinished(close);
  return app;
}

/** Both ends of a connection that comes from this address. */
function connectionFrom(app: FastifyInstance, remoteAddress: string): { client: Duplex; server: Duplex } {
  const [client, server] = duplexPair();
  app.server.emit('connection', Object.assign(server, { remoteAddress }));
  return { client, server };
}

async function statusFrom(app: FastifyInstance, address: string, method: string, path: string) {
  const { client } = connectionFrom(app, address);
  const sent = request({ method, path, host: 'gateway', createConnection: () => client }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}

test.each<[string, Partial<GatewayLimits>, string, string, number]>([
  ['forged postbacks', { addressRequestsPerMinute: 3 }, 'POST', '/postbacks/forged', 404],
  ['requests to nowhere', { addressRequestsPerMinute: 3 }, 'GET', '/nothing', 404],
  ['requests without a key', { requestsPerMinute: 3 }, 'GET', '/v1/payouts', 401],
])(
  '%s from many addresses of one IPv6 network count as those of one, and not for another',
  async (_, limits, method, path, status) => {
    const app = gatewayWith(limits);
    await app.ready();
    for (const index of [1, 2, 3])
      expect(await statusFrom(app, ofAttacker(index), method, path)).toBe(status);
    expect(await statusFrom(app, ofAttacker(4), method, path)).toBe(429);
    expect(await statusFrom(app, neighbour, method, path)).toBe(status);
  },
);

test('requests under way from many addresses of one IPv6 network count as those of one, and not for another', async () => {
  const app = gatewayWith({ requestsAtOnceWithoutKey: 2 });
  let letGo: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (letGo = resolve));
  let held = 0;
  app.addHook('preHandler', async ({ url }) => {
    if (url !== '/openapi.json') return;
    held += 1;
    await over;
  });
  await app.ready();
  const underWay = [1, 2].map((index) => statusFrom(app, ofAttacker(index), 'GET', '/openapi.json'));
  await expect.poll(() => held).toBe(2);
  expect(await statusFrom(app, ofAttacker(3), 'GET', '/schemas')).toBe(429);
  expect(await statusFrom(app, neighbour, 'GET', '/schemas')).toBe(200);
  letGo();
  expect(await Promise.all(underWay)).toEqual([200, 200]);
});

test('connections from many addresses of one IPv6 network take only the places of each other', async () => {
  const app = gatewayWith({ connections: 10 });
  await app.ready();
  const { client, server } = connectionFrom(app, neighbour);
  const others = Array.from({ length: 50 }, (_, index) => connectionFrom(app, ofAttacker(index)));
  expect(others.filter((each) => each.server.destroyed)).toHaveLength(42);
  expect(server.destroyed).toBe(false);
  client.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  const [answer] = (await once(client, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 200 /);
});
