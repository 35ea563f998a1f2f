import { connect } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { EncryptionCodec } from '../../src/temporal/payload-codec.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { connectDevServer } from '../support/temporal-dev-server.js';
import type { DevServer } from '../support/temporal-dev-server.js';
import { testPayloadKeys } from '../support/temporal-data-converter.js';
import { card, newCode, pixPayout } from './requests.js';
import { call, codecKey, operatorKey, otherOmsKey, startGatewayOn } from './test-gateway.js';
import type { CallOptions } from './test-gateway.js';

const schema = z.object({ $ref: z.string().default('') });
const requestBody = z.object({ content: z.object({ 'application/json': z.object({ schema }) }) });
const post = z.object({ operationId: z.string(), requestBody: requestBody.optional() });
const named = z.object({ examples: z.array(z.unknown()).default([]) });
const document = z.object({
  paths: z.record(z.string(), z.object({ post: post.optional() })),
  components: z.object({ schemas: z.record(z.string(), named) }),
});

/** Bodies of which the document has no example. */
const unnamed = { reason: 'why' };
const bulkRetry = { ...unnamed, bulk_retry_id: '', dry_run: true };
const headers = { 'content-type': 'application/json', prefer: 'wait=0' };

const codec = new EncryptionCodec(parseKeyRing(testPayloadKeys));
const codecEndpoint = { codec, path: '/codec', auth: 'bearer', origins: [] } as const;

// Without a worker: what is started stands still until it is ended here.
let server: DevServer;
let gateway: Awaited<ReturnType<typeof startGatewayOn>>;
beforeAll(async () => {
  server = await connectDevServer();
  gateway = await startGatewayOn(server, { codec: codecEndpoint });
});
afterAll(async () => {
  const ids = gateway.audit.filter(({ outcome }) => outcome === 'started').map((entry) => entry.workflow_id);
  for (const id of ids) await server.client.workflow.getHandle(id ?? '').terminate('test');
  await gateway.close();
  await server.close();
});

/** The outcome in the one line that a request leaves in the audit stream. */
async function outcomeOf(path: string, options: CallOptions): Promise<string> {
  const before = gateway.audit.length;
  const { status } = await call(gateway.url, 'POST', path, options);
  const [entry, ...others] = gateway.audit.slice(before);
  expect({ path, status, others }).toEqual({ path, status, others: [] });
  return entry?.outcome ?? `none, though it was answered ${String(status)}`;
}

/** A request to each start and command of the document: where to, and a body that can be used. */
async function everyPost(): Promise<{ path: string; raw: string }[]> {
  const { components, paths } = document.parse((await call(gateway.url, 'GET', '/openapi.json')).body);
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

test('each start and command of the OpenAPI document is in the audit stream once, whatever comes of it', async () => {
  const posts = await everyPost();
  expect(posts.length).toBeGreaterThan(20);
  for (const { path, raw } of posts) {
    const request = { key: operatorKey, raw, headers };
    expect(await outcomeOf(path, request), path).toMatch(
      /^(started|accepted|not found|not-found|invalid-request)$/,
    );
    expect(await outcomeOf(path, { ...request, key: otherOmsKey }), path).toMatch(
      /^(conflict: owner|accepted|not found|not-found|forbidden|invalid-request)$/,
    );
  }
});

test('each is in it once when it is refused before its handler, too', async () => {
  for (const { path, raw } of await everyPost()) {
    const request = { key: operatorKey, raw, headers };
    expect(await outcomeOf(path, { ...request, raw: '{' }), path).toBe('invalid-request');
    expect(await outcomeOf(path, { ...request, raw: '{"unknown":1}' }), path).toMatch(
      /^(invalid-request|invalid|not found)$/,
    );
    const text = { ...headers, 'content-type': 'text/plain' };
    expect(await outcomeOf(path, { ...request, headers: text }), path).toBe('unsupported-media-type');
    expect(await outcomeOf(path, { ...request, key: null }), path).toBe('unauthorized');
  }
  const tooLarge = { key: operatorKey, raw: ' '.repeat(70_000), headers };
  expect(await outcomeOf('/v1/payouts/pix', tooLarge)).toBe('too-large');
});

test.each([
  ['without a key', { key: null }, 'unauthorized'],
  ['with a key that only pays', {}, 'forbidden'],
  ['from a foreign page', { key: codecKey, headers: { origin: 'http://evil.example' } }, 'foreign origin'],
  ['of nothing', { key: codecKey, body: { payloads: [] } }, '0 payloads'],
  ['of what is no JSON', { key: codecKey, raw: '{', headers }, 'invalid-request'],
  ['of what are no payloads', { key: codecKey, body: { payloads: [{ data: '§' }] } }, 'invalid-request'],
  ['of another type', { key: codecKey, raw: 'x', headers: { 'content-type': 'text/plain' } }, /^unsupp/],
  ['of too many payloads', { key: codecKey, raw: '['.repeat(40_000), headers }, 'too-large'],
] as const)('a decoding %s is in it once', async (_what, options, outcome) => {
  expect(await outcomeOf('/codec/decode', { body: undefined, ...options })).toMatch(outcome);
});

test('a decoding beyond what a key may send at once is in it, too', async () => {
  const { url, audit, close } = await startGatewayOn(server, { codec: codecEndpoint });
  onTestFinished(close);
  const head = `POST /codec/decode HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${codecKey}\r\n`;
  for (let sent = 0; sent < 4; sent += 1) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.write(
      `${head}content-type: application/json\r\ncontent-length: ${String(8 * 1_024 * 1_024)}\r\n\r\n{`,
    );
  }
  const decode = () => call(url, 'POST', '/codec/decode', { key: codecKey, body: { payloads: [] } });
  await expect.poll(async () => (await decode()).status).toBe(429);
  expect(audit.at(-1)).toEqual({
    ...{ key: 'web-ui', address: '127.0.0.1' },
    ...{ command: 'decode', outcome: 'too-many-requests' },
  });
});

