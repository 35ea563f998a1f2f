import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configVariables, loadConfig } from '../../src/config.js';
import type { Env } from '../../src/config/environment.js';
import { faultsOf, gateway, worker } from './support.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

describe('files', () => {
  test('a value may stand in a file, whose last line end does not count', () => {
    writeFileSync(join(dir, 'secret'), 'from-a-file\n');
    const { PAYMENTS_CLIENT_SECRET: _, ...rest } = worker;
    const env = { ...rest, PAYMENTS_CLIENT_SECRET_FILE: join(dir, 'secret') };
    expect(loadConfig(env, 'worker').payments.clientSecret).toBe('from-a-file');
  });

  test('a file that is missing or empty, and a value set twice, are named', () => {
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

  test('is nothing to a process that does not read the right one, or has it', () => {
    expect(faultsOf({ GATEWAY_PROT: '1' }, 'sandbox')).toEqual([]);
    expect(faultsOf({ ...worker, PAYMENTS_CLIENT_IDS: 'shop' }, 'worker')).toEqual([]);
  });

  test('that other programs may use counts only where ours is missing', () => {
    const { API_KEYS: _, ...rest } = gateway;
    expect(faultsOf({ API_KEY: 'of another program' }, 'start')).toEqual([]);
    expect(faultsOf({ ...rest, API_KEY: 'shop' }, 'gateway').join()).toContain('If API_KEYS is meant');
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
    const examples = Object.fromEntries(
      configVariables
        .filter(({ name }) => name !== 'TEMPORAL_PROFILE')
        .map(({ name, example }) => [name, shellText(example)]),
    );
    const { PAYMENTS_BASE_URL: _, POLL_SCALE, ...others } = examples;
    expect(faultsOf({ ...others, PAYMENTS_BASE_URL: 'http://127.0.0.1:9000', POLL_SCALE }, 'start')).toEqual(
      [],
    );
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
