import { describe, expect } from 'vitest';
import { CardStore } from '../../../src/card-store/card-store.js';
import { postbackCapability } from '../../../src/contract/postback-capability.js';
import { ownGateway, test } from '../../support/gateway-without-temporal.js';
import { answerTo } from '../../support/sockets.js';
import { omsKey, operatorKey, otherOmsKey, postbackKey } from '../call.js';
import { card, cardOrder, newCode, pixPayout } from '../requests.js';

describe('an API key', () => {
  test('is needed for everything under /v1, before a body is read', async ({ gateway }) => {
    for (const key of [null, 'wrong', `${omsKey}x`, omsKey.slice(1)]) {
      const answer = await gateway.call('POST', '/v1/payouts/pix', { raw: 'not json', key });
      expect(answer).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { type: 'urn:durable-payments:problem:unauthorized' },
      });
    }
    expect((await gateway.call('GET', '/v1/payouts', { key: null })).status).toBe(401);
  });

  test('opens what its scopes allow', async ({ gateway }) => {
    const path = `/v1/payouts/${newCode()}/resolve`;
    const refused = await gateway.call('POST', path);
    expect(refused).toMatchObject({ status: 403, body: { type: 'urn:durable-payments:problem:forbidden' } });
    const body = { nothing_happened: true, reason: 'seen' };
    // As far as Temporal.
    expect((await gateway.call('POST', path, { body, key: operatorKey })).status).toBe(503);
  });

  test('never stands in the log', ({ gateway }) => {
    for (const key of [omsKey, operatorKey]) expect(gateway.logs()).not.toContain(key);
  });

  test('that sends too many requests is answered 429 with the time to wait, and another is not', async () => {
    const { call } = await ownGateway({ limits: { requestsPerMinute: 3 } });
    for (const _ of [1, 2, 3]) expect((await call('GET', '/openapi.json')).status).toBe(200);
    const limited = await call('GET', '/openapi.json');
    expect(limited.status).toBe(429);
    expect(limited.headers['content-type']).toContain('application/problem+json');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call('GET', '/openapi.json', { key: otherOmsKey })).status).toBe(200);
  });

  test('with too many cards gets 429 and nothing is kept; others still get 201', async () => {
    const limits = { maxCards: 100, maxCardsPerKey: 3, lifeMs: 60_000 };
    const { call } = await ownGateway({ cardStore: new CardStore('card-store-of-quotas', limits) });
    const put = (key = omsKey) => call('POST', '/v1/cards', { body: card(), key });
    for (const _ of [1, 2, 3]) expect((await put()).status).toBe(201);
    const refused = await put();
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '60' },
      body: { type: 'urn:durable-payments:problem:too-many-cards' },
    });
    expect(refused.body.detail).toContain('Nothing was kept');
    // It does not come as far as Temporal, which would be 503.
    expect((await call('POST', '/v1/orders/card', { body: cardOrder() })).status).toBe(429);
    expect((await put(otherOmsKey)).status).toBe(201);
  });
});

describe('a gateway', () => {
  test('without Temporal answers that nothing is known to be started, and when to come again', async ({
    gateway: { call },
  }) => {
    const start = await call('POST', '/v1/payouts/pix', { body: pixPayout() });
    expect(start).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(start.headers['content-type']).toContain('application/problem+json');
    expect(start.body.detail).toContain('Send the same request again');
    for (const [method, path] of [
      ['GET', `/v1/payouts/${newCode()}`],
      ['GET', '/v1/orders'],
      ['POST', `/postbacks/${postbackCapability([postbackKey], 'payout-x')}`],
      ['GET', '/readyz'],
    ] as const)
      expect(await call(method, path)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  });

  test('whose card store takes no cards answers 503', async () => {
    const { call } = await ownGateway({
      cardStore: new CardStore('card-store-full', { maxCards: 0, lifeMs: 1 }),
    });
    const answer = await call('POST', '/v1/cards', { body: card() });
    expect(answer.status).toBe(503);
    expect(answer.body.detail).toContain('Nothing was kept');
  });

  const sendsBody = `Authorization: Bearer ${omsKey}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`;
  test.for([
    ['headers', { headersMs: 300 }, 'X-Slow: '],
    ['body, with a key,', { requestMs: 300 }, sendsBody],
  ] as const)(
    'gives a client that sends its %s byte by byte a time for all of it',
    async ([, limits, sent]) => {
      const { url } = await ownGateway({ limits });
      const answer = await answerTo(url, `POST /v1/cards HTTP/1.1\r\nHost: a\r\n${sent}`, ' ');
      expect(answer).toMatch(/^HTTP\/1.1 408 [^]*application\/problem\+json/);
    },
  );

  test('answers what is no HTTP as a problem too', async ({ gateway }) => {
    const answer = await answerTo(gateway.url, 'NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400 [^]*application\/problem\+json/);
  });

  test('shows health and counters to anyone, and no address of a postback', async ({ gateway: { call } }) => {
    expect((await call('GET', '/healthz', { key: null })).status).toBe(200);
    const { text } = await call('GET', '/metrics', { key: null });
    expect(text).toContain('gateway_request_duration_seconds');
    expect(text).not.toContain('/postbacks/c');
  });
});
