import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ConfigError,
  configVariables,
  loadConfig,
  loadOrGenerateKeys,
  readGeneratedKeys,
} from '../src/config.js';
import type { Env } from '../src/config/environment.js';
import type { Role } from '../src/config/variables.js';

const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const OTHER_KEY = `k0:${Buffer.alloc(32, 2).toString('base64')}`;

const worker = {
  PAYMENTS_BASE_URL: 'https://payments.example.com/',
  PAYMENTS_CLIENT_ID: 'shop',
  PAYMENTS_CLIENT_SECRET: 'very-secret',
  PUBLIC_URL: 'https://shop.example.com/hooks/',
  POSTBACK_KEYS: `p1:${Buffer.alloc(32, 3).toString('base64')}`,
  PAYLOAD_KEYS: `${KEY},${OTHER_KEY}`,
};
/** As long as an API key has to be. */
const apiKey = (name: string) => name.padEnd(24, '-0');
const gateway = {
  ...worker,
  API_KEYS: [
    `oms:${apiKey('s3cret-one')}:oms`,
    `ana:${apiKey('s3cret-two')}:operator`,
    `all:${apiKey('s3cret-three')}`,
    `ui:${apiKey('s3cret-four')}:codec`,
    `ops:${apiKey('s3cret-five')}:operator:codec`,
  ].join(),
};

