import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** The user's cache: what is fetched once serves every checkout and every installation of this user. */
export function cacheDir(env: Env): string {
  const base = env.XDG_CACHE_HOME ?? '';
  return join(base === '' ? join(homeOf(env), '.cache') : base, 'durable-payments');
}

/** The home directory; a temporary one for a user who has none. */
function homeOf(env: Env): string {
  if (env.HOME !== undefined && env.HOME !== '') return env.HOME;
  const home = homedir();
  return home === '' || home === '/' ? tmpdir() : home;
}
