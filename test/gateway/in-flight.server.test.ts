import { once } from 'node:events';
import { request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { CardStore } from '../../src/card-store/card-store.js';
import { postbackCapability } from '../../src/contract/postback-capability.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { EncryptionCodec } from '../../src/temporal/payload-codec.js';
import { neverOverloaded } from '../support/never-overloaded.js';
import { testPayloadKeys } from '../support/temporal-data-converter.js';
import { pixPayout } from './requests.js';
import { call, codecKey, omsKey, otherOmsKey, postbackKey } from './test-gateway.js';

let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  // Nothing listens there: nothing of this test gets so far. It is not closed: what still waits for Temporal when its
  // sender has gone is tried again for some seconds.
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  app = createGateway({
    client: new Client({ connection }),
    cardStore: new CardStore('card-store-in-flight'),
    apiKeys: [
      { name: 'shop', key: omsKey, scopes: ['oms'] },
      { name: 'market', key: otherOmsKey, scopes: ['oms'] },
      { name: 'web-ui', key: codecKey, scopes: ['codec'] },
    ],
    postbackKeys: [postbackKey],
    codec: {
      codec: new EncryptionCodec(parseKeyRing(testPayloadKeys)),
      ...{ path: '/codec', auth: 'bearer', origins: [] },
    },
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
    taskQueue: 'none',
    limits: { ...neverOverloaded, requestMs: 600_000, bodiesAtOnce: 8, postbackBodiesAtOnce: 8 },
  });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

type HalfSent = { readonly sent: ClientRequest; readonly answer: Promise<IncomingMessage> };

/** A body of which one byte comes, and the rest never; resolves once the gateway has it. */
async function halfSent(
  path: string,
  key: string | null,
  bytes: number,
  from = '127.0.0.1',
): Promise<HalfSent> {
  const sent = request(url + path, {
    method: 'POST',
    agent: false,
    localAddress: from,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      'content-length': bytes,
      expect: '100-continue',
    },
  });
  sent.on('error', () => undefined);
  const answer = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write('{');
  return { sent, answer };
}

/** Sends the rest of an empty object. */
function finish({ sent, answer }: HalfSent): Promise<IncomingMessage> {
  sent.end('}');
  return answer;
}

test.for([
  ['/v1/payout-batches', omsKey, 'too-many-batches', 1_000],
  ['/codec/decode', codecKey, 'too-many-requests', 8 * 1_024 * 1_024],
] as const)('of %s a key sends four at a time, whoever else sends', async ([path, key, problem, bytes]) => {
  const small = async () =>
    call(url, 'POST', path, { key, raw: '{', headers: { 'content-type': 'application/json' } });
  const others = await Promise.all([1, 2, 3, 4].map(() => halfSent(path, key, bytes)));
  await expect.poll(async () => (await small()).status).toBe(429);
  expect((await small()).text).toContain(problem);
  const market = await call(url, 'POST', '/v1/payout-batches', { key: otherOmsKey, body: {} });
  expect(market.status).toBe(400);
  others[0]?.sent.destroy();
  await expect.poll(async () => (await small()).status).toBe(400);
  for (const { sent } of others) sent.destroy();
});

test('a key has so many bodies on their way at once, whoever else sends and waits', async () => {
  const path = '/v1/payouts/pix';
  const finished = async (key: string) => finish(await halfSent(path, key, 2));
  const payout = JSON.stringify(pixPayout());
  const whole = await halfSent(path, omsKey, payout.length);
  const others = await Promise.all(Array.from({ length: 7 }, () => halfSent(path, omsKey, 2)));
  const tooMany = { statusCode: 429, headers: { 'retry-after': '1' } };
  await expect.poll(() => finished(omsKey)).toMatchObject(tooMany);
  await expect.poll(() => finished(otherOmsKey)).toMatchObject({ statusCode: 400 });

  // What has come whole does not count, though it still waits for Temporal.
  let answered = false;
  void whole.answer.then(() => (answered = true));
  whole.sent.end(payout.slice(1));
  await expect.poll(() => finished(omsKey)).toMatchObject({ statusCode: 400 });
  expect(answered).toBe(false);
  for (const { sent } of [whole, ...others]) sent.destroy();
});

test('a network has so many bodies of genuine postbacks on their way at once, whoever else sends', async () => {
  const path = `/postbacks/${postbackCapability([postbackKey], 'payout-slow')}`;
  // What is not too many is refused for its length, before it is there.
  const refusalOf = async (from?: string) => {
    const { sent, answer } = await halfSent(path, null, 100_000, from);
    const { statusCode } = await answer;
    sent.destroy();
    return statusCode;
  };
  const others = await Promise.all(Array.from({ length: 8 }, () => halfSent(path, null, 2)));
  onTestFinished(() => {
    for (const { sent } of others) sent.destroy();
  });
  await expect.poll(() => refusalOf()).toBe(429);
  expect(await refusalOf('127.0.0.2')).toBe(413);
  for (const { sent } of others) sent.destroy();
  await expect.poll(() => refusalOf()).toBe(413);
});

test('many posts at once, each sent in one piece, are not too many bodies on their way', async () => {
  const body = { padding: 'a'.repeat(30_000) };
  const posts = Array.from({ length: 100 }, () => call(url, 'POST', '/v1/payouts/pix', { body }));
  for (const { status } of await Promise.all(posts)) expect(status).not.toBe(429);
  // Nor does a body count that nobody reads.
  const headers = { 'content-type': 'text/plain' };
  for (let turn = 0; turn < 20; turn += 1) {
    expect((await call(url, 'POST', '/v1/payouts/pix', { raw: 'a', headers })).status).toBe(415);
  }
});
