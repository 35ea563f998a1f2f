import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { configVariables, loadConfig } from '../../src/config.js';
import type { Env } from '../../src/config/environment.js';
import { faultsOf, gateway, KEY, keyOf, worker, test } from './support.js';

describe('files', () => {
  test('a value may stand in a file, whose last line end does not count', ({ dir }) => {
    writeFileSync(join(dir, 'secret'), 'from-a-file\n');
    const { PAYMENTS_CLIENT_SECRET: _, ...rest } = worker;
    const env = { ...rest, PAYMENTS_CLIENT_SECRET_FILE: join(dir, 'secret') };
    expect(loadConfig(env, 'worker').payments.clientSecret).toBe('from-a-file');
  });

  test('a file that is missing or empty, and a value set twice, are named', ({ dir }) => {
    writeFileSync(join(dir, 'empty'), '\n');
    const { POSTBACK_KEYS: _postback, PAYLOAD_KEYS: _payload, ...rest } = worker;
    const [nowhere, empty] = [join(dir, 'nowhere'), join(dir, 'empty')];
    const keys = { POSTBACK_KEYS_FILE: nowhere, PAYLOAD_KEYS_FILE: empty };
    const text = faultsOf({ ...rest, ...keys, PAYMENTS_CLIENT_SECRET_FILE: empty }, 'worker').join('\n');
    expect(text).toMatch(/POSTBACK_KEYS_FILE names .*nowhere, which can't be read/);
    expect(text).toMatch(/PAYLOAD_KEYS_FILE names .*empty, which is empty/);
    expect(text).toContain('PAYMENTS_CLIENT_SECRET and PAYMENTS_CLIENT_SECRET_FILE are both set');
  });
});

describe('a value', () => {
  const address = { connectionOptions: { address: 'localhost:7233' } };
  test.for([
    ['PUBLIC_URL', 'https://shop.example.com \t', { publicUrl: 'https://shop.example.com' }],
    ['PUBLIC_URL', 'https://shop.example.com/a/\r', { publicUrl: 'https://shop.example.com/a' }],
    ['PUBLIC_URL', 'HTTPS://Shop.example.com:443', { publicUrl: 'https://shop.example.com' }],
    ['PAYMENTS_CLIENT_SECRET', 'a secret\r', { payments: { clientSecret: 'a secret' } }],
    ['TEMPORAL_NAMESPACE', 'payments\r\n', { temporal: { namespace: 'payments' } }],
    ['TEMPORAL_ADDRESS', ' localhost:7233\r', { temporal: address }],
  ] as const)('%s=%j is read without what a file leaves around it', ([name, written, read]) => {
    expect(loadConfig({ ...worker, [name]: written }, 'worker')).toMatchObject(read);
  });

  test.for(['worker', 'gateway', 'cli'] as const)('of blanks alone is not set, to the %s', (role) => {
    const env = { ...gateway, TEMPORAL_NAMESPACE: ' \r' };
    expect(loadConfig(env, role).temporal).toEqual(loadConfig(gateway, role).temporal);
  });

  test.for([
    ['PUBLIC_URL', '"https://shop.example.com"', 'PUBLIC_URL begins and ends with a quotation mark'],
    ['PAYMENTS_CLIENT_SECRET', "'a secret'", 'PAYMENTS_CLIENT_SECRET begins and ends with a quotation mark'],
    ['TEMPORAL_ADDRESS', 'http://t.example.com:7233', 'The address of Temporal is host and port alone'],
    ['NOTIFY_TARGETS', 'a=https://x.io;b=https://y.io', "can't be used: entry 1 has a ; in it"],
    ['GATEWAY_HOST', 'gateway.internal', 'GATEWAY_HOST is not an address of this machine'],
    ['GATEWAY_PORT', 'tcp://10.0.0.1:8080', 'GATEWAY_PORT was set by Kubernetes for a Service'],
  ] as const)('%s=%s is refused by its own fault alone', ([name, written, fault]) => {
    const faults = faultsOf({ ...gateway, [name]: written }, 'gateway');
    expect(faults[0]).toContain(fault);
    expect(faults.join(' ')).not.toContain('TEMPORAL_PLAINTEXT');
  });

  test('GATEWAY_HOST may be an address in brackets, as a URL has it', () => {
    expect(loadConfig({ ...gateway, GATEWAY_HOST: '[::1]' }, 'gateway').host).toBe('::1');
  });
});

describe('a name that is nearly right', () => {
  test.for<[string, string]>([
    ['PAYMENTS_BASEURL', 'PAYMENTS_BASE_URL'],
    ['PAYLOAD_KEY_FILE', 'PAYLOAD_KEYS_FILE'],
    ['payments_client_secret', 'PAYMENTS_CLIENT_SECRET'],
    ['SCAN_BEFORE_SENT', 'SCAN_BEFORE_SEND'],
    ['TEMPORAL_ADRESS', 'TEMPORAL_ADDRESS'],
  ])('%s is pointed out, and its value is not shown', ([written, meant]) => {
    const { [meant.replace('_FILE', '')]: _, ...rest }: Env = worker;
    const faults = faultsOf({ ...rest, [written]: 'a-s3cret-value' }, 'worker');
    expect(faults).toContain(`${written} is set, but nothing reads it. If ${meant} is meant, rename it.`);
    expect(faults.join()).not.toContain('s3cret');
  });

  test('is nothing to a process that does not read the right one', () => {
    expect(faultsOf({ GATEWAY_PROT: '1' }, 'sandbox')).toEqual([]);
  });

  test.for([
    ...['PAYMENTS_CLIENT_IDS', 'PAYLOAD_ENCRYPTION_KEYS', 'NOTIFY_HOOKS', 'POSTBACK_KEY_FILE', 'POLL_SPEED'],
  ])('or begins like one of ours, as %s does, is pointed out also where ours are set', (name) => {
    const faults = faultsOf({ ...worker, [name]: 'a-s3cret-value' }, 'worker');
    expect(faults).toEqual([`${name} is set, but nothing reads it. Correct its name, or unset it.`]);
  });

  test.for([
    ...['PAYMENTS_SERVICE_HOST', 'PAYMENTS_PORT', 'PAYMENTS_PORT_8080_TCP_ADDR', 'NOTIFY_SERVICE_PORT_HTTP'],
  ])('is none where Kubernetes sets %s for a Service', (name) => {
    expect(faultsOf({ ...worker, [name]: '10.0.0.1' }, 'worker')).toEqual([]);
  });

  test('that other programs may use counts only where ours is missing', () => {
    const { API_KEYS: _, ...rest } = gateway;
    expect(faultsOf({ API_KEY: 'of another program' }, 'start')).toEqual([]);
    expect(faultsOf({ ...rest, API_KEY: 'shop' }, 'gateway').join()).toContain('If API_KEYS is meant');
  });
});

describe('a secret', () => {
  const whsec = (name: string) => `shop=whsec_${keyOf(name)}`;
  const hex = 'of-the-shop-0123456789abcdef';
  const NOTIFY_TARGETS = 'shop=https://shop.example.com/hooks';

  test.for<[string, Env]>([
    ['a postback key that is a payload key', { POSTBACK_KEYS: KEY.replace('k1', 'p9') }],
    ['the same without its padding', { POSTBACK_KEYS: KEY.replace('k1', 'p9').replace(/=+$/, '') }],
    ['an API key that is the client secret', { API_KEYS: `shop:${hex}:oms`, PAYMENTS_CLIENT_SECRET: hex }],
    ['an API key that is that of Temporal', { API_KEYS: `shop:${hex}:oms`, TEMPORAL_API_KEY: hex }],
    ['an API key that is a payload key', { API_KEYS: `shop:${keyOf('1')}:oms` }],
    ['a webhook’s secret that is a payload key', { NOTIFY_TARGETS, NOTIFY_SECRETS: whsec('1') }],
  ])('serves one purpose: %s is refused, and not repeated', ([, env]) => {
    const faults = faultsOf({ ...gateway, ...env }, 'gateway');
    expect(faults.join('\n')).toMatch(/\w+ holds a secret that \w+ holds too/);
    expect(faults.join()).not.toContain(hex);
    expect(faults.join()).not.toContain(keyOf('1'));
  });

  test.for(['PAYLOAD_KEYS', 'POSTBACK_KEYS'])('of bytes that repeat is refused in %s', (name) => {
    for (const bytes of [Buffer.alloc(32), Buffer.alloc(32, 7), Buffer.from('ab'.repeat(16))])
      expect(faultsOf({ ...worker, [name]: `z:${bytes.toString('base64')}` }, 'worker')).toEqual([
        expect.stringMatching(new RegExp(`^${name} can't be used: the key "z" repeats a few bytes`)),
      ]);
  });
});

describe('each variable', () => {
  test('is read by some process', () => {
    for (const { name, roles } of configVariables) expect(roles, name).not.toHaveLength(0);
  });

  test('is secret when whoever sees it could use it', () => {
    expect(configVariables.filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
      ...['PAYMENTS_CLIENT_SECRET', 'POSTBACK_KEYS', 'PAYLOAD_KEYS', 'API_KEYS', 'NOTIFY_SECRETS'],
      'TEMPORAL_API_KEY',
    ]);
  });

  test('has an example that works', () => {
    const named = configVariables.filter(({ name }) => name !== 'TEMPORAL_PROFILE');
    const examples = Object.fromEntries(named.map(({ name, example }) => [name, shellText(example)]));
    const local = { ...examples, PAYMENTS_BASE_URL: 'http://127.0.0.1:9000' };
    expect(faultsOf(local, 'start')).toEqual([]);
    const { POLL_SCALE: _scale, ...deployed } = examples;
    for (const role of ['worker', 'gateway', 'cli', 'sandbox'] as const)
      expect(faultsOf(deployed, role), role).toEqual([]);
  });
});

/** What a shell makes of the commands in an example. */
function shellText(example: string): string {
  return example
    .replaceAll('$(openssl rand -base64 32)', () => randomBytes(32).toString('base64'))
    .replaceAll('$(openssl rand -hex 24)', () => randomBytes(24).toString('hex'));
}
