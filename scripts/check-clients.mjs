// Runs the examples of docs/clients as a newcomer would: copied to another place, beside a program that was started with
// its own Temporal and sandbox. A language whose tools are not on this machine is left out, and said so. Before them, the
// TypeScript client is installed alone. Arguments choose: `light`, `python`, `typescript`, `go`, `java`.
import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { checkLightClient } from './check-light-client.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const key = randomUUID();
const payee = 'ana.lima@example.com';
/** The namespace and the name of the Nexus caller. */
const oms = 'oms';

/** How each language is prepared in its folder, and how an example is run there: its command and first arguments. */
const languages = {
  python: {
    tools: [['python3', '-m', 'venv', '--help']],
    async prepare() {
      await run('python3', ['-m', 'venv', '.venv']);
      await run('.venv/bin/pip', ['install', '-q', '--disable-pip-version-check', '-r', 'requirements.txt']);
    },
    command: (example) => ['.venv/bin/python', `${example.replace('-', '_')}.py`],
  },
  typescript: {
    tools: [],
    async prepare() {
      const packed = (await run(process.execPath, [join(root, 'scripts/pack-client.mjs'), '.'])).trim();
      renameSync(packed, join(cwd, 'durable-payments-client.tgz'));
      await run('npm', ['install', '--no-audit', '--no-fund', '--silent']);
      await run('npm', ['run', '--silent', 'build']);
    },
    command: (example) => [process.execPath, `dist/${example}.js`],
    nexus: 'nexus/run',
    more: compensates,
  },
  go: {
    tools: [['go', 'version']],
    async prepare() {
      await run('go', ['vet', './...']);
      await run('go', ['build', '-o', 'bin/', './...']);
    },
    command: (example) => [`bin/${example}`],
    nexus: 'nexus',
  },
  java: {
    tools: [
      ['mvn', '--version'],
      ['javac', '--version'],
    ],
    prepare: () => run('mvn', ['-q', '-B', 'compile']),
    command: (example) => ['java', '-cp', 'target/classes:target/lib/*', pascalCase(example)],
  },
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => name !== 'light' && languages[name] === undefined);
if (unknown.length > 0) throw new Error(`There is nothing to check by the name of ${unknown.join(', ')}.`);

const dir = mkdtempSync(join(tmpdir(), 'durable-payments-clients-'));
const output = join(dir, 'output');
const [port, uiPort] = [await freePort(), await freePort()];
const url = `http://127.0.0.1:${port}`;
const program = spawn(process.execPath, [join(root, 'dist/src/cli/main.js'), 'start'], {
  env: {
    ...withoutSettings(process.env),
    DATA_DIR: join(dir, 'data'),
    GATEWAY_PORT: String(port),
    TEMPORAL_UI_PORT: String(uiPort),
    API_KEYS: `check:${key}:oms:operator`,
    PUBLIC_URL: url,
    NEXUS_CALLERS: oms,
  },
  stdio: ['ignore', openSync(output, 'w'), 'inherit'],
});
let cwd = dir;
let env = {};
try {
  env = await settings();
  await createEndpoint(env.TEMPORAL_ADDRESS);
  if (isChosen('light')) {
    const program = {
      keysFile: join(dir, 'data/keys.env'),
      env: { ...withoutSettings(process.env), ...env },
    };
    await checkLightClient(join(dir, 'light'), program);
  }
  for (const [name, language] of Object.entries(languages).filter(([name]) => isChosen(name))) {
    if (await has(language.tools)) await check(name, language);
    else console.log(`Left out: ${name}.`);
  }
} finally {
  program.kill('SIGTERM');
  if (program.exitCode === null) await once(program, 'exit');
  rmSync(dir, { recursive: true, force: true });
}

function isChosen(name) {
  return chosen.length === 0 || chosen.includes(name);
}

async function check(name, { prepare, command, nexus, more }) {
  console.log(`${name}: preparing`);
  cwd = join(dir, name);
  cpSync(join(root, 'docs/clients', name), cwd, { recursive: true });
  await prepare();
  const example = async (which, ...args) => {
    const [program, ...before] = command(which);
    const printed = (await run(program, [...before, ...args])).trimEnd();
    const line = printed.split('\n').at(-1);
    console.log(`${name}: ${which} ${args[0]}\n  ${line}`);
    return line;
  };
  await pays(name, example);
  await retriesOne(name, example);
  await retriesMany(name, example);
  if (nexus !== undefined) await paysByNexus(name, (...args) => example(nexus, ...args));
  await more?.(name, example);
}

/** A payout, started twice and paid once. */
async function pays(name, example) {
  const code = `${name}-paid`;
  strictEqual(await example('start-payout', code, payee), `payout-${code}: done`);
  strictEqual(await example('start-payout', code, payee), `payout-${code}: done`);
  await attempts(code, ['done']);
}

