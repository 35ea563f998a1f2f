import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { ConfigError } from './config-error.js';

/**
 * Makes a directory that only this user can look into (0700), also when it is there already.
 *
 * @throws ConfigError when it is there and belongs to another user
 */
export function privateDirectory(path: string, uid = process.getuid?.()): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  requireOwn(path, uid);
  chmodSync(path, 0o700);
}

/** @throws ConfigError when it belongs to another user, who may read what is put into it, and change it */
export function requireOwn(path: string, uid = process.getuid?.()): void {
  if (uid === undefined || statSync(path).uid === uid) return;
  throw new ConfigError([
    `${path} belongs to another user, who could read the keys in it and change them. Name a directory of your own, or ` +
      'make it yours with chown once you know what is in it.',
  ]);
}
