// Builds dist/: the compiled code, the workflow bundle that workers run, the JSON Schemas, the OpenAPI document.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const require = createRequire(import.meta.url);

rmSync(dist, { recursive: true, force: true });
compile();
await bundleCommandLine();
await bundleWorkflows();
await writeSchemas();
await writeOpenApi();
writeBuildId();
// Last, so that a build that broke off is done again.
writeFileSync(join(dist, 'built'), '');

/** Version and commit; without a repository, such as in an image, what the workflows are. */
function writeBuildId() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { stdout, status } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  });
  const bundle = readFileSync(join(dist, 'workflow-bundle.js'));
  const hash = createHash('sha256').update(bundle).digest('hex').slice(0, 12);
  writeFileSync(join(dist, 'build-id'), `${version}-${status === 0 ? stdout.trim() : hash}\n`);
}

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

/**
 * The commands of operators as one file and its parts: a command that asks Temporal one thing spends most of its time on
 * loading. What runs until it is stopped stays as modules, beside the native code and the libraries that it shares state with.
 */
async function bundleCommandLine() {
  const cli = join(dist, 'src/cli');
  const processes = /^\.\/(start|demo|gateway|worker|sandbox)\.js$/;
  const bundle = await rolldown({
    input: join(cli, 'bundled.js'),
    platform: 'node',
    external: [/^node:/, /^@temporalio\/(worker|testing|core-bridge)/, processes],
    plugins: [{ name: 'addresses', transform: addressedFrom(cli) }],
  });
  await bundle.write({
    dir: join(cli, 'bundle'),
    entryFileNames: 'main.js',
    chunkFileNames: '[name]-[hash].js',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  writeFileSync(join(cli, 'bundled.js'), "export { exitCodeOf, runCommandLine } from './bundle/main.js';\n");
}

/** A module that was moved into a file in `cli/bundle` goes on naming files by where it was. */
function addressedFrom(cli) {
  const here = 'import.meta.url';
  return (code, id) =>
    code.includes(here) && id.startsWith(dist)
      ? code.replaceAll(here, `new URL('${relative(join(cli, 'bundle'), id)}', import.meta.url).href`)
      : null;
}

async function bundleWorkflows() {
  const { DefaultLogger, bundleWorkflowCode } = await import('@temporalio/worker');
  const { bundleOptions } = await import('../dist/src/temporal/workflow-bundle.js');
  const [workflows, interceptors] = ['index', 'interceptors'].map((name) =>
    join(dist, `workflows/${name}.js`),
  );
  const options = bundleOptions(workflows, [interceptors]);
  const { code } = await bundleWorkflowCode({ ...options, logger: new DefaultLogger('WARN') });
  writeFileSync(join(dist, 'workflow-bundle.js'), code);
}

async function writeSchemas() {
  const { jsonSchemaOf, publishedSchemas } = await import('../dist/src/contract/schemas.js');
  mkdirSync(join(dist, 'schemas'));
  for (const name of Object.keys(publishedSchemas)) {
    writeFileSync(join(dist, 'schemas', `${name}.json`), `${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`);
  }
}

/** The document of the HTTP API, as a gateway serves it; none of its parts is used. */
async function writeOpenApi() {
  const { Client, Connection } = await import('@temporalio/client');
  const { pino } = await import('pino');
  const { createGateway } = await import('../dist/src/gateway/create-gateway.js');
  const connection = Connection.lazy({ address: '127.0.0.1:9' });
  const app = createGateway({
    client: new Client({ connection }),
    cardStore: {},
    apiKeys: [],
    postbackKeys: [],
    logger: pino({ level: 'silent' }),
    taskQueue: 'none',
  });
  const { body } = await app.inject({ url: '/openapi.json' });
  writeFileSync(join(dist, 'openapi.json'), `${JSON.stringify(JSON.parse(body), null, 2)}\n`);
  await app.close();
  await connection.close();
}
