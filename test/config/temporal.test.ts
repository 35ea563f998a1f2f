import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { loadConfig } from '../../src/config.js';
import type { Env } from '../../src/config/environment.js';
import { faultsOf, test, worker } from './support.js';

describe('the way to Temporal', () => {
  const target = (env: Env) => loadConfig({ ...worker, ...env }, 'worker').temporal.connectionOptions;

  test('is encrypted and proven by a certificate, when files or texts of one are named', ({ dir }) => {
    writeFileSync(join(dir, 'client.pem'), 'a certificate');
    writeFileSync(join(dir, 'client.key'), 'its key');
    const env = {
      TEMPORAL_ADDRESS: 'pay.tmprl.example:7233',
      TEMPORAL_TLS_CLIENT_CERT_PATH: join(dir, 'client.pem'),
      TEMPORAL_TLS_CLIENT_KEY_PATH: join(dir, 'client.key'),
    };
    expect(target(env).tls).toMatchObject({
      clientCertPair: { crt: new Uint8Array(Buffer.from('a certificate')) },
    });
  });

  test('is encrypted and proven by an API key, which may stand in a file', ({ dir }) => {
    writeFileSync(join(dir, 'api-key'), 'an-api-key\n');
    expect(target({ TEMPORAL_API_KEY_FILE: join(dir, 'api-key') })).toMatchObject({
      apiKey: 'an-api-key',
      tls: expect.anything() as unknown,
    });
  });

  test.each([
    ...['temporal:7233', '10.0.0.7:7233', '127.0.0.1.example.com:7233', 'localhost.example.com:7233', '::'],
    ...['remote:7233@127.0.0.1', ':7233@127.0.0.1', '127.0.0.1/@remote:7233', '127.0.0.1#remote:7233'],
    '127.0.0.1?remote:7233',
  ])('to %s is refused in plaintext, unless that is meant', (TEMPORAL_ADDRESS) => {
    const env = { ...worker, TEMPORAL_ADDRESS };
    expect(faultsOf(env, 'worker').join()).toContain('would be reached without TLS');
    expect(faultsOf({ ...env, TEMPORAL_PLAINTEXT: 'false' }, 'worker').join()).toContain('without TLS');
    expect(faultsOf({ ...env, TEMPORAL_PLAINTEXT: 'true' }, 'worker')).toEqual([]);
    expect(faultsOf({ ...env, TEMPORAL_TLS: 'true' }, 'worker')).toEqual([]);
  });

  test.each(['localhost:7233', '127.0.0.1:7233', '[::1]:7233'])('to %s needs no TLS', (TEMPORAL_ADDRESS) => {
    expect(faultsOf({ ...worker, TEMPORAL_ADDRESS }, 'worker')).toEqual([]);
  });

  test.each(['__proto__', 'constructor', 'toString'])(
    'of a profile named %s, which every object inherits, is refused, and changes no other object',
    (TEMPORAL_PROFILE) => {
      expect(faultsOf({ ...worker, TEMPORAL_PROFILE }, 'worker').join()).toContain(
        "Temporal's own configuration can't be read",
      );
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
  );

  test('that names a certificate which can not be read is a fault of the configuration', ({ dir }) => {
    const env = {
      ...worker,
      TEMPORAL_TLS_CLIENT_CERT_PATH: join(dir, 'none'),
      TEMPORAL_TLS_CLIENT_KEY_PATH: 'x',
    };
    expect(faultsOf(env, 'worker').join()).toContain("Temporal's own configuration can't be read");
  });
});