test('what names no known payment is in it by the name that its command has when it is taken', async () => {
  await call(gateway.url, 'POST', '/v1/payouts/pix', { raw: '{', headers });
  expect(gateway.audit.at(-1)).toEqual({
    ...{ key: 'shop', address: '127.0.0.1' },
    ...{ command: 'startPayout', outcome: 'invalid-request' },
  });
});

test('each is in it once when it is broken off before its body has come', async () => {
  const posts = [...(await everyPost()).map(({ path }) => path), '/codec/encode', '/codec/decode'];
  for (const path of posts) {
    const before = gateway.audit.length;
    const key = path.startsWith('/codec') ? codecKey : operatorKey;
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n`;
    socket.write(`${head}content-type: application/json\r\ncontent-length: 500\r\n\r\n{"holder`, () => {
      socket.destroy();
    });
    await expect.poll(() => gateway.audit.length, { message: path }).toBe(before + 1);
    expect([path, gateway.audit.at(-1)?.outcome]).toEqual([path, 'broken off']);
  }
  const { key, command } = gateway.audit.at(-1) ?? {};
  expect({ key, command }).toEqual({ key: 'web-ui', command: 'decode' });
});

test('a command that is broken off while it is under way is in it once, with its outcome', async () => {
  const { url, audit, requests, close } = await startGatewayOn(server);
  onTestFinished(close);
  const payout = pixPayout();
  const workflow_id = `payout-${payout.partner_code}`;
  await call(url, 'POST', '/v1/payouts/pix', { body: payout, headers: { prefer: 'wait=0' } });
  const body = JSON.stringify(unnamed);
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  socket.write(
    `POST /v1/payouts/${payout.partner_code}/retry HTTP/1.1\r\nhost: a\r\n` +
      `authorization: Bearer ${operatorKey}\r\ncontent-type: application/json\r\n` +
      `content-length: ${String(body.length)}\r\n\r\n${body}`,
  );
  await expect.poll(requests).toBe(2);
  socket.destroy();
  // Its payout never answers it.
  await server.client.workflow.getHandle(workflow_id).terminate('test');
  await expect.poll(() => audit.length).toBe(2);
  await close();
  expect(audit.slice(1)).toEqual([
    { key: 'ana', address: '127.0.0.1', command: 'retryPayout', workflow_id, outcome: 'refused: Closed' },
  ]);
});

test('of requests beyond the limit the first is in it at once, and the others as one with their number', async () => {
  const limited = await startGatewayOn(server, { limits: { requestsPerMinute: 1 } });
  onTestFinished(() => limited.close());
  for (let sent = 0; sent < 5; sent += 1) await call(limited.url, 'POST', '/v1/cards', { body: card() });
  const refusal = { key: 'shop', address: '127.0.0.1', command: 'storeCard', outcome: 'too-many-requests' };
  expect(limited.audit.slice(1)).toEqual([refusal]);
  await limited.close();
  expect(limited.audit.slice(2)).toEqual([{ ...refusal, times: 3 }]);
});
