// Tries the HTTP API with tools of others: schemathesis, and clients that are generated from its document. It runs all
// in one beside a sandbox, on loopback. A language whose tools are not on this machine is left out, and said so.
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const document = join(root, 'dist/openapi.json');
const dir = mkdtempSync(join(tmpdir(), 'durable-payments-api-'));
const key = randomUUID();
const seconds = process.env.CHECK_API_SECONDS ?? '150';

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const program = spawn(process.execPath, [join(root, 'dist/src/cli/main.js'), 'start'], {
  env: {
    ...process.env,
    DATA_DIR: join(dir, 'data'),
    GATEWAY_PORT: String(port),
    API_KEYS: `check:${key}`,
    PUBLIC_URL: url,
  },
  stdio: 'inherit',
});
try {
  await untilReady();
  if (has('python3', ['-m', 'venv', '--help'])) withPython();
  else console.log('Left out: Python, and schemathesis with it.');
  withTypeScript();
  if (has('go', ['version'])) withGo();
  else console.log('Left out: Go.');
} finally {
  program.kill('SIGTERM');
  if (program.exitCode === null) await once(program, 'exit');
  rmSync(dir, { recursive: true, force: true });
}

function withPython() {
  const venv = join(dir, 'venv');
  run('python3', ['-m', 'venv', venv]);
  const bin = (name) => join(venv, 'bin', name);
  run(bin('pip'), ['install', '-q', 'schemathesis==4.32.5', 'openapi-python-client']);
  // A copy: schemathesis keeps what it found beside its settings.
  const config = join(dir, 'schemathesis');
  cpSync(join(root, 'test/openapi'), config, { recursive: true });
  run(
    bin('st'),
    ['--config-file', 'schemathesis.toml', 'run', `${url}/openapi.json`, '--max-time', seconds, '--no-color'],
    { cwd: config, env: { ...process.env, API_KEY: key, PYTHONDONTWRITEBYTECODE: '1' } },
  );
  const generated = join(dir, 'python');
  cpSync(join(root, 'test/clients/python'), generated, { recursive: true });
  const output = ['--output-path', join(generated, 'generated'), '--meta', 'none'];
  run(bin('openapi-python-client'), ['generate', '--path', document, ...output]);
  pays(bin('python'), ['pay.py'], generated);
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

function has(command, args) {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
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
