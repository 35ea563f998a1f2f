import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
export const root = fileURLToPath(new URL('../..', import.meta.url));

const manifest = z.object({
  ...{ name: z.string(), version: z.string(), license: z.string() },
  engines: z.object({ node: z.string() }),
  bin: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()),
});
export const manifestIn = async (dir: string) =>
  manifest.parse(JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')));

/**
 * What `npm install <tarball>` leaves in another project: the package, and beside it its declared dependencies.
 *
 * @param pack a program that packs it into the project, and prints where
 */
export async function installPackage(name: string, pack: (app: string) => [string, string[]]) {
  const app = await mkdtemp(join(tmpdir(), `${name}-package-`));
  const installed = join(app, 'node_modules', name);
  const link = async (dependency: string) => {
    const at = join(app, 'node_modules', dependency);
    await mkdir(dirname(at), { recursive: true });
    await symlink(join(root, 'node_modules', dependency), at);
  };
  const { stdout: tarball } = await run(...pack(app), { cwd: root });
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', tarball.trim(), '-C', installed, '--strip-components=1'], { cwd: app });
  for (const dependency of Object.keys((await manifestIn(installed)).dependencies)) await link(dependency);
  return {
    ...{ app, installed, link },
    /** What a module of the project prints, as JSON. */
    runScript: async (text: string): Promise<unknown> => {
      await writeFile(join(app, 'script.mjs'), text);
      return JSON.parse((await run(process.execPath, ['script.mjs'], { cwd: app })).stdout);
    },
    remove: () => rm(app, { recursive: true, force: true }),
  };
}