async function retriesOne(name, example) {
  const code = `${name}-retried`;
  strictEqual(await example('start-payout', code, 'sandbox+error@example.com'), `payout-${code}: error`);
  match(await example('read-payout', code), / error, attention payout_failed, 150\.50 reais$/);
  strictEqual(await example('retry-payout', code, payee), `payout-${code}: done at attempt 2`);
  await attempts(code, ['error', 'done']);
}

async function retriesMany(name, example) {
  const batch = `${name}-rents`;
  const rows = readFileSync(join(root, 'docs/clients/rents.csv'), 'utf8').replaceAll('rents-of-may', batch);
  writeFileSync(join(cwd, 'rents.csv'), rows);
  match(await example('batch', batch, 'rents.csv'), new RegExp(`^${batch}: finished, .*, 0 not started$`));
  match(await example('bulk-retry', batch, batch), new RegExp(`^bulk-retry-${batch}: finished, `));
  const { done, matched } = (await answer(`/v1/bulk-retries/${batch}`)).counts;
  deepStrictEqual({ done, matched }, { done: 2, matched: 2 });
  await attempts(`${batch}-1`, ['done']);
  await attempts(`${batch}-2`, ['error', 'done']);
  await attempts(`${batch}-3`, ['error', 'done']);
}

/** A payout of a workflow in another namespace: retried with another key, and run again without paying again. */
async function paysByNexus(name, example) {
  const code = `${name}-by-nexus`;
  env = { ...env, TEMPORAL_NAMESPACE: oms };
  try {
    strictEqual(await example(code, 'sandbox+error@example.com', payee), `rent-${code}: done`);
    strictEqual(await example(code, 'sandbox+error@example.com', payee), `rent-${code}: done`);
  } finally {
    delete env.TEMPORAL_NAMESPACE;
  }
  await attempts(code, ['error', 'done']);
}

/** An order that was paid as a step of a sale, and refunded when a later step failed. */
async function compensates(name, example) {
  const code = `${name}-tickets`;
  strictEqual(await example('saga/run', code), `sale-${code}: undone: the printer is out of order`);
  strictEqual((await answer(`/v1/orders/${code}/refund`)).status, 'refunded');
}

async function attempts(code, statuses) {
  const payout = await answer(`/v1/payouts/${code}`);
  strictEqual(payout.status, 'done');
  deepStrictEqual(
    payout.attempts.map(({ status }) => status),
    statuses,
  );
}

async function answer(path) {
  const response = await fetch(url + path, { headers: { Authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** What docs/nexus.md has the operator create by the `temporal` command. */
async function createEndpoint(address) {
  const connection = await Connection.connect({ address });
  const { workflowService, operatorService } = connection;
  const day = { seconds: 86_400 };
  await workflowService.registerNamespace({ namespace: oms, workflowExecutionRetentionPeriod: day });
  const target = { worker: { namespace: 'default', taskQueue: `payments-nexus-${oms}` } };
  await operatorService.createNexusEndpoint({ spec: { name: `payments-${oms}`, target } });
  await connection.close();
}

/** What the examples take from their environment, as the program prints it when it is up. */
async function settings() {
  for (let i = 0; i < 600; i += 1) {
    const printed = /TEMPORAL_ADDRESS=(\S+) .*\$\(cat '([^']+)'\)/.exec(readFileSync(output, 'utf8'));
    if (printed !== null) {
      const [, TEMPORAL_ADDRESS, file] = printed;
      const CODEC_ENDPOINT = readFileSync(file, 'utf8');
      return { TEMPORAL_ADDRESS, CODEC_ENDPOINT, GATEWAY_URL: url, API_KEY: key };
    }
    if (program.exitCode !== null) throw new Error('The program has ended.');
    await sleep(200);
  }
  throw new Error('The program did not come up.');
}

/** Nothing of this machine's own settings for Temporal or for payments. */
function withoutSettings(environment) {
  const ours = /^(TEMPORAL|PAYMENTS|NOTIFY|PAYLOAD|POSTBACK|GATEWAY|CODEC)_/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !ours.test(name)));
}

/** What it prints; its errors are shown only when it fails. */
async function run(command, args) {
  const environment = {
    ...withoutSettings(process.env),
    ...env,
    PYTHONDONTWRITEBYTECODE: '1',
    GOTOOLCHAIN: 'auto',
  };
  const { stdout } = await promisify(execFile)(command, args, { cwd, env: environment, timeout: 600_000 });
  return stdout;
}

async function has(tools) {
  const found = tools.map(([tool, ...args]) => run(tool, args));
  return Promise.all(found).then(
    () => true,
    () => false,
  );
}

function pascalCase(name) {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
