import { once } from 'node:events';
import { request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { postbackCapability } from '../../src/contract/postback-capability.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { EncryptionCodec } from '../../src/temporal/payload-codec.js';
import { gatewayBeforeSilence } from '../support/gateway-without-temporal.js';
import { testPayloadKeys } from '../support/temporal-data-converter.js';
import { codecKey, omsKey, otherOmsKey, postbackKey } from './call.js';
import { pixPayout } from './requests.js';

const codec = new EncryptionCodec(parseKeyRing(testPayloadKeys));
const startGateway = () =>
  gatewayBeforeSilence({
    codec: { ...{ codec, path: '/codec', origins: [] }, auth: 'bearer' },
    limits: { requestMs: 600_000, bodiesAtOnce: 8, postbackBodiesAtOnce: 8 },
  });

type HalfSent = { readonly sent: ClientRequest; readonly answer: Promise<IncomingMessage> };

/** A body of which one byte comes, and the rest never; resolves once the gateway has it. */
async function halfSent(
  url: string,
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
  onTestFinished(() => void sent.destroy());
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
  const { call, url } = await startGateway();
  const headers = { 'content-type': 'application/json' };
  const small = () => call('POST', path, { key, raw: '{', headers });
  const others = await Promise.all([1, 2, 3, 4].map(() => halfSent(url, path, key, bytes)));
  await expect.poll(async () => (await small()).status).toBe(429);
  expect((await small()).text).toContain(problem);
  const market = await call('POST', '/v1/payout-batches', { key: otherOmsKey, body: {} });
  expect(market.status).toBe(400);
  others[0]?.sent.destroy();
  await expect.poll(async () => (await small()).status).toBe(400);
});

test('a key has so many bodies on their way at once, whoever else sends and waits', async () => {
  const { gone, url } = await startGateway();
  const path = '/v1/payouts/pix';
  const finished = async (key: string) => finish(await halfSent(url, path, key, 2));
  const payout = JSON.stringify(pixPayout());
  const whole = await halfSent(url, path, omsKey, payout.length);
  await Promise.all(Array.from({ length: 7 }, () => halfSent(url, path, omsKey, 2)));
  const tooMany = { statusCode: 429, headers: { 'retry-after': '1' } };
  await expect.poll(() => finished(omsKey)).toMatchObject(tooMany);
  await expect.poll(() => finished(otherOmsKey)).toMatchObject({ statusCode: 400 });

  // What has come whole does not count, though it still waits for Temporal.
  let answered = false;
  void whole.answer.then(() => (answered = true));
  whole.sent.end(payout.slice(1));
  await expect.poll(() => finished(omsKey)).toMatchObject({ statusCode: 400 });
  expect(answered).toBe(false);
  gone();
  expect(await whole.answer).toMatchObject({ statusCode: 503 });
});

test('a network has so many bodies of genuine postbacks on their way at once, whoever else sends', async () => {
  const { url } = await startGateway();
  const path = `/postbacks/${postbackCapability([postbackKey], 'payout-slow')}`;
  // What is not too many is refused for its length, before it is there.
  const refusalOf = async (from?: string) => {
    const { sent, answer } = await halfSent(url, path, null, 100_000, from);
    const { statusCode } = await answer;
    sent.destroy();
    return statusCode;
  };
  const others = await Promise.all(Array.from({ length: 8 }, () => halfSent(url, path, null, 2)));
  await expect.poll(() => refusalOf()).toBe(429);
  expect(await refusalOf('127.0.0.2')).toBe(413);
  for (const { sent } of others) sent.destroy();
  await expect.poll(() => refusalOf()).toBe(413);
});

test('many posts at once, each sent in one piece, are not too many bodies on their way', async () => {
  const { call } = await startGateway();
  const body = { padding: 'a'.repeat(30_000) };
  const posts = Array.from({ length: 100 }, () => call('POST', '/v1/payouts/pix', { body }));
  for (const { status } of await Promise.all(posts)) expect(status).not.toBe(429);
  // Nor does a body count that nobody reads.
  const headers = { 'content-type': 'text/plain' };
  for (let turn = 0; turn < 20; turn += 1) {
    expect((await call('POST', '/v1/payouts/pix', { raw: 'a', headers })).status).toBe(415);
  }
});
