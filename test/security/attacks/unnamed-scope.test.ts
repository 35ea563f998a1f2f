import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig, loadOrGenerateKeys } from '../../../src/config.js';
import { faultsOf, gateway } from '../../config/support.js';

const key = 'f3a9c2e17b60d84590ae1c33';

test('a key that names no scope is refused at the start, with the sentence that mends it', () => {
  const [fault = '', ...others] = faultsOf({ ...gateway, API_KEYS: `shop:${key}` }, 'gateway');
  expect(others).toEqual([]);
  expect(fault).toContain('entry 1 is not name:key:scope. Write :oms behind the key of a shop');
  expect(fault).not.toContain(key);
  const { apiKeys } = loadConfig({ ...gateway, API_KEYS: `shop:${key}:oms` }, 'gateway');
  expect(apiKeys).toEqual([{ name: 'shop', key, scopes: ['oms'] }]);
});

test('the key of a shop that is made by `npm start`, and by the lines of docker-compose.yml, is for oms alone', () => {
  const dir = mkdtempSync(join(tmpdir(), 'unnamed-scope-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true });
  });
  const { apiKeys } = loadOrGenerateKeys(dir);
  expect(apiKeys.map(({ name, scopes }) => [name, scopes])).toEqual([
    ['shop', ['oms']],
    ['ana', ['operator']],
  ]);
  const compose = readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8');
  const [, written = ''] = /echo "(shop:.*)" > api-keys/.exec(compose) ?? [];
  const made = written.replaceAll(/\$\(.*?\)|\$key/g, () => crypto.randomUUID());
  const keys = loadConfig({ ...gateway, API_KEYS: made }, 'gateway').apiKeys;
  expect(keys.map(({ name, scopes }) => [name, scopes.join()])).toEqual([
    ['shop', 'oms'],
    ['ana', 'operator'],
    ['web-ui', 'codec'],
  ]);
});
