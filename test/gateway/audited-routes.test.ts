import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { EncryptionCodec } from '../../src/temporal/payload-codec.js';
import { gatewayBeforeSilence, ownGateway, testsOf } from '../support/gateway-without-temporal.js';
import { testPayloadKeys } from '../support/temporal-data-converter.js';
import { codecKey, omsKey, operatorKey, otherOmsKey } from './call.js';
import type { CallOptions } from './call.js';
import { card, newCode } from './requests.js';

const schema = z.object({ $ref: z.string().default('') });
const requestBody = z.object({ content: z.object({ 'application/json': z.object({ schema }) }) });
const post = z.object({ operationId: z.string(), requestBody: requestBody.optional() });
const named = z.object({ examples: z.array(z.unknown()).default([]) });
const document = z.object({
  paths: z.record(z.string(), z.object({ get: z.looseObject({}).optional(), post: post.optional() })),
  components: z.object({ schemas: z.record(z.string(), named) }),
});

/** Bodies of which the document has no example. */
const unnamed = { reason: 'why' };
const bulkRetry = { ...unnamed, bulk_retry_id: '', dry_run: true };
const headers = { 'content-type': 'application/json', prefer: 'wait=0' };

const codec = {
  ...{ codec: new EncryptionCodec(parseKeyRing(testPayloadKeys)), path: '/codec', origins: [] },
  auth: 'bearer' as const,
};
/** A Temporal that starts whatever it is asked to, and knows nothing of it later. */
const forgetful = new Proxy<Record<string, () => Promise<object>>>(
  {
    startWorkflowExecution: () => Promise.resolve({ runId: 'run' }),
    listWorkflowExecutions: () => Promise.resolve({ executions: [], nextPageToken: new Uint8Array() }),
    countWorkflowExecutions: () => Promise.resolve({ count: { toNumber: () => 0 }, groups: [] }),
  },
  {
    get: (calls, name) =>
      calls[String(name)] ??
      (() =>
        Promise.reject(Object.assign(new Error('unknown'), { code: 5, details: '', metadata: new Map() }))),
  },
);
const test = testsOf({ codec }, forgetful);
type Gateway = Awaited<ReturnType<typeof ownGateway>>;

