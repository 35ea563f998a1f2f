import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The user's cache: what is fetched once serves every checkout and every installation of this user. Programs are run
 * from it, so it is never a directory that others can write to, such as /tmp.
 *
 * @throws Error for a user who has no home directory.
 */
export function cacheDir(env: Env): string {
  const base = [env.XDG_CACHE_HOME, cacheIn(env.HOME), cacheIn(homedir())].find(isUsable);
  if (base !== undefined) return join(base, 'durable-payments');
  throw new Error(
    'This user has no home directory to keep the Temporal program in. Set XDG_CACHE_HOME to a directory that only ' +
      'this user can write to, put `temporal` on the PATH, or set TEMPORAL_ADDRESS to a Temporal that runs.',
  );
}

function cacheIn(home: string | undefined): string | undefined {
  return home === undefined || home === '' || home === '/' ? undefined : join(home, '.cache');
}

function isUsable(path: string | undefined): path is string {
  return path !== undefined && isAbsolute(path);
}
