import { Client, Connection } from '@temporalio/client';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { CardStore } from '../../../src/card-store/card-store.js';
import { createGateway } from '../../../src/gateway/create-gateway.js';
import { postbackCapability } from '../../../src/contract/postback-capability.js';
import { neverOverloaded } from '../../support/never-overloaded.js';
import { card, newCode, pixPayout } from '../requests.js';
import { call, memoryLog, omsKey, operatorKey, postbackKey, startTestGateway } from '../test-gateway.js';
import type { TestGateway } from '../test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

describe('an API key', () => {
  test('is needed for everything under /v1, before a body is read', async () => {
    const raw = 'not json';
    for (const key of [null, 'wrong', `${omsKey}x`, omsKey.slice(1)]) {
      const answer = await gateway.call('POST', '/v1/payouts/pix', { raw, key });
      expect(answer).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { type: 'urn:durable-payments:problem:unauthorized' },
      });
    }
    expect((await gateway.call('GET', '/v1/payouts', { key: null })).status).toBe(401);
  });

  test('opens what its scopes allow', async () => {
    const path = `/v1/payouts/${newCode()}/resolve`;
    const refused = await gateway.call('POST', path);
    expect(refused).toMatchObject({ status: 403, body: { type: 'urn:durable-payments:problem:forbidden' } });
    const body = { nothing_happened: true, reason: 'seen' };
    expect((await gateway.call('POST', path, { body, key: operatorKey })).status).toBe(404);
  });

  test('never stands in the log', () => {
    for (const key of [omsKey, operatorKey]) expect(gateway.logs()).not.toContain(key);
  });
});

describe('a gateway', () => {
  test('that gets too many requests of one key answers 429 with the time to wait', async () => {
    const app = createGateway({
      ...deps(gateway.server.client),
      limits: { ...neverOverloaded, requestsPerMinute: 3 },
    });
    const get = (key: string) =>
      app.inject({ method: 'GET', url: '/openapi.json', headers: { authorization: `Bearer ${key}` } });
    for (const _ of [1, 2, 3]) expect((await get(omsKey)).statusCode).toBe(200);
    const limited = await get(omsKey);
    expect(limited.statusCode).toBe(429);
    expect(limited.headers['content-type']).toContain('application/problem+json');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await get('of another')).statusCode).toBe(200);
    await app.close();
  });

  test('without Temporal answers that nothing is known to be started, and when to come again', async () => {
    const connection = Connection.lazy({ address: '127.0.0.1:1' });
    const app = createGateway({
      ...deps(new Client({ connection })),
      limits: { ...neverOverloaded, temporalCallMs: 300 },
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const start = await call(url, 'POST', '/v1/payouts/pix', { body: pixPayout() });
    expect(start).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(start.headers['content-type']).toContain('application/problem+json');
    expect(start.body.detail).toContain('Send the same request again');
    for (const [method, path] of [
      ['GET', `/v1/payouts/${newCode()}`],
      ['GET', '/v1/orders'],
      ['POST', `/postbacks/${postbackCapability([postbackKey], 'payout-x')}`],
      ['GET', '/readyz'],
    ] as const) {
      expect(await call(url, method, path)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    }
    expect((await call(url, 'GET', '/healthz')).status).toBe(200);
    await app.close();
    await connection.close();
  });

  test('whose card store takes no cards answers 503', async () => {
    const cardStore = new CardStore('card-store-full', { maxCards: 0, lifeMs: 1 });
    const app = createGateway({ ...deps(gateway.server.client), cardStore });
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/cards',
      headers: { authorization: `Bearer ${omsKey}` },
      body: card(),
    });
    expect(answer.statusCode).toBe(503);
    expect(answer.body).toContain('Nothing was kept');
    await app.close();
  });

  const sendsBody = `Authorization: Bearer ${omsKey}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`;
  test.each([
    ['headers', { headersMs: 300 }, 'X-Slow: '],
    ['body, with a key,', { headersMs: 300, requestMs: 300 }, sendsBody],
  ])(
    'gives a client that sends its %s byte by byte a time for all of it',
    { timeout: 8_000 },
    async (_, limits, sent) => {
      const app = createGateway({
        ...deps(gateway.server.client),
        limits: { ...neverOverloaded, ...limits },
      });
      const url = await app.listen({ host: '127.0.0.1', port: 0 });
      const answer = await untilClosed(url, `POST /v1/cards HTTP/1.1\r\nHost: a\r\n${sent}`, ' ');
      expect(answer).toMatch(/^HTTP\/1.1 408 [^]*application\/problem\+json/);
      await app.close();
    },
  );

  test('that closes answers whoever waits with the state as it is', async () => {
    const app = createGateway({ ...deps(gateway.server.client), taskQueue: gateway.server.taskQueue });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const payout = pixPayout();
    const first = await call(url, 'POST', '/v1/payouts/pix', { body: payout });
    const queries = vi.spyOn(gateway.server.client.workflowService, 'queryWorkflow');
    onTestFinished(() => {
      queries.mockRestore();
    });
    const waiting = call(url, 'GET', first.headers.location as string, { headers: { prefer: 'wait=30' } });
    // The first query is for the state as it is.
    await expect.poll(() => queries.mock.calls.length).toBeGreaterThan(1);
    await app.close();
    expect(await waiting).toMatchObject({ status: 200, body: { status: 'submitting' } });
  });

  test('answers what is no HTTP as a problem too', async () => {
    expect(await untilClosed(gateway.url, 'NONSENSE\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 [^]*application\/problem\+json/,
    );
  });
});

describe('anyone', () => {
  test('may look at health, readiness and counters', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect((await gateway.call('GET', path, { key: null })).status).toBe(200);
    }
    const metrics = await gateway.call('GET', '/metrics', { key: null });
    expect(metrics.text).toContain('gateway_request_duration_seconds');
    expect(metrics.text).not.toContain('/postbacks/c');
  });

  test('finds the OpenAPI document, its reference and the schemas', async () => {
    const { body } = await gateway.call('GET', '/openapi.json', { key: null });
    expect(body.openapi).toBe('3.1.0');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/v1/cards',
        '/v1/orders/card',
        '/v1/payouts/pix',
        '/v1/payouts/{partner_code}/retry',
      ]),
    );
    const pix = body.paths['/v1/payouts/pix']?.post;
    expect(pix?.requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/PixPayoutBody',
    });
    expect(Object.keys(pix?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '201', '202', '400', '401', '409', '429', '503']),
    );
    expect((await gateway.call('GET', '/docs/', { key: null })).status).toBe(200);
    const { body: list } = await gateway.call('GET', '/schemas', { key: null });
    for (const path of list.schemas) {
      const schema = await gateway.call('GET', path, { key: null });
      expect(schema.body).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
    }
    expect((await gateway.call('GET', '/schemas/constructor', { key: null })).status).toBe(404);
  });
});

function deps(client: Client) {
  return {
    client,
    cardStore: new CardStore('card-store-test'),
    apiKeys: [{ name: 'shop', key: omsKey, scopes: ['oms'] as const }],
    postbackKeys: [postbackKey],
    logger: memoryLog().logger,
    audit: () => undefined,
    taskQueue: 'none',
    limits: neverOverloaded,
  };
}

/** What a raw connection answers to what is sent, at once and then bit by bit, until the other side closes it. */
async function untilClosed(url: string, sent: string, bit = ''): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(sent);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
  const more = setInterval(() => socket.write(bit), 50);
  await once(socket, 'close');
  clearInterval(more);
  return Buffer.concat(chunks).toString();
}
