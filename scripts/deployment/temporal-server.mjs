import { access, cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheDir } from '../../dist/src/dev/embedded-temporal/cache-dir.js';
import { runTool } from '../../dist/src/dev/embedded-temporal/run-tool.js';

const module = 'go.temporal.io/server';

/**
 * Temporal's server and its schema tool with the files of their images: built from the Go module once, then cached for
 * the user. Takes minutes the first time.
 *
 * @returns the directory that holds `temporal-server`, `temporal-sql-tool`, `entrypoint.sh` and `schema/`.
 */
export async function buildTemporalServer(version, env, onProgress) {
  const go = { env: { ...env, GOTOOLCHAIN: 'auto', GOMAXPROCS: String(availableParallelism()) } };
  const [exact = version, source] = await locate(go, version);
  const destination = join(cacheDir(env), `temporal-server-${exact}`);
  if (await exists(destination)) return destination;
  await mkdir(dirname(destination), { recursive: true });
  const dir = await mkdtemp(join(dirname(destination), 'build-'));
  try {
    const packages = ['cmd/server', 'cmd/tools/sql'].map((path) => `${module}/${path}@${exact}`);
    const onLine = (line) => onProgress(`go install ${module}@${exact}: ${line}`);
    // Beside other work of the machine: it is in no hurry.
    await runTool('nice', ['go', 'install', '-v', ...packages], {
      env: { ...go.env, GOBIN: dir },
      onLine,
    });
    await rename(join(dir, 'server'), join(dir, 'temporal-server'));
    await rename(join(dir, 'sql'), join(dir, 'temporal-sql-tool'));
    await cp(join(source, 'docker/scripts/sh/entrypoint.sh'), join(dir, 'entrypoint.sh'));
    await cp(join(source, 'schema'), join(dir, 'schema'), { recursive: true });
    await runTool('chmod', ['-R', 'u+w,a+rX', dir], { env });
    await runTool('chmod', ['a+x', join(dir, 'entrypoint.sh')], { env });
    await rename(dir, destination);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  return destination;
}

/** The exact version, and where its source is after it was downloaded. */
async function locate(go, version) {
  const cached = join(cacheDir(go.env), `temporal-server-${version}`);
  if (await exists(cached)) return [version];
  const printed = await runTool('go', ['mod', 'download', '-json', `${module}@${version}`], go);
  const { Version, Dir } = JSON.parse(printed.slice(printed.indexOf('{')));
  return [Version, Dir];
}

function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
