import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { EncryptionCodec } from '../../src/temporal/payload-codec.js';
import { testsOf } from '../support/gateway-without-temporal.js';
import { testPayloadKeys } from '../support/temporal-data-converter.js';
import { codecKey, omsKey, operatorKey } from './call.js';
import type { CallOptions } from './call.js';

const codec = new EncryptionCodec(parseKeyRing(testPayloadKeys));
const webUi = 'http://127.0.0.1:8233';
const path = `/${randomBytes(24).toString('base64url')}`;
const data = Buffer.from('{"pix":"ana@example.com"}').toString('base64');
const payloads = [{ metadata: { encoding: Buffer.from('json/plain').toString('base64') }, data }];

const embedded = testsOf({ codec: { codec, path, auth: 'none', origins: [webUi] } });
const deployed = testsOf({
  codec: { codec, path: '/codec', auth: 'bearer', origins: [webUi], hosts: ['payments.example.com'] },
});
/** As the Web UI sends it. */
const sent = (options: CallOptions = {}): CallOptions => ({
  ...{ body: { payloads }, key: null, ...options },
  headers: { 'x-namespace': 'default', origin: webUi, ...options.headers },
});
const preflight = {
  key: null,
  headers: {
    ...{ origin: webUi, 'access-control-request-method': 'POST' },
    'access-control-request-headers': 'content-type,x-namespace',
  },
};

describe('the codec endpoint of `npm start`', () => {
  embedded(
    'encrypts and decrypts what the Web UI sends, and shows it to that origin alone',
    async ({ gateway: { call, logs } }) => {
      const encoded = await call('POST', `${path}/encode`, sent());
      expect(encoded.status).toBe(200);
      expect(encoded.headers['access-control-allow-origin']).toBe(webUi);
      expect(encoded.text).not.toContain(data);
      const decoded = await call('POST', `${path}/decode`, sent({ body: encoded.body }));
      expect(decoded.body).toEqual({ payloads });
      const elsewhere = await call(
        'POST',
        `${path}/decode`,
        sent({ headers: { origin: 'http://evil.example' } }),
      );
      expect(elsewhere.status).toBe(403);
      expect(elsewhere.headers['access-control-allow-origin']).toBeUndefined();
      const { text: metrics } = await call('GET', '/metrics', { key: null });
      expect(metrics).toContain('route="/codec/decode"');
      for (const text of [metrics, logs()]) {
        expect(text).not.toContain(path);
        expect(text).not.toContain('ana@example');
      }
    },
  );

  embedded(
    'takes a body without payloads, as the temporal command sends it, and answers none',
    async ({ gateway }) => {
      for (const body of [{}, { payloads: [] }]) {
        const answer = await gateway.call('POST', `${path}/decode`, sent({ body }));
        expect(answer).toMatchObject({ status: 200, body: { payloads: [] } });
      }
    },
  );

  embedded('answers the preflight of its origin', async ({ gateway }) => {
    const { headers, status } = await gateway.call('OPTIONS', `${path}/decode`, preflight);
    expect(status).toBe(204);
    expect(headers['access-control-allow-origin']).toBe(webUi);
    expect(headers['access-control-allow-headers']).toContain('x-namespace');
  });

  embedded('names the missing key, and refuses a body that is none', async ({ gateway: { audit, call } }) => {
    const ring = parseKeyRing(`gone:${Buffer.alloc(32, 1).toString('base64')}`);
    const base64 = (bytes?: Uint8Array | null) => Buffer.from(bytes ?? []).toString('base64');
    const sealed = (await new EncryptionCodec(ring).encode([{ data: Buffer.from('x') }])).map((payload) => ({
      metadata: Object.fromEntries(
        Object.entries(payload.metadata ?? {}).map(([name, value]) => [name, base64(value)]),
      ),
      data: base64(payload.data),
    }));
    const answer = await call('POST', `${path}/decode`, sent({ body: { payloads: sealed } }));
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain('the key gone, which');
    expect(audit).toContainEqual(expect.objectContaining({ command: 'decode', outcome: 'codec' }));
    const malformed = await call('POST', `${path}/decode`, sent({ body: { payloads: [{ data: '§' }] } }));
    expect(malformed.body.errors).toMatchObject([{ field: 'payloads.0.data' }]);
  });

  embedded('refuses a body of more parts than payloads have, before it is parsed', async ({ gateway }) => {
    const metadata = `{"payloads":[{"metadata":{${'"a":"",'.repeat(20_000)}"a":""}}]}`;
    const headers = { 'content-type': 'application/json' };
    for (const raw of [`{"payloads":[${'{},'.repeat(40_000)}{}]}`, '['.repeat(40_000), metadata]) {
      const answer = await gateway.call('POST', `${path}/decode`, { raw, key: null, headers });
      expect(answer.status).toBe(413);
    }
  });

  embedded('without a key answers this machine alone', async ({ gateway: { app } }) => {
    const statusFrom = async (remoteAddress: string, host = 'localhost:8080') => {
      const request = { method: 'POST', url: `${path}/decode`, body: { payloads } } as const;
      return (await app.inject({ ...request, headers: { host }, remoteAddress })).statusCode;
    };
    expect(await statusFrom('10.0.0.7')).toBe(404);
    expect(await statusFrom('::ffff:127.0.0.1')).toBe(200);
    expect(await statusFrom('127.0.0.1', '127.0.0.1:8080')).toBe(200);
    // A name of someone else's that was made to lead to this machine.
    expect(await statusFrom('127.0.0.1', 'evil.example:8080')).toBe(404);
  });
});

describe('where it is deployed the codec endpoint', () => {
  deployed(
    'takes a key with the scope codec where it is deployed, and no other',
    async ({ gateway: { call } }) => {
      for (const [key, status] of [
        [null, 401],
        ['wrong', 401],
        [omsKey, 403],
        [operatorKey, 403],
        [codecKey, 200],
      ] as const)
        expect((await call('POST', '/codec/decode', sent({ key }))).status).toBe(status);
      for (const path of ['/v1/payouts', '/v1/payouts/any', '/v1/payout-batches/any'])
        expect((await call('GET', path, { key: codecKey })).status).toBe(403);
      expect((await call('OPTIONS', '/codec/decode', preflight)).status).toBe(204);
    },
  );

  deployed(
    'answers by its own names and to its own pages alone, whatever proxy stands before it',
    async ({ gateway: { audit, call } }) => {
      for (const [status, headers] of [
        [403, { host: 'evil.example:8233' }],
        [403, { host: 'evil.example:8233', origin: 'http://evil.example:8233' }],
        [403, { host: '127.0.0.1:8233', origin: 'null' }],
        [200, { host: '127.0.0.1:8233', origin: webUi }],
        [200, { host: 'payments.example.com' }],
      ] as const) {
        const answer = await call('POST', '/codec/decode', { body: { payloads }, key: codecKey, headers });
        expect(answer.status, JSON.stringify(headers)).toBe(status);
      }
      for (const entry of [{ outcome: 'foreign host' }, { command: 'decode', outcome: '1 payloads' }])
        expect(audit).toContainEqual(expect.objectContaining({ key: 'web-ui', ...entry }));
    },
  );
});
