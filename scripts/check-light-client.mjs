import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';

const packing = fileURLToPath(new URL('pack-client.mjs', import.meta.url));
/** Of all files that an installation of it brings, in megabytes of 1,000,000 bytes. */
const mostMegabytes = 40;
const resolutions = {
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
};
const caller = `
  import type { PayoutState, PaymentsClient } from 'durable-payments-client';
  export const statusOf = (state: PayoutState): string => state.status;
  export const read = (client: PaymentsClient): Promise<PayoutState> => client.payout('rent').state();
  import { paymentsService } from 'durable-payments-client/nexus';
  import type { NexusStartPayout } from 'durable-payments-client/nexus';
  export const operation: 'startPayout' = paymentsService.operations.startPayout.name as 'startPayout';
  export const codeOf = ({ partner_code }: NexusStartPayout): string => partner_code;
  // @ts-expect-error: the types are there, so that a field that is not is found.
  export const nothing = (state: PayoutState): unknown => state.nothing;
`;

/**
 * Installs the packed client into an empty project: counts what that brings, compiles callers, and runs the example of
 * its README beside a program.
 *
 * @param {string} dir an empty directory
 * @param {{ keysFile: string, env: NodeJS.ProcessEnv }} program its `keys.env`, and an environment that names its Temporal
 */
export async function checkLightClient(dir, { keysFile, env }) {
  const project = createProject(join(dir, 'project'));
  const tarball = (await run(dir, process.execPath, [packing, '.'])).trim();
  await run(dir, 'npx', ['--yes', 'publint@0.3.25', 'run', '--strict', tarball]);
  await run(dir, 'npx', ['--yes', '@arethetypeswrong/cli@0.18.5', '--profile', 'esm-only', tarball]);
  await install(project, tarball);
  await isLight(project, createProject(join(dir, 'temporal-alone')));

  const readme = readFileSync(join(project, 'node_modules/durable-payments-client/README.md'), 'utf8');
  const [, example] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? [];
  ok(example, 'The README of the client has no example.');
  writeFileSync(join(project, 'example.mts'), example);
  writeFileSync(join(project, 'caller.mts'), caller);
  // Temporal's types name the package ms, whose own types can't be found.
  await install(project, '@types/ms@2.1.0');
  compiles(project);

  writeFileSync(join(project, 'example.mjs'), example);
  const printed = await run(project, process.execPath, [`--env-file=${keysFile}`, 'example.mjs'], env);
  match(printed, /repeated: false, status: 'done'/);
  console.log(`light client: the example of its README\n  ${printed.trim()}`);
}

/** It brings nothing but what Temporal's own client brings, zod and itself. */
async function isLight(project, alone) {
  const temporal = '@temporalio/client';
  const { version } = JSON.parse(
    readFileSync(join(project, 'node_modules', temporal, 'package.json'), 'utf8'),
  );
  await install(alone, `${temporal}@${version}`);
  const [floor, ours] = [await installed(alone), await installed(project)];
  console.log(
    `light client: ${ours.packages.length} packages, ${ours.megabytes.toFixed(1)} MB; ` +
      `of these ${temporal}: ${floor.packages.length} packages, ${floor.megabytes.toFixed(1)} MB`,
  );
  const beside = ours.packages.filter((path) => !floor.packages.includes(path)).sort();
  deepStrictEqual(beside, ['durable-payments-client', 'zod']);
  ok(ours.megabytes <= mostMegabytes, `It brings more than ${mostMegabytes} MB.`);
}

/** Without skipLibCheck; under exactOptionalPropertyTypes some of Temporal's own types do not compile. */
function compiles(project) {
  for (const [name, resolution] of Object.entries(resolutions)) {
    deepStrictEqual(faults(project, resolution), [], name);
    const exact = faults(project, { ...resolution, exactOptionalPropertyTypes: true });
    const ofOthers = exact.filter((fault) => !fault.startsWith('node_modules/@temporalio/'));
    deepStrictEqual(ofOthers, [], name);
    const known = exact.length === 0 ? '' : `; with exactOptionalPropertyTypes: ${exact.join(', ')}`;
    console.log(`light client: compiles for ${name} without skipLibCheck${known}`);
  }
}

function faults(project, options) {
  const program = ts.createProgram(
    ['example.mts', 'caller.mts'].map((name) => join(project, name)),
    {
      ...{ target: ts.ScriptTarget.ES2022, strict: true, noUncheckedIndexedAccess: true, noEmit: true },
      ...{ types: ['node'], typeRoots: [join(project, 'node_modules/@types')], ...options },
    },
  );
  const found = ts.getPreEmitDiagnostics(program).map(({ file, code, messageText }) => {
    if (file === undefined) return ts.flattenDiagnosticMessageText(messageText, '\n');
    return `${relative(project, file.fileName)} TS${code}`;
  });
  return [...new Set(found)];
}

async function installed(project) {
  const lines = (await run(project, 'npm', ['ls', '--all', '--parseable'])).trim().split('\n');
  const modules = join(project, 'node_modules');
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' });
  const sizes = files
    .map((name) => lstatSync(join(modules, name)))
    .map((stat) => (stat.isFile() ? stat.size : 0));
  return {
    packages: lines.slice(1).map((path) => relative(modules, path)),
    megabytes: sizes.reduce((total, size) => total + size, 0) / 1_000_000,
  };
}

function createProject(dir) {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{ "private": true, "type": "module" }');
  return dir;
}

function install(project, wanted) {
  return run(project, 'npm', ['install', '--no-audit', '--no-fund', '--silent', wanted]);
}

/** What it prints. */
async function run(cwd, command, args, env = process.env) {
  const { stdout } = await promisify(execFile)(command, args, { cwd, env, timeout: 600_000 });
  return stdout;
}
