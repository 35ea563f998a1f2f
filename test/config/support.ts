import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.js';
import type { Env } from '../../src/config/environment.js';
import type { Role } from '../../src/config/roles.js';

/** A key of 32 bytes, the same for the same name. */
export const keyOf = (name: string) => createHash('sha256').update(name).digest('base64');
export const KEY = `k1:${keyOf('1')}`;
const OTHER_KEY = `k0:${keyOf('2')}`;

export const worker = {
  PAYMENTS_BASE_URL: 'https://payments.example.com/',
  PAYMENTS_CLIENT_ID: 'shop',
  PAYMENTS_CLIENT_SECRET: 'very-secret',
  PUBLIC_URL: 'https://shop.example.com/hooks/',
  POSTBACK_KEYS: `p1:${keyOf('3')}`,
  PAYLOAD_KEYS: `${KEY},${OTHER_KEY}`,
};
/** As long as an API key has to be. */
export const apiKey = (name: string) => name.padEnd(24, '-01234567');
export const gateway = {
  ...worker,
  API_KEYS: [
    `oms:${apiKey('s3cret-one')}:oms`,
    `ana:${apiKey('s3cret-two')}:operator`,
    `all:${apiKey('s3cret-three')}:oms:operator`,
    `ui:${apiKey('s3cret-four')}:codec`,
    `ops:${apiKey('s3cret-five')}:operator:codec`,
  ].join(),
};

export function faultsOf(env: Env, role: Role): readonly string[] {
  try {
    loadConfig(env, role);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

/** With a directory of its own. */
export const test = base.extend('dir', ({ task }, { onCleanup }) => {
  const dir = mkdtempSync(join(tmpdir(), `config-${task.id}-`));
  onCleanup(() => {
    rmSync(dir, { recursive: true });
  });
  return dir;
});
