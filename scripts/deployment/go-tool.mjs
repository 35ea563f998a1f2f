import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { cacheDir } from '../../dist/src/dev/embedded-temporal/cache-dir.js';
import { runTool } from '../../dist/src/dev/embedded-temporal/run-tool.js';

/**
 * A program from its Go module, such as `example.com/tool/cmd/tool@v1.2.3`: built once, then cached for the user.
 *
 * @returns its path.
 */
export async function goTool(module, env, onProgress) {
  const [path = '', version = ''] = module.split('@');
  const name = basename(path.replace(/\/v\d+$/, ''));
  const destination = join(cacheDir(env), 'go-tools', `${name}-${version}`);
  const program = join(destination, name);
  const isThere = await access(program).then(
    () => true,
    () => false,
  );
  if (isThere) return program;
  await mkdir(dirname(destination), { recursive: true });
  const dir = await mkdtemp(join(dirname(destination), 'build-'));
  try {
    const onLine = (line) => onProgress(`go install ${module}: ${line}`);
    const goEnv = { ...env, GOTOOLCHAIN: 'auto', GOBIN: dir };
    await runTool('nice', ['go', 'install', '-v', module], { env: goEnv, onLine });
    await rm(destination, { recursive: true, force: true });
    await rename(dir, destination);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  return program;
}
