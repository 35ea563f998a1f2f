import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import type { WorkerConfig } from '../../src/config/settings.js';
import { KEY, apiKey, faultsOf, gateway, worker } from './support.js';

describe('a worker', () => {
  test('gets what is set, with Temporal’s own names and defaults', () => {
    const temporal = { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_NAMESPACE: 'pay' };
    const config = loadConfig({ ...worker, ...temporal, TEMPORAL_PLAINTEXT: 'true' }, 'worker');
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

  test('without anything reports everything that is missing at once', () => {
    const names = faultsOf({}, 'worker').map((fault) => fault.split(' ')[0]);
    expect(new Set(names)).toEqual(new Set(Object.keys(worker)));
    expect(names).toHaveLength(6);
  });

  test.for<[string, keyof WorkerConfig, unknown, string, unknown]>([
    ['SCAN_BEFORE_SEND', 'scanBeforeSend', 'when_old', 'always', 'always'],
    ['ORDERS_AFTER_429', 'ordersAfter429', 'send_again', 'unknown', 'unknown'],
    ['CREATING_CALLS_PER_SECOND', 'creatingCallsPerSecond', null, '2.5', 2.5],
    ['WORKER_VERSIONING', 'versioning', 'off', 'pinned', 'pinned'],
    ['NEXUS_CALLERS', 'nexusCallers', [], 'oms, shop,oms', ['oms', 'shop']],
  ])('takes %s for %s: unset it is %j, and as %j it is %j', ([name, field, unset, written, set]) => {
    expect(loadConfig(worker, 'worker')[field]).toEqual(unset);
    expect(loadConfig({ ...worker, [name]: written }, 'worker')[field]).toEqual(set);
  });

  test.for([
    ['SCAN_BEFORE_SEND', 'true', 'is neither when_old nor always.'],
    ['ORDERS_AFTER_429', 'no', 'is neither send_again nor unknown.'],
    ...['0', '-1', 'fast', '10001'].map(
      (rate) => ['CREATING_CALLS_PER_SECOND', rate, 'is not a rate.'] as const,
    ),
    ['WORKER_VERSIONING', 'on', 'is neither off, pinned nor auto_upgrade.'],
    ['NEXUS_CALLERS', 'oms,the shop!', "can't be used: entry 3 is not a name as API_KEYS has it."],
  ] as const)('refuses %s=%s, which %s', ([name, written, fault]) => {
    expect(faultsOf({ ...worker, [name]: written }, 'worker').join()).toContain(`${name} ${fault}`);
  });

  test('stores plaintext only when `none` is written', () => {
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

  test('listens on one address, by the name localhost too, for a second one would have no bounds', () => {
    expect(loadConfig({ ...gateway, GATEWAY_HOST: 'localhost' }, 'gateway').host).toBe('127.0.0.1');
    expect(loadConfig({ ...gateway, GATEWAY_HOST: '::1' }, 'gateway').host).toBe('::1');
  });

  test('may know a caller by an old and a new key, with the same scopes', () => {
    const of = (...keys: string[]) => ({ ...gateway, API_KEYS: keys.join() });
    const [fresh, old] = [apiKey('new-key'), apiKey('old-key')];
    expect(loadConfig(of(`oms:${fresh}:oms`, `oms:${old}:oms`), 'gateway').apiKeys).toEqual([
      { name: 'oms', key: fresh, scopes: ['oms'] },
      { name: 'oms', key: old, scopes: ['oms'] },
    ]);
    const faults = (...keys: string[]) => faultsOf(of(...keys), 'gateway').join();
    expect(faults(`oms:${fresh}:operator`, `oms:${old}:oms`)).toContain('entry 2 gives a name');
    expect(faults(`one:${fresh}:oms`, `two:${fresh}:oms`)).toContain('entry 2 repeats the key');
  });

  test('has no caller whose key can be guessed, whose scope is unknown, or who has none', () => {
    const faults = (key: string, scope = ':oms') =>
      faultsOf({ ...gateway, API_KEYS: `oms:${key}${scope}` }, 'gateway').join();
    expect(faults('1')).toContain('the key of entry 1 must have 24 to 512 characters');
    expect(faults('k'.repeat(23))).toContain('24 to 512 characters');
    expect(faults('k'.repeat(513))).toContain('24 to 512 characters');
    expect(faults('k'.repeat(24))).toContain('can be guessed');
    expect(faults('change_'.repeat(4))).toContain('can be guessed');
    expect(faults('01234567'.repeat(3))).toBe('');
    for (const scope of [':admin', ':oms:admin', ':toString', ':', '']) {
      const fault = faults('01234567'.repeat(3), scope);
      expect(fault).toContain('Write :oms behind the key of a shop');
      expect(fault).toContain('scopes are oms, operator, codec');
    }
  });

  test('has no payload key twice under two names', () => {
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
    const ui = 'ui.example.com';
    for (const wrong of ['*', 'null', `https://${ui}/`, ui, `https://${ui.toUpperCase()}`])
      expect(faultsOf(of(wrong), 'gateway').join(), wrong).toContain('TEMPORAL_UI_ORIGINS can');
  });

  test('reports every mistake at once, and repeats no secret', () => {
    const wrong: [string, string, string][] = [
      ['PAYMENTS_BASE_URL', 'http://payments.example.com', 'must be https'],
      ['PUBLIC_URL', 'shop.example.com', 'is not an address'],
      ['GATEWAY_PORT', '99999', 'is not a port'],
      ['POSTBACK_KEYS', 'k1:dG9vLXNob3J0', "can't be used: entry 1"],
      ['PAYLOAD_KEYS', `${KEY},${KEY}`, 'can\'t be used: the id "k1" appears twice'],
      ['API_KEYS', 'only-a-s3cret', "can't be used: entry 1"],
      ['LOG_LEVEL', 'loud', 'is not a level'],
      ['POLL_SCALE', '0.01', 'must be 1'],
    ];
    const faults = faultsOf(
      { ...gateway, ...Object.fromEntries(wrong.map(([name, written]) => [name, written])) },
      'gateway',
    );
    const text = faults.join('\n');
    for (const [name, , fault] of wrong) expect(text).toContain(`${name} ${fault}`);
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

describe('all in one', () => {
  test('needs nothing', () => {
    expect(loadConfig({}, 'start')).toEqual({
      ...{ logLevel: 'info', dataDir: '.data', temporal: 'embedded', uiPort: null, taskQueue: 'payments' },
      ...{ payments: 'sandbox', publicUrl: 'http://127.0.0.1:8080', host: '127.0.0.1', port: 8080 },
      ...{ postbackKeys: null, payloadKeys: null, apiKeys: null, pollScale: 1, traces: false },
      ...{ notifyTargets: [], notifyWorkflows: [], nexusCallers: [] },
      ...{ ordersAfter429: 'send_again', scanBeforeSend: 'when_old', creatingCallsPerSecond: null },
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
