// Tries the HTTP API with tools of others, beside a sandbox, on loopback: `schemathesis`, or `clients` that are generated
// from its document. A language whose tools are not on this machine is left out, and said so; with NO_TEST_SKIPPED that
// fails.
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const document = join(root, 'dist/openapi.json');
const dir = mkdtempSync(join(tmpdir(), 'durable-payments-api-'));
const key = randomUUID();
/** Cases for each operation and each way to make one: a fixed number, so that each run of a seed is the same. */
const maxExamples = process.env.FULL === '1' ? '50' : '2';

const checks = { schemathesis: withSchemathesis, clients: withClients };
const check = checks[process.argv[2]];
if (check === undefined) throw new Error(`Name what to check: ${Object.keys(checks).join(' or ')}.`);

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
// Thousands of lines, most of them of the audit stream: they are printed when the check fails.
const output = join(dir, 'program.log');
const written = openSync(output, 'a');
const program = spawn(process.execPath, [join(root, 'dist/src/cli/main.js'), 'start'], {
  env: {
    ...process.env,
    DATA_DIR: join(dir, 'data'),
    GATEWAY_PORT: String(port),
    API_KEYS: `check:${key}:oms:operator`,
    PUBLIC_URL: url,
  },
  stdio: ['ignore', written, written],
});
try {
  await untilReady();
  check();
} catch (error) {
  process.stderr.write(readFileSync(output));
  throw error;
} finally {
  program.kill('SIGTERM');
  if (program.exitCode === null) await once(program, 'exit');
  rmSync(dir, { recursive: true, force: true });
}

function withSchemathesis() {
  if (!isHere('Python', 'python3', ['-m', 'venv', '--help'])) return;
  const bin = pythonWith('schemathesis==4.32.5');
  // A copy: schemathesis keeps what it found beside its settings.
  const config = join(dir, 'schemathesis');
  cpSync(join(root, 'test/openapi'), config, { recursive: true });
  run(
    bin('st'),
    [
      ...['--config-file', 'schemathesis.toml', 'run', `${url}/openapi.json`],
      ...['--max-examples', maxExamples, '--no-color'],
    ],
    { cwd: config, env: { ...process.env, API_KEY: key, PYTHONDONTWRITEBYTECODE: '1' } },
  );
}

function withClients() {
  if (isHere('Python', 'python3', ['-m', 'venv', '--help'])) withPython();
  withTypeScript();
  if (isHere('Go', 'go', ['version'])) withGo();
}

function withPython() {
  const bin = pythonWith('openapi-python-client');
  const generated = join(dir, 'python');
  cpSync(join(root, 'test/clients/python'), generated, { recursive: true });
  const output = ['--output-path', join(generated, 'generated'), '--meta', 'none'];
  run(bin('openapi-python-client'), ['generate', '--path', document, ...output]);
  pays(bin('python'), ['pay.py'], generated);
}

/** The programs of a Python that has a package. */
function pythonWith(requirement) {
  const venv = join(dir, 'venv');
  run('python3', ['-m', 'venv', venv]);
  const bin = (name) => join(venv, 'bin', name);
  run(bin('pip'), ['install', '-q', '--disable-pip-version-check', requirement]);
  return bin;
}

function withTypeScript() {
  const generated = join(dir, 'typescript');
  cpSync(join(root, 'test/clients/typescript'), generated, { recursive: true });
  const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5'];
  run('npm', ['install', '--no-audit', '--no-fund', '--silent', ...packages], { cwd: generated });
  run('npx', ['openapi-typescript', document, '-o', 'generated.d.ts'], { cwd: generated });
  symlinkSync(join(root, 'node_modules/@types'), join(generated, 'node_modules/@types'));
  const options = [
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--strict',
    '--skipLibCheck',
    '--types',
    'node',
  ];
  run('npx', ['tsc', ...options, 'pay.ts'], { cwd: generated });
  pays(process.execPath, ['pay.js'], generated);
}

function withGo() {
  const generated = join(dir, 'go');
  cpSync(join(root, 'test/clients/go'), generated, { recursive: true });
  mkdirSync(join(generated, 'payments'));
  // The generator makes code that does not compile of a null among additional properties.
  const { components, ...rest } = JSON.parse(readFileSync(document, 'utf8'));
  const { OpenValue } = components.schemas;
  OpenValue.anyOf = OpenValue.anyOf.filter(({ type }) => type !== 'null');
  writeFileSync(join(generated, 'openapi.json'), JSON.stringify({ ...rest, components }));
  const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
  const output = ['-config', 'oapi-codegen.yaml', '-o', 'payments/client.go', 'openapi.json'];
  const env = { ...process.env, GOTOOLCHAIN: 'auto' };
  run('go', ['run', generator, ...output], { cwd: generated, env });
  pays('go', ['run', '.'], generated);
}

/** Starts a payout, repeats it, and reads two typed errors. */
function pays(command, args, cwd) {
  const answered = execFileSync(command, [...args, url, key, `client-${randomUUID()}`], {
    cwd,
    encoding: 'utf8',
  });
  const wanted = '1 200 urn:durable-payments:problem:conflict value';
  if (answered.trim() !== wanted) throw new Error(`The client of ${cwd} answered ${answered}, not ${wanted}`);
  console.log(`The generated client has paid: ${cwd.split('/').at(-1)}`);
}

function run(command, args, options = {}) {
  execFileSync(command, args, { stdio: 'inherit', ...options });
}

function isHere(language, command, args) {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    if (process.env.NO_TEST_SKIPPED) throw new Error(`There is no ${language} here.`);
    console.log(`Left out: ${language}.`);
    return false;
  }
}

async function untilReady() {
  for (let i = 0; i < 600; i += 1) {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined);
    if (ready?.ok) return;
    if (program.exitCode !== null) throw new Error('The program has ended.');
    await sleep(200);
  }
  throw new Error('The gateway did not come up.');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
