import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { ConfigError } from './config-error.js';

/**
 * Makes a directory that only this user can look into (0700), also when it is there already.
 *
 * @throws ConfigError when it is there and belongs to another user, who may read what is put into it, and change it
 */
export function privateDirectory(path: string, uid = process.getuid?.()): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (uid !== undefined && statSync(path).uid !== uid) {
    throw new ConfigError([
      `The directory ${path} belongs to another user, who could read its keys and change its database. Name one of your own, or ` +
        'make it yours with chown once you know what is in it.',
    ]);
  }
  chmodSync(path, 0o700);
}