const headOf = (path: string, key: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n` +
  `content-type: application/json\r\ncontent-length: ${String(length)}\r\n\r\n`;

/** The outcome in the one line that a request leaves in the audit stream. */
async function outcomeOf({ audit, call }: Gateway, path: string, options: CallOptions): Promise<string> {
  const before = audit.length;
  const { status } = await call('POST', path, options);
  const [entry, ...others] = audit.slice(before);
  expect({ path, status, others }).toEqual({ path, status, others: [] });
  return entry?.outcome ?? `none, though it was answered ${String(status)}`;
}

/** A request to each start and command of the document: where to, and a body that can be used. */
async function everyPost({ call }: Gateway): Promise<{ path: string; raw: string }[]> {
  const { components, paths } = document.parse((await call('GET', '/openapi.json')).body);
  return Object.entries(paths).flatMap(([path, { post: operation }]) => {
    if (operation === undefined || !path.startsWith('/v1/')) return [];
    const { $ref = '' } = operation.requestBody?.content['application/json'].schema ?? {};
    const example = components.schemas[$ref.replace(/.*\//, '')]?.examples[0] ?? unnamed;
    const body = operation.operationId === 'startBulkRetry' ? bulkRetry : example;
    const code = `${newCode()}x`;
    const raw = JSON.stringify(body).replaceAll(/"(partner_code|\w+_id)":"[^"]*"/g, `"$1":"${code}"`);
    return [{ path: path.replaceAll(/\{\w+\}/g, code), raw }];
  });
}

test('a key that only decodes starts, reads and moves nothing', async ({ gateway }) => {
  const { call } = gateway;
  const refused = { status: 403 };
  for (const { path, raw } of await everyPost(gateway))
    expect(await call('POST', path, { key: codecKey, raw, headers }), path).toMatchObject(refused);
  const { paths } = document.parse((await call('GET', '/openapi.json')).body);
  const reads = Object.entries(paths).filter(
    ([path, { get }]) => path.startsWith('/v1/') && get !== undefined,
  );
  expect(reads.length).toBeGreaterThan(10);
  for (const [path] of reads) expect(await call('GET', path, { key: codecKey }), path).toMatchObject(refused);
});

test('each start and command of the OpenAPI document is in the audit stream once, whatever comes of it', async ({
  gateway,
}) => {
  const posts = await everyPost(gateway);
  expect(posts.length).toBeGreaterThan(20);
  for (const { path, raw } of posts) {
    const request = { key: operatorKey, raw, headers };
    expect(await outcomeOf(gateway, path, request), path).toMatch(
      /^(started|accepted|not found|not-found|invalid-request)$/,
    );
    expect(await outcomeOf(gateway, path, { ...request, key: otherOmsKey }), path).toMatch(
      /^(started|accepted|not found|not-found|forbidden|invalid-request)$/,
    );
  }
});

test('each is in it once when it is refused before its handler, too', async ({ gateway }) => {
  for (const { path, raw } of await everyPost(gateway)) {
    const request = { key: operatorKey, raw, headers };
    expect(await outcomeOf(gateway, path, { ...request, raw: '{' }), path).toBe('invalid-request');
    expect(await outcomeOf(gateway, path, { ...request, raw: '{"unknown":1}' }), path).toMatch(
      /^(invalid-request|invalid|not found)$/,
    );
    const text = { ...headers, 'content-type': 'text/plain' };
    expect(await outcomeOf(gateway, path, { ...request, headers: text }), path).toBe(
      'unsupported-media-type',
    );
    expect(await outcomeOf(gateway, path, { ...request, key: null }), path).toBe('unauthorized');
  }
  const tooLarge = { key: operatorKey, raw: ' '.repeat(70_000), headers };
  expect(await outcomeOf(gateway, '/v1/payouts/pix', tooLarge)).toBe('too-large');
});

test('each is in it once when it is broken off before its body has come', async ({ gateway }) => {
  const { audit, url } = gateway;
  const posts = [...(await everyPost(gateway)).map(({ path }) => path), '/codec/encode', '/codec/decode'];
  for (const path of posts) {
    const before = audit.length;
    const key = path.startsWith('/codec') ? codecKey : operatorKey;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`${headOf(path, key, 500)}{"holder`, () => {
      socket.destroy();
    });
    await expect.poll(() => audit.length, { message: path }).toBe(before + 1);
    expect([path, audit.at(-1)?.outcome]).toEqual([path, 'broken off']);
  }
  expect(audit.at(-1)).toMatchObject({ key: 'web-ui', command: 'decode' });
});

test('a command that is broken off while it is under way is in it once, with its outcome', async () => {
  const { app, audit, gone, url } = await gatewayBeforeSilence();
  const body = JSON.stringify(unnamed);
  const arrived = once(app.server, 'request');
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  socket.write(headOf('/v1/payouts/rent/retry', operatorKey, body.length) + body);
  const [request] = (await arrived) as [IncomingMessage];
  await once(request, 'end');
  socket.destroy();
  await once(request.socket, 'close');
  gone();
  await expect.poll(() => audit.length).toBe(1);
  await app.close();
  expect(audit).toEqual([
    {
      ...{ key: 'ana', address: '127.0.0.1', command: 'retryPayout' },
      ...{ workflow_id: 'payout-rent', outcome: 'unknown' },
    },
  ]);
});

