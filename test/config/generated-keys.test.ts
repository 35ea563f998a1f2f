import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { loadConfig, loadOrGenerateKeys, readGeneratedKeys } from '../../src/config.js';
import { gateway, test } from './support.js';

describe('generated keys', () => {
  test('are made once, for their owner alone', ({ dir }) => {
    const made = loadOrGenerateKeys(join(dir, 'data'));
    const header = join(dir, 'data', 'shop.header');
    writeFileSync(header, 'of an earlier start');
    chmodSync(header, 0o644);
    expect(loadOrGenerateKeys(join(dir, 'data'))).toEqual(made);
    for (const file of [made.file, header]) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readGeneratedKeys(join(dir, 'data'))).toEqual(made);
    expect(made.payloadKeys.current.bytes).not.toEqual(made.postbackKeys.current.bytes);
    expect(loadOrGenerateKeys(join(dir, 'other')).payloadKeys).not.toEqual(made.payloadKeys);
  });

  test('are not read from a directory of another user, who may have planted them', ({ dir }) => {
    loadOrGenerateKeys(dir);
    expect(() => readGeneratedKeys(dir, statSync(dir).uid + 1)).toThrow(/belongs to another user/);
  });

  test('are not made anew beside a database that needs the lost ones', ({ dir }) => {
    mkdirSync(join(dir, 'data'));
    writeFileSync(join(dir, 'data', 'temporal.db'), '');
    expect(() => loadOrGenerateKeys(join(dir, 'data'))).toThrow(/keys.env is gone/);
    expect(readGeneratedKeys(join(dir, 'data'))).toBeNull();
  });

  test('that were damaged are refused without being shown', ({ dir }) => {
    const { file } = loadOrGenerateKeys(dir);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/PAYLOAD_KEYS=.*/, 'PAYLOAD_KEYS=generated:ZGFtYWdlZA=='),
    );
    expect(() => loadOrGenerateKeys(dir)).toThrow(/PAYLOAD_KEYS can't be used/);
    expect(() => loadOrGenerateKeys(dir)).not.toThrow(/ZGFtYWdlZA/);
  });
});

test('the key of a shop that is made by `npm start`, and by the lines of docker-compose.yml, is for oms alone', ({
  dir,
}) => {
  const { apiKeys } = loadOrGenerateKeys(dir);
  expect(apiKeys.map(({ name, scopes }) => [name, scopes])).toEqual([
    ['shop', ['oms']],
    ['ana', ['operator']],
  ]);
  const compose = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
  const [, written = ''] = /echo "(shop:.*)" > api-keys/.exec(compose) ?? [];
  const made = written.replaceAll(/\$\(.*?\)|\$key/g, () => crypto.randomUUID());
  const keys = loadConfig({ ...gateway, API_KEYS: made }, 'gateway').apiKeys;
  expect(keys.map(({ name, scopes }) => [name, scopes.join()])).toEqual([
    ['shop', 'oms'],
    ['ana', 'operator'],
    ['web-ui', 'codec'],
  ]);
});
