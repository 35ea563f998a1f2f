import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { buildWithGo } from './build-with-go.js';
import { cacheDir } from './cache-dir.js';
import { fetchWithSdk } from './fetch-with-sdk.js';
import type { OnProgress } from './progress.js';
import { runTool } from './run-tool.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Temporal could be had in none of the ways; the message lists each with its reason. */
export class TemporalUnavailableError extends Error {
  override readonly name = 'TemporalUnavailableError';
}

/**
 * Finds the `temporal` program, or gets it: on the PATH, cached by an earlier run, by the SDK's own download, built
 * with Go. What is fetched is cached for the user, so this is quick from the second time on.
 *
 * @returns the path of the program.
 * @throws TemporalUnavailableError saying all that was tried.
 */
export async function locateTemporal(env: Env, onProgress: OnProgress): Promise<string> {
  const cached = join(cacheDir(env), 'temporal');
  const ways: readonly { readonly name: string; readonly get: () => Promise<string> }[] = [
    { name: '`temporal` on the PATH', get: () => onPath(env) },
    { name: `cached by an earlier run (${cached})`, get: () => checked(cached, env) },
    {
      name: "the Temporal SDK's own download",
      get: () => fetchWithSdk('dev-server', cached, env, onProgress).then(() => checked(cached, env)),
    },
    {
      name: 'building it with Go',
      get: () => buildWithGo(cached, env, onProgress).then(() => checked(cached, env)),
    },
  ];
  const tried: string[] = [];
  for (const { name, get } of ways) {
    try {
      return await get();
    } catch (error) {
      tried.push(`- ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new TemporalUnavailableError(
    'Temporal is needed and could be had in none of these ways:\n' +
      `${tried.join('\n')}\n` +
      'Install the Temporal CLI so that `temporal` is on the PATH, or set TEMPORAL_ADDRESS to a Temporal that runs.',
  );
}

async function onPath(env: Env): Promise<string> {
  for (const dir of (env.PATH ?? '').split(delimiter)) {
    const candidate = join(dir, 'temporal');
    if (dir !== '' && (await isExecutable(candidate))) return checked(candidate, env);
  }
  throw new Error('there is none');
}

async function checked(path: string, env: Env): Promise<string> {
  if (!(await isExecutable(path))) throw new Error('there is none');
  const version = await runTool(path, ['--version'], { env });
  if (!version.startsWith('temporal version')) throw new Error(`${path} is another program`);
  return path;
}

/** Whether there is a program at that path that this user may run. */
export function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