test.for([
  ['payouts/%/resolve', 'resolveSubmission', 'payout-%', { nothing_happened: true, reason: 'seen' }],
  ['payouts/%/acknowledge', 'acknowledgeAttention', 'payout-%', { attention: 'overdue', reason: 'seen' }],
  ['orders/%/card', 'provideCard', 'order-%', { credit_card: card() }],
  ['orders/%/resolve', 'resolveSubmission', 'order-%', { nothing_happened: true, reason: 'seen' }],
  ['orders/%/acknowledge', 'acknowledgeAttention', 'order-%', { attention: 'overdue', reason: 'seen' }],
  ['bulk-retries/%/pause', 'pauseBulkRetry', 'bulk-retry-%', { reason: 'x' }],
  ['bulk-retries/%/stop', 'stopBulkRetry', 'bulk-retry-%', { reason: 'x' }],
] as const)(
  'POST /v1/%s is in it, also for what nobody knows',
  async ([path, command, id, body], { gateway: { audit, call } }) => {
    const code = newCode();
    await call('POST', `/v1/${path.replace('%', code)}`, { key: operatorKey, body });
    const named = { command, workflow_id: id.replace('%', code) };
    expect(audit.at(-1)).toMatchObject({ key: 'ana', ...named, outcome: 'not found' });
  },
);

test('what names no known payment is in it by the name that its command has when it is taken', async ({
  gateway: { audit, call },
}) => {
  await call('POST', '/v1/payouts/pix', { raw: '{', headers });
  const unread = { command: 'startPayout', outcome: 'invalid-request' };
  expect(audit.at(-1)).toEqual({ key: 'shop', address: '127.0.0.1', ...unread });
});

test('who is not let in is in it, with the address and without the key that was tried', async () => {
  const { audit, call } = await ownGateway();
  await call('POST', '/v1/cards', { body: card(), key: 'guessed-key' });
  const denied = { address: '127.0.0.1', command: 'POST /v1/cards', outcome: 'unauthorized' };
  expect(audit.at(-1)).toEqual({ key: null, ...denied });
  await call('POST', '/v1/payouts/any/resolve');
  expect(audit.at(-1)).toMatchObject({ key: 'shop', outcome: 'forbidden' });
  for (const secret of ['guessed-key', omsKey, operatorKey])
    expect(JSON.stringify(audit)).not.toContain(secret);
});

test('of requests beyond the limit the first is in it at once, and the others as one with their number', async () => {
  const { app, audit, call } = await ownGateway({ limits: { requestsPerMinute: 1 } });
  for (let sent = 0; sent < 5; sent += 1) await call('POST', '/v1/cards', { body: card() });
  const refusal = { key: 'shop', address: '127.0.0.1', command: 'storeCard', outcome: 'too-many-requests' };
  expect(audit.slice(1)).toEqual([refusal]);
  await app.close();
  expect(audit.slice(2)).toEqual([{ ...refusal, times: 3 }]);
});

describe('of the codec', () => {
  test.for([
    ['without a key', { key: null }, 'unauthorized'],
    ['with a key that only pays', {}, 'forbidden'],
    ['from a foreign page', { key: codecKey, headers: { origin: 'http://evil.example' } }, 'foreign origin'],
    ['of nothing', { key: codecKey, body: { payloads: [] } }, '0 payloads'],
    ['of what is no JSON', { key: codecKey, raw: '{', headers }, 'invalid-request'],
    ['of what are no payloads', { key: codecKey, body: { payloads: [{ data: '§' }] } }, 'invalid-request'],
    ['of another type', { key: codecKey, raw: 'x', headers: { 'content-type': 'text/plain' } }, /^unsupp/],
    ['of too many payloads', { key: codecKey, raw: '['.repeat(40_000), headers }, 'too-large'],
  ] as const)('a decoding %s is in it once', async ([, options, outcome], { gateway }) => {
    expect(await outcomeOf(gateway, '/codec/decode', options)).toMatch(outcome);
  });

  test('a decoding beyond what a key may send at once is in it, too', async () => {
    const { audit, call, url } = await ownGateway({ codec });
    for (let sent = 0; sent < 4; sent += 1) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      socket.write(`${headOf('/codec/decode', codecKey, 8 * 1_024 * 1_024)}{`);
    }
    const decode = () => call('POST', '/codec/decode', { key: codecKey, body: { payloads: [] } });
    await expect.poll(async () => (await decode()).status).toBe(429);
    expect(audit.at(-1)).toEqual({
      ...{ key: 'web-ui', address: '127.0.0.1' },
      ...{ command: 'decode', outcome: 'too-many-requests' },
    });
  });
});
