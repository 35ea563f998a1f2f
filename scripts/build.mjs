// Builds dist/: the compiled code, the workflow bundle that workers run, the JSON Schemas.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const require = createRequire(import.meta.url);

rmSync(dist, { recursive: true, force: true });
compile();
await bundleWorkflows();
await writeSchemas();
// Last, so that a build that broke off is done again.
writeFileSync(join(dist, 'built'), '');

function compile() {
  const tsc = require.resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
  cpSync(join(root, 'src'), join(dist, 'src'), {
    recursive: true,
    filter: (source) => !/\.(ts|js|json)$/.test(source),
  });
  // For `npx durable-payments` in the checkout; in a package npm does this.
  chmodSync(join(dist, 'src/cli/main.js'), 0o755);
}

async function bundleWorkflows() {
  const workflowsPath = join(dist, 'workflows/index.js');
  const { DefaultLogger, bundleWorkflowCode } = await import('@temporalio/worker');
  const { failureConverterPath } = await import('../dist/src/temporal/data-converter.js');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    failureConverterPath,
    logger: new DefaultLogger('WARN'),
  });
  writeFileSync(join(dist, 'workflow-bundle.js'), code);
}

async function writeSchemas() {
  const { jsonSchemaOf, publishedSchemas } = await import('../dist/src/contract/schemas.js');
  mkdirSync(join(dist, 'schemas'));
  for (const name of Object.keys(publishedSchemas)) {
    writeFileSync(join(dist, 'schemas', `${name}.json`), `${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`);
  }
}
