import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EncryptionCodec } from '../../src/temporal/payload-codec.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { testPayloadKeys } from '../support/temporal-data-converter.js';
import { codecKey, memoryLog, operatorKey, startTestGateway } from './test-gateway.js';
import type { CallOptions, TestGateway } from './test-gateway.js';
import { neverOverloaded } from '../support/never-overloaded.js';

const codec = new EncryptionCodec(parseKeyRing(testPayloadKeys));
const webUi = 'http://127.0.0.1:8233';
const path = `/${randomBytes(24).toString('base64url')}`;
const payloads = [
  {
    metadata: { encoding: Buffer.from('json/plain').toString('base64') },
    data: Buffer.from('{"pix":"ana@example.com"}').toString('base64'),
  },
];

let embedded: TestGateway;
let deployed: TestGateway;
beforeAll(async () => {
  embedded = await startTestGateway({ codec: { codec, path, auth: 'none', origins: [webUi] } });
  deployed = await startTestGateway({
    codec: { codec, path: '/codec', auth: 'bearer', origins: [webUi], hosts: ['payments.example.com'] },
  });
});
afterAll(() => Promise.all([embedded.close(), deployed.close()]));

const post = (gateway: TestGateway, at: string, options: CallOptions = {}) =>
  gateway.call('POST', at, {
    body: { payloads },
    key: null,
    ...options,
    headers: { 'x-namespace': 'default', origin: webUi, ...options.headers },
  });

describe('the codec endpoint', () => {
  test('encrypts and decrypts what the Web UI sends, and shows it to that origin alone', async () => {
    const encoded = await post(embedded, `${path}/encode`);
    expect(encoded.status).toBe(200);
    expect(encoded.headers['access-control-allow-origin']).toBe(webUi);
    expect(encoded.text).not.toContain(payloads[0]?.data);
    const decoded = await post(embedded, `${path}/decode`, { body: encoded.body });
    expect(decoded.body).toEqual({ payloads });
    const elsewhere = await post(embedded, `${path}/decode`, { headers: { origin: 'http://evil.example' } });
    expect(elsewhere.status).toBe(403);
    expect(elsewhere.headers['access-control-allow-origin']).toBeUndefined();
    const { text: metrics } = await embedded.call('GET', '/metrics', { key: null });
    expect(metrics).toContain('route="/codec/decode"');
    for (const text of [metrics, embedded.logs()]) {
      expect(text).not.toContain(path);
      expect(text).not.toContain('ana@example');
    }
  });

  test('takes a body without payloads, as the temporal command sends it, and answers none', async () => {
    for (const body of [{}, { payloads: [] }]) {
      expect(await post(embedded, `${path}/decode`, { body })).toMatchObject({
        status: 200,
        body: { payloads: [] },
      });
    }
  });

  test('answers the preflight of its origin', async () => {
    const preflight = await embedded.call('OPTIONS', `${path}/decode`, {
      key: null,
      headers: {
        origin: webUi,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-namespace',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe(webUi);
    expect(preflight.headers['access-control-allow-headers']).toContain('x-namespace');
  });

  test('takes a key with the scope codec where it is deployed, and no other', async () => {
    expect((await post(deployed, '/codec/decode')).status).toBe(401);
    expect((await post(deployed, '/codec/decode', { key: 'wrong' })).status).toBe(401);
    expect((await deployed.call('POST', '/codec/decode', { body: { payloads } })).status).toBe(403);
    expect((await post(deployed, '/codec/decode', { key: operatorKey })).status).toBe(403);
    expect((await post(deployed, '/codec/decode', { key: codecKey })).status).toBe(200);
    for (const path of ['/v1/payouts', '/v1/payouts/any', '/v1/payout-batches/any']) {
      expect((await deployed.call('GET', path, { key: codecKey })).status).toBe(403);
    }
    const preflight = await deployed.call('OPTIONS', '/codec/decode', {
      key: null,
      headers: { origin: webUi, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
  });

  test('answers by its own names and to its own pages alone, whatever proxy stands before it', async () => {
    const statusOf = async (headers: Record<string, string>) => {
      const app = await deployed.call('POST', '/codec/decode', {
        body: { payloads },
        key: codecKey,
        headers,
      });
      return app.status;
    };
    expect(await statusOf({ host: 'evil.example:8233' })).toBe(403);
    expect(await statusOf({ host: 'evil.example:8233', origin: 'http://evil.example:8233' })).toBe(403);
    expect(await statusOf({ host: '127.0.0.1:8233', origin: 'null' })).toBe(403);
    expect(await statusOf({ host: '127.0.0.1:8233', origin: webUi })).toBe(200);
    expect(await statusOf({ host: 'payments.example.com' })).toBe(200);
    expect(deployed.audit).toContainEqual(
      expect.objectContaining({ key: 'web-ui', outcome: 'foreign host' }),
    );
    expect(deployed.audit).toContainEqual(
      expect.objectContaining({ key: 'web-ui', command: 'decode', outcome: '1 payloads' }),
    );
  });

  test('names the missing key, and refuses a body that is none', async () => {
    const ring = parseKeyRing(`gone:${Buffer.alloc(32, 1).toString('base64')}`);
    const [sealed] = await new EncryptionCodec(ring).encode([{ data: Buffer.from('x') }]);
    const body = {
      payloads: [
        {
          metadata: Object.fromEntries(
            Object.entries(sealed?.metadata ?? {}).map(([name, value]) => [
              name,
              Buffer.from(value).toString('base64'),
            ]),
          ),
          data: Buffer.from(sealed?.data ?? []).toString('base64'),
        },
      ],
    };
    const answer = await post(embedded, `${path}/decode`, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain('the key gone, which');
    expect(embedded.audit).toContainEqual(expect.objectContaining({ command: 'decode', outcome: 'codec' }));
    const malformed = await post(embedded, `${path}/decode`, { body: { payloads: [{ data: '§' }] } });
    expect(malformed.body.errors).toMatchObject([{ field: 'payloads.0.data' }]);
  });

  test('refuses a body of more parts than payloads have, before it is parsed', async () => {
    const metadata = `{"payloads":[{"metadata":{${'"a":"",'.repeat(20_000)}"a":""}}]}`;
    for (const body of [`{"payloads":[${'{},'.repeat(40_000)}{}]}`, '['.repeat(40_000), metadata]) {
      const answer = await embedded.call('POST', `${path}/decode`, {
        ...{ raw: body, key: null },
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(413);
    }
  });

  test('without a key answers this machine alone', async () => {
    const app = createGateway({
      client: embedded.server.client,
      cardStore: embedded.cardStore,
      apiKeys: [],
      postbackKeys: [],
      logger: memoryLog().logger,
      audit: () => undefined,
      taskQueue: 'none',
      limits: neverOverloaded,
      codec: { codec, path, auth: 'none', origins: [webUi] },
    });
    const statusFrom = async (remoteAddress: string, host = 'localhost:8080') => {
      const headers = { host };
      const request = { method: 'POST', url: `${path}/decode`, body: { payloads }, headers } as const;
      return (await app.inject({ ...request, remoteAddress })).statusCode;
    };
    expect(await statusFrom('10.0.0.7')).toBe(404);
    expect(await statusFrom('::ffff:127.0.0.1')).toBe(200);
    expect(await statusFrom('127.0.0.1', '127.0.0.1:8080')).toBe(200);
    // A name of someone else's that was made to lead to this machine.
    expect(await statusFrom('127.0.0.1', 'evil.example:8080')).toBe(404);
    await app.close();
  });
});
