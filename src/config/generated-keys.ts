import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { KeyRing } from '../temporal/key-ring.js';
import { ConfigError } from './config-error.js';
import { privateDirectory, requireOwn } from './private-directory.js';
import { apiKeys, keyRing } from './values.js';
import type { ApiKey } from './values.js';

/** Those who may call: a shop, and an operator. */
const names = [
  ['shop', 'oms'],
  ['ana', 'operator'],
] as const;

const schema = z.object({ PAYLOAD_KEYS: keyRing, POSTBACK_KEYS: keyRing, API_KEYS: apiKeys });

/** Keys that `durable-payments start` made for itself, and the file that holds them. */
export type GeneratedKeys = {
  readonly payloadKeys: KeyRing;
  readonly postbackKeys: KeyRing;
  readonly apiKeys: readonly ApiKey[];
  readonly file: string;
};

/**
 * The keys of this data directory, made at the first call and kept for its owner alone (mode 0600). For
 * `durable-payments start` only: processes that share a Temporal must share keys that someone gave them.
 *
 * @throws ConfigError when the file can't be used, or is gone while the database that needs it is still there.
 */
export function loadOrGenerateKeys(dataDir: string): GeneratedKeys {
  const found = readGeneratedKeys(dataDir);
  if (found !== null) {
    for (const { key, name } of found.apiKeys) writeHeader(headerFile(dataDir, name), key);
    return found;
  }
  const file = fileIn(dataDir);
  if (existsSync(join(dataDir, 'temporal.db'))) {
    throw new ConfigError([
      `${file} is gone, but the database beside it may hold payments encrypted with its keys. Restore that file, ` +
        'or set PAYLOAD_KEYS, POSTBACK_KEYS and API_KEYS to the keys in use (PAYLOAD_KEYS=none if there were none).',
    ]);
  }
  privateDirectory(dataDir);
  write(file);
  return loadOrGenerateKeys(dataDir);
}

/** The keys of this data directory; null when none were made there. @throws ConfigError when they can't be used. */
export function readGeneratedKeys(dataDir: string, uid = process.getuid?.()): GeneratedKeys | null {
  const file = fileIn(dataDir);
  if (!existsSync(file)) return null;
  requireOwn(dataDir, uid);
  requireOwn(file, uid);
  const lines = readFileSync(file, 'utf8').split('\n');
  const parsed = schema.safeParse(
    Object.fromEntries(
      lines.flatMap((line) => (line.includes('=') ? [/^([^=]+)=(.*)$/.exec(line)?.slice(1) ?? []] : [])),
    ),
  );
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(
        ({ path, message }) =>
          `${file}: ${String(path[0])} ${message} Correct it there, or restore the file.`,
      ),
    );
  }
  const { PAYLOAD_KEYS, POSTBACK_KEYS, API_KEYS } = parsed.data;
  return { payloadKeys: PAYLOAD_KEYS, postbackKeys: POSTBACK_KEYS, apiKeys: API_KEYS, file };
}

/** Whole or not at all; of two processes that write at once, the first one's keys hold for both. */
function write(file: string): void {
  const draft = `${file}.${String(process.pid)}`;
  writeFileSync(draft, text(), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    unlinkSync(draft);
  }
}

function text(): string {
  const key = () => `generated:${randomBytes(32).toString('base64')}`;
  return [
    '# Keys that durable-payments made for this data directory. Whoever has them reads its payments.',
    '# Without PAYLOAD_KEYS nobody does: back this file up with the database.',
    `PAYLOAD_KEYS=${key()}`,
    `POSTBACK_KEYS=${key()}`,
    `API_KEYS=${names.map(([name, scope]) => `${name}:${randomBytes(24).toString('base64url')}:${scope}`).join(',')}`,
    '',
  ].join('\n');
}

/** The header of requests by that key, for `curl -H @file`: what stands in a command line is seen by other users. */
export function headerFile(dataDir: string, name: string): string {
  return join(dataDir, `${name}.header`);
}

function writeHeader(file: string, key: string): void {
  writeFileSync(file, `Authorization: Bearer ${key}\n`, { mode: 0o600 });
  // The mode is that of a new file.
  chmodSync(file, 0o600);
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'keys.env');
}
