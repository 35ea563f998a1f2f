import { Client, Connection } from '@temporalio/client';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CardStore } from '../../../src/card-store/card-store.js';
import { createGateway } from '../../../src/gateway/create-gateway.js';
import { postbackCapability } from '../../../src/contract/postback-capability.js';
import { card, newCode, pixPayout } from '../requests.js';
import { call, memoryLog, omsKey, operatorKey, postbackKey, startRig } from '../rig.js';
import type { Rig } from '../rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

describe('an API key', () => {
  test('is needed for everything under /v1, before a body is read', async () => {
    const raw = 'not json';
    for (const key of [null, 'wrong', `${omsKey}x`, omsKey.slice(1)]) {
      const answer = await rig.call('POST', '/v1/payouts/pix', { raw, key });
      expect(answer).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { type: 'urn:durable-payments:problem:unauthorized' },
      });
    }
    expect((await rig.call('GET', '/v1/payouts', { key: null })).status).toBe(401);
  });

  test('opens what its scopes allow', async () => {
    const path = `/v1/payouts/${newCode()}/resolve`;
    const refused = await rig.call('POST', path);
    expect(refused).toMatchObject({ status: 403, body: { type: 'urn:durable-payments:problem:forbidden' } });
    const body = { nothing_happened: true };
    expect((await rig.call('POST', path, { body, key: operatorKey })).status).toBe(404);
  });

  test('never stands in the log', () => {
    for (const key of [omsKey, operatorKey]) expect(rig.logs()).not.toContain(key);
  });
});

describe('a gateway', () => {
  test('that gets too many requests of one key answers 429 with the time to wait', async () => {
    const app = createGateway({ ...deps(rig.server.client), limits: { requestsPerMinute: 3 } });
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

  test('without Temporal says that nothing is known to be started, and when to come again', async () => {
    const connection = Connection.lazy({ address: '127.0.0.1:1' });
    const app = createGateway({
      ...deps(new Client({ connection })),
      limits: { temporalCallMs: 300 },
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
    const cardStore = new CardStore('card-desk-full', { maxCards: 0, lifeMs: 1 });
    const app = createGateway({ ...deps(rig.server.client), cardStore });
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

  test('lets a client that sends slowly go after a while', async () => {
    const app = createGateway({
      ...deps(rig.server.client),
      limits: { headersMs: 100, requestMs: 200 },
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    for (const sent of [
      'GET /healthz HTTP/1.1\r\n',
      'POST /v1/cards HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
    ]) {
      expect(await untilClosed(url, sent)).toMatch(
        /^HTTP\/1.1 408 [^]*application\/problem\+json|^HTTP\/1.1 401 /,
      );
    }
    await app.close();
  });

  test('that closes answers whoever waits with the state as it is', async () => {
    const app = createGateway({ ...deps(rig.server.client), taskQueue: rig.server.taskQueue });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const payout = pixPayout();
    const first = await call(url, 'POST', '/v1/payouts/pix', { body: payout });
    const waiting = call(url, 'GET', first.headers.location as string, { headers: { prefer: 'wait=30' } });
    const { workflowService } = rig.server.client;
    const historyLength = async () => {
      const { workflowExecutionInfo } = await workflowService.describeWorkflowExecution({
        namespace: rig.server.namespace,
        execution: { workflowId: `payout-${payout.partner_code}` },
      });
      return Number(workflowExecutionInfo?.historyLength);
    };
    await expect.poll(historyLength).toBeGreaterThan(5);
    await app.close();
    expect(await waiting).toMatchObject({ status: 200, body: { status: 'submitting' } });
  });

  test('answers what is no HTTP as a problem too', async () => {
    expect(await untilClosed(rig.url, 'NONSENSE\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 [^]*application\/problem\+json/,
    );
  });
});

describe('anyone', () => {
  test('may look at health, readiness and counters', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect((await rig.call('GET', path, { key: null })).status).toBe(200);
    }
    const metrics = await rig.call('GET', '/metrics', { key: null });
    expect(metrics.text).toContain('gateway_request_duration_seconds');
    expect(metrics.text).not.toContain('/postbacks/c');
  });

  test('finds the OpenAPI document, its reference and the schemas', async () => {
    const { body } = await rig.call('GET', '/openapi.json', { key: null });
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
    expect(pix?.requestBody.content['application/json'].schema.required).toContain('pix');
    expect(Object.keys(pix?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '201', '202', '4XX', '5XX']),
    );
    expect((await rig.call('GET', '/docs/', { key: null })).status).toBe(200);
    const { body: list } = await rig.call('GET', '/schemas', { key: null });
    for (const path of list.schemas) {
      const schema = await rig.call('GET', path, { key: null });
      expect(schema.body).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
    }
    expect((await rig.call('GET', '/schemas/constructor', { key: null })).status).toBe(404);
  });
});

function deps(client: Client) {
  return {
    client,
    cardStore: new CardStore('card-desk-test'),
    apiKeys: [{ name: 'shop', key: omsKey, scopes: ['oms'] as const }],
    postbackKeys: [postbackKey],
    logger: memoryLog().logger,
    audit: () => undefined,
    taskQueue: 'none',
  };
}

/** What a raw connection answers to what was sent, until it is closed by the other side. */
async function untilClosed(url: string, sent: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(sent);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}
