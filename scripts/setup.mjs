// What has to be there before anything can run: dependencies, built code, Temporal. Uses Node alone, for it is what
// installs the rest. `--for-tests` gets the server that skips time as well.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmEnvironment } from './npm-environment.mjs';
import { runStep, withProgress } from './progress.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const forTests = process.argv.includes('--for-tests');

try {
  if (!dependenciesAreInstalled()) await installDependencies();
  if (!buildIsFresh()) await runStep('Building', process.execPath, [join(root, 'scripts/build.mjs')], root);
  await getTemporal();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function dependenciesAreInstalled() {
  const locked = packagesIn('package-lock.json');
  const installed = packagesIn('node_modules/.package-lock.json');
  return Object.entries(locked).every(
    ([path, { version, integrity, optional }]) =>
      path === '' ||
      (installed[path] === undefined
        ? optional === true
        : installed[path].version === version && installed[path].integrity === integrity),
  );
}

function packagesIn(lockFile) {
  try {
    return JSON.parse(readFileSync(join(root, lockFile), 'utf8')).packages;
  } catch {
    return {};
  }
}

function installDependencies() {
  // npm passes its own path to scripts; it may not be on the PATH.
  const npm = process.env.npm_execpath;
  const [command, before] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  // None of them needs its install scripts.
  const args = [...before, 'ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'];
  const env = npmEnvironment(process.env);
  return runStep('Installing the locked dependencies (npm ci)', command, args, root, env);
}

function buildIsFresh() {
  const built = modifiedAt('dist/built');
  const sources = ['src', 'workflows', 'activities', 'scripts'].flatMap(filesUnder);
  return [...sources, 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'].every(
    (file) => modifiedAt(file) <= built,
  );
}

function filesUnder(dir) {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(join(dir, entry.name)) : [join(dir, entry.name)],
  );
}

function modifiedAt(file) {
  return statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function getTemporal() {
  const { TEMPORAL_ADDRESS: address = '', TEMPORAL_PROFILE: profile = '' } = process.env;
  if (forTests || (address === '' && profile === '')) {
    const { locateTemporal } = await import('../dist/src/dev/embedded-temporal/locate.js');
    await withProgress('Getting Temporal', (report) => locateTemporal(process.env, report));
  }
  if (forTests) {
    const { getTestServer } = await import('../dist/src/dev/embedded-temporal/locate-test-server.js');
    await withProgress('Getting the server that skips time', (report) => getTestServer(process.env, report));
  }
}
