import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';

const root = fileURLToPath(new URL('../..', import.meta.url));
const lifecycles = 'dist/workflows/shared/loop.js';
const reads = ['async readPayout(serviceId, summary) {', 'async readOrder(serviceId) {'];
const withOneStepMore = (read) => `${read}\n        await this.wasReset();`;

/**
 * A newer build, whose lifecycles have one step more before each read: histories of this build do not replay there. It
 * stands in a directory of its own, which `remove` takes away.
 */
export async function makeNewerBuild() {
  // Beside the packages, so that it finds them.
  const dir = await mkdtemp(join(root, 'node_modules/.newer-build-'));
  const at = (path) => join(dir, path);
  await cp(join(root, 'dist'), at('dist'), { recursive: true });
  await cp(join(root, 'package.json'), at('package.json'));
  let code = await readFile(at(lifecycles), 'utf8');
  for (const read of reads) {
    if (!code.includes(read)) throw new Error(`${lifecycles} has no "${read}" to change`);
    code = code.replace(read, withOneStepMore(read));
  }
  await writeFile(at(lifecycles), code);
  const { bundleOptions } = await import(pathToFileURL(at('dist/src/temporal/workflow-bundle.js')).href);
  const options = bundleOptions(at('dist/workflows/index.js'), [at('dist/workflows/interceptors.js')]);
  const bundle = await bundleWorkflowCode({ ...options, logger: new DefaultLogger('WARN') });
  await writeFile(at('dist/workflow-bundle.js'), bundle.code);
  const buildId = `${await buildIdOf(root)}-newer`;
  await writeFile(at('dist/build-id'), `${buildId}\n`);
  return {
    buildId,
    bundlePath: at('dist/workflow-bundle.js'),
    main: at('dist/src/cli/main.js'),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

/** Of the build in a directory. */
export async function buildIdOf(dir = root) {
  return (await readFile(join(dir, 'dist/build-id'), 'utf8')).trim();
}