function faultsOf(env: Env, role: Role): readonly string[] {
  try {
    loadConfig(env, role);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

describe('a worker', () => {
  test('gets what is set, with Temporal’s own names and defaults', () => {
    const config = loadConfig(
      {
        ...worker,
        ...{ TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_NAMESPACE: 'pay', TEMPORAL_PLAINTEXT: 'true' },
      },
      'worker',
    );
    expect(config).toMatchObject({
      logLevel: 'info',
      taskQueue: 'payments',
      temporal: { connectionOptions: { address: 'temporal:7233' }, namespace: 'pay' },
      payments: { baseUrl: 'https://payments.example.com', clientId: 'shop', clientSecret: 'very-secret' },
      publicUrl: 'https://shop.example.com/hooks',
    });
    expect(config.payloadKeys === 'none' ? [] : [...config.payloadKeys.byId.keys()]).toEqual(['k1', 'k0']);
    expect(loadConfig(worker, 'worker').temporal).toMatchObject({
      connectionOptions: { address: 'localhost:7233' },
      namespace: 'default',
    });
  });

  test('without anything is told everything that is missing, at once', () => {
    const names = faultsOf({}, 'worker').map((fault) => fault.split(' ')[0]);
    expect(new Set(names)).toEqual(new Set(Object.keys(worker)));
    expect(names).toHaveLength(6);
  });

  test('stores in clear only when told so', () => {
    expect(loadConfig({ ...worker, PAYLOAD_KEYS: 'none' }, 'worker').payloadKeys).toBe('none');
    expect(faultsOf({ ...worker, PAYLOAD_KEYS: '' }, 'worker').join()).toContain('PAYLOAD_KEYS is not set');
  });
});

describe('a gateway', () => {
  test('knows its callers by name and what each may do', () => {
    expect(loadConfig(gateway, 'gateway').apiKeys).toEqual([
      { name: 'oms', key: apiKey('s3cret-one'), scopes: ['oms'] },
      { name: 'ana', key: apiKey('s3cret-two'), scopes: ['operator'] },
      { name: 'all', key: apiKey('s3cret-three'), scopes: ['oms', 'operator'] },
      { name: 'ui', key: apiKey('s3cret-four'), scopes: ['codec'] },
      { name: 'ops', key: apiKey('s3cret-five'), scopes: ['operator', 'codec'] },
    ]);
  });

  test('may know a caller by an old and a new key, with the same scopes', () => {
    const of = (...keys: string[]) => ({ ...gateway, API_KEYS: keys.join() });
    const [fresh, old] = [apiKey('new-key'), apiKey('old-key')];
    expect(loadConfig(of(`oms:${fresh}:oms`, `oms:${old}:oms`), 'gateway').apiKeys).toEqual([
      { name: 'oms', key: fresh, scopes: ['oms'] },
      { name: 'oms', key: old, scopes: ['oms'] },
    ]);
    const faults = (...keys: string[]) => faultsOf(of(...keys), 'gateway').join();
    expect(faults(`oms:${fresh}`, `oms:${old}:oms`)).toContain('entry 2 gives a name');
    expect(faults(`one:${fresh}`, `two:${fresh}`)).toContain('entry 2 repeats the key');
  });

  test('has no caller whose key can be guessed, or whose scope is unknown', () => {
    const faults = (entry: string) => faultsOf({ ...gateway, API_KEYS: entry }, 'gateway').join();
    expect(faults('oms:1')).toContain('the key of entry 1 must have 24 to 512 characters');
    expect(faults(`oms:${'k'.repeat(23)}`)).toContain('24 to 512 characters');
    expect(faults(`oms:${'k'.repeat(513)}`)).toContain('24 to 512 characters');
    expect(faults(`oms:${'k'.repeat(24)}`)).toBe('');
    for (const scope of ['admin', 'oms:admin', 'toString', ''])
      expect(faults(`oms:${'k'.repeat(24)}:${scope}`)).toContain('scopes are oms, operator, codec');
  });

  test('uses no key for two purposes', () => {
    const shared = { ...gateway, POSTBACK_KEYS: `other-name:${KEY.split(':')[1] ?? ''}` };
    expect(faultsOf(shared, 'gateway')).toEqual([expect.stringContaining('POSTBACK_KEYS has in other-name')]);
    const twice = { ...gateway, PAYLOAD_KEYS: `${KEY},k2:${KEY.split(':')[1] ?? ''}` };
    expect(faultsOf(twice, 'gateway').join()).toContain('the key "k2" is the same as another');
  });

  test('lets the pages of exactly the Web UIs decode that are named', () => {
    const of = (origins: string) => ({ ...gateway, TEMPORAL_UI_ORIGINS: origins });
    expect(loadConfig(gateway, 'gateway').uiOrigins).toEqual([]);
    expect(loadConfig(of('https://ui.example.com, http://127.0.0.1:8233'), 'gateway').uiOrigins).toEqual([
      'https://ui.example.com',
      'http://127.0.0.1:8233',
    ]);
    for (const wrong of [
      '*',
      'null',
      'https://ui.example.com/',
      'ui.example.com',
      'https://UI.example.com',
    ]) {
      expect(faultsOf(of(wrong), 'gateway').join(), wrong).toContain('TEMPORAL_UI_ORIGINS can');
    }
  });

  test('is told of every mistake in one go, and no secret is repeated', () => {
    const faults = faultsOf(
      {
        ...gateway,
        PAYMENTS_BASE_URL: 'http://payments.example.com',
        PUBLIC_URL: 'shop.example.com',
        GATEWAY_PORT: '99999',
        POSTBACK_KEYS: 'k1:dG9vLXNob3J0',
        PAYLOAD_KEYS: `${KEY},${KEY}`,
        API_KEYS: 'only-a-s3cret',
        LOG_LEVEL: 'loud',
        POLL_SCALE: '0.01',
      },
      'gateway',
    );
    const text = faults.join('\n');
    for (const name of [
      ...['PAYMENTS_BASE_URL must be https', 'PUBLIC_URL is not an address', 'GATEWAY_PORT is not a port'],
      ...["POSTBACK_KEYS can't be used: entry 1", 'PAYLOAD_KEYS can\'t be used: the id "k1" appears twice'],
      ...["API_KEYS can't be used: entry 1", 'LOG_LEVEL is not a level', 'POLL_SCALE must be 1'],
    ]) {
      expect(text).toContain(name);
    }
    expect(faults).toHaveLength(8);
    expect(text).not.toMatch(/s3cret|dG9vLXNob3J0|very-secret/);
    expect(text).not.toContain(KEY);
  });

  test.each(['http://localhost:4000', 'http://127.0.0.1:4000', 'http://[::1]:4000', 'https://127.0.0.1'])(
    'may wait shorter when the payments service is at %s',
    (baseUrl) => {
      const env = { ...gateway, PAYMENTS_BASE_URL: baseUrl, POLL_SCALE: '0.01' };
      expect(loadConfig(env, 'gateway').pollScale).toBe(0.01);
    },
  );

  test.each([
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://user:pw@localhost',
    'ftp://localhost',
  ])('takes no payments service at %s', (baseUrl) => {
    expect(faultsOf({ ...gateway, PAYMENTS_BASE_URL: baseUrl }, 'gateway')).toHaveLength(1);
  });
});

describe('the way to Temporal', () => {
  const target = (env: Env) => loadConfig({ ...worker, ...env }, 'worker').temporal.connectionOptions;

  test('is encrypted and proven by a certificate, when files or texts of one are named', () => {
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

  test('is encrypted and proven by an API key, which may stand in a file', () => {
    writeFileSync(join(dir, 'api-key'), 'an-api-key\n');
    expect(target({ TEMPORAL_API_KEY_FILE: join(dir, 'api-key') })).toMatchObject({
      apiKey: 'an-api-key',
      tls: expect.anything() as unknown,
    });
  });

  test.each([
    'temporal:7233',
    '10.0.0.7:7233',
    '127.0.0.1.example.com:7233',
    'localhost.example.com:7233',
    '::',
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

  test('that names a certificate which can not be read is a fault of the configuration', () => {
    const env = {
      ...worker,
      TEMPORAL_TLS_CLIENT_CERT_PATH: join(dir, 'none'),
      TEMPORAL_TLS_CLIENT_KEY_PATH: 'x',
    };
    expect(faultsOf(env, 'worker').join()).toContain("Temporal's own configuration can't be read");
  });
});

describe('all in one', () => {
  test('needs nothing', () => {
    expect(loadConfig({}, 'start')).toEqual({
      logLevel: 'info',
      dataDir: '.data',
      temporal: 'embedded',
      uiPort: null,
      taskQueue: 'payments',
      payments: 'sandbox',
      publicUrl: 'http://127.0.0.1:8080',
      postbackKeys: null,
      payloadKeys: null,
      host: '127.0.0.1',
      port: 8080,
      apiKeys: null,
      pollScale: 1,
      notifyTargets: [],
      notifyWorkflows: [],
    });
  });

  test('on a Temporal of someone else needs keys for what it stores there', () => {
    const env = { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_PLAINTEXT: 'true' };
    expect(faultsOf(env, 'start').join()).toContain('PAYLOAD_KEYS is not set');
    expect(faultsOf({ ...env, PAYLOAD_KEYS: 'none' }, 'start')).toEqual([]);
  });

  test('with a real payments service needs the credentials for it', () => {
    const faults = faultsOf({ PAYMENTS_BASE_URL: 'https://127.0.0.1' }, 'start');
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'PAYMENTS_CLIENT_ID',
      'PAYMENTS_CLIENT_SECRET',
    ]);
  });
});

describe('the embedded Temporal, which is for development', () => {
  const credentials = { PAYMENTS_CLIENT_ID: 'shop', PAYMENTS_CLIENT_SECRET: 'very-secret' };
  test.each(['https://payments.example.com', 'https://127.0.0.1.example.com', 'https://10.0.0.7'])(
    'is refused beside the payments service at %s',
    (PAYMENTS_BASE_URL) => {
      expect(faultsOf({ ...credentials, PAYMENTS_BASE_URL }, 'start')).toEqual([
        expect.stringContaining('moves no real money. Set TEMPORAL_ADDRESS'),
      ]);
    },
  );

  test('runs beside a payments service on this machine', () => {
    const env = { ...credentials, PAYMENTS_BASE_URL: 'http://127.0.0.1:9000' };
    expect(loadConfig(env, 'start').temporal).toBe('embedded');
  });
});

describe('files', () => {
  test('a value may stand in a file, whose last line end does not count', () => {
    writeFileSync(join(dir, 'secret'), 'from-a-file\n');
    const { PAYMENTS_CLIENT_SECRET: _, ...rest } = worker;
    const env = { ...rest, PAYMENTS_CLIENT_SECRET_FILE: join(dir, 'secret') };
    expect(loadConfig(env, 'worker').payments.clientSecret).toBe('from-a-file');
  });

  test('a file that is missing or empty, and a value set twice, are told by name', () => {
    writeFileSync(join(dir, 'empty'), '\n');
    const { POSTBACK_KEYS: _postback, PAYLOAD_KEYS: _payload, ...rest } = worker;
    const text = faultsOf(
      {
        ...rest,
        POSTBACK_KEYS_FILE: join(dir, 'nowhere'),
        PAYLOAD_KEYS_FILE: join(dir, 'empty'),
        PAYMENTS_CLIENT_SECRET_FILE: join(dir, 'empty'),
      },
      'worker',
    ).join('\n');
    expect(text).toMatch(/POSTBACK_KEYS_FILE names .*nowhere, which can't be read/);
    expect(text).toMatch(/PAYLOAD_KEYS_FILE names .*empty, which is empty/);
    expect(text).toContain('PAYMENTS_CLIENT_SECRET and PAYMENTS_CLIENT_SECRET_FILE are both set');
  });

  test('each variable has a meaning, and the secret ones are marked', () => {
    for (const { meaning, roles } of configVariables) {
      expect(meaning).not.toBe('');
      expect(roles).not.toHaveLength(0);
    }
    expect(configVariables.filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
      ...[
        'PAYMENTS_CLIENT_SECRET',
        'POSTBACK_KEYS',
        'PAYLOAD_KEYS',
        'API_KEYS',
        'NOTIFY_SECRETS',
        'TEMPORAL_API_KEY',
      ],
    ]);
  });
});

describe('generated keys', () => {
  test('are made once, for their owner alone', () => {
    const made = loadOrGenerateKeys(join(dir, 'data'));
    expect(statSync(made.file).mode & 0o777).toBe(0o600);
    expect(loadOrGenerateKeys(join(dir, 'data'))).toEqual(made);
    expect(readGeneratedKeys(join(dir, 'data'))).toEqual(made);
    expect(made.payloadKeys.current.bytes).not.toEqual(made.postbackKeys.current.bytes);
    expect(loadOrGenerateKeys(join(dir, 'other')).payloadKeys).not.toEqual(made.payloadKeys);
  });

  test('are not made anew beside a database that needs the lost ones', () => {
    mkdirSync(join(dir, 'data'));
    writeFileSync(join(dir, 'data', 'temporal.db'), '');
    expect(() => loadOrGenerateKeys(join(dir, 'data'))).toThrow(/keys.env is gone/);
    expect(readGeneratedKeys(join(dir, 'data'))).toBeNull();
  });

  test('that were damaged are refused without being shown', () => {
    const { file } = loadOrGenerateKeys(dir);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/PAYLOAD_KEYS=.*/, 'PAYLOAD_KEYS=generated:ZGFtYWdlZA=='),
    );
    expect(() => loadOrGenerateKeys(dir)).toThrow(/PAYLOAD_KEYS can't be used/);
    expect(() => loadOrGenerateKeys(dir)).not.toThrow(/ZGFtYWdlZA/);
  });
});
