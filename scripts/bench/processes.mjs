import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../dist/src/dev/free-port.js';
import { startNewestTemporal } from '../deployment/newest-temporal.mjs';
import { startEmbeddedTemporal } from '../../dist/src/dev/embedded-temporal/server.js';

/** What rules how much memory a process takes. */
const passedOn = ['HOME', 'PATH', 'NODE_OPTIONS', 'MALLOC_ARENA_MAX'];
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const main = path('../../dist/src/cli/main.js');
const msPerTick = 10;

/** How much faster the service lives than it says, and so do payments that are not moved by postbacks. */
export const quickScale = 0.01;

/**
 * Everything that is measured, each in a process of its own: Temporal with its data in memory, the sandbox, a worker, two
 * gateways, and a worker of the bare SDK. One gateway has the usual waiting times, so that postbacks come before the
 * first read; the payments of the other are read after 50 milliseconds.
 *
 * @param fleet so many workers, and as many gateways with the usual waiting times
 * @param postgresShards instead of the embedded server the newest one, on PostgreSQL with so many history shards
 */
export async function startProcesses({ dynamicConfig, fleet = 1, postgresShards }) {
  const server = { env: process.env, dynamicConfig };
  const temporal =
    postgresShards === undefined
      ? await startEmbeddedTemporal({ storage: 'memory', ...server })
      : await startNewestTemporal({ ...server, onProgress: console.log, postgresShards });
  const ports = [];
  for (let count = 0; count < 2 + fleet; count += 1)
    ports.push(await freePort(10_000 + Math.floor(Math.random() * 20_000)));
  const [sandbox, quick, ...usual] = ports.map((port) => ({ port, url: `http://127.0.0.1:${String(port)}` }));
  const secret = randomBytes(16).toString('hex');
  const key = () => `bench:${randomBytes(32).toString('base64')}`;
  const apiKey = randomBytes(16).toString('hex');
  const env = {
    ...Object.fromEntries(passedOn.map((name) => [name, process.env[name]])),
    LOG_LEVEL: 'error',
    TEMPORAL_ADDRESS: temporal.address,
    PAYMENTS_BASE_URL: sandbox.url,
    PAYMENTS_CLIENT_ID: 'bench',
    PAYMENTS_CLIENT_SECRET: secret,
    PUBLIC_URL: usual[0].url,
    POSTBACK_KEYS: key(),
    PAYLOAD_KEYS: key(),
    API_KEYS: `bench:${apiKey}:oms:operator`,
  };
  const children = new Map();
  const run = (name, args, more = {}) => {
    const child = spawn(process.execPath, args, {
      env: { ...env, ...more },
      // Audit lines go to standard output: a deployment writes them, too.
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('exit', (code) => {
      if (children.delete(name)) console.error(`${name} has ended with ${String(code)}.`);
    });
    children.set(name, child);
    return child;
  };
  const end = async (name) => {
    const child = children.get(name);
    if (!children.delete(name)) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  const close = async () => {
    await Promise.all([...children.keys()].map(end));
    await temporal.stop();
  };
  try {
    const account = ['--client-id', 'bench', '--client-secret', secret, '--time-scale', String(quickScale)];
    run('sandbox', [main, 'sandbox', '--port', String(sandbox.port), ...account]);
    await answers(`${sandbox.url}/sandbox/ledger`);
    // The service sends postbacks to the gateway that the worker names: each has as many of them.
    for (const { name, url } of named('worker', usual)) run(name, [main, 'worker'], { PUBLIC_URL: url });
    for (const { name, port } of named('gateway', usual))
      run(name, [main, 'gateway'], { GATEWAY_PORT: String(port), POLL_SCALE: '1' });
    run('gateway-quick', [main, 'gateway'], {
      GATEWAY_PORT: String(quick.port),
      POLL_SCALE: String(quickScale),
    });
    await Promise.all([...usual, quick].map(({ url }) => answers(`${url}/healthz`)));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    temporal,
    env,
    apiKey,
    url: { sandbox: sandbox.url, usual: usual.map(({ url }) => url), quick: quick.url },
    main,
    run,
    end,
    /** Workers whose postbacks the service sends elsewhere than to the gateway: of this program, and of the bare SDK. */
    workersOf: (publicUrl) => {
      run('worker-direct', [main, 'worker'], {
        PUBLIC_URL: publicUrl,
        PAYMENTS_TASK_QUEUE: 'payments-direct',
      });
      run('bare', [path('./bare/worker.mjs')], { PUBLIC_URL: publicUrl });
    },
    pidOf: (name) => (name === 'server' ? temporal.pid : children.get(name)?.pid),
    /** CPU that each process has taken since it began, in milliseconds. */
    cpuMs: () => ({
      server: cpuMs(temporal.pid),
      ...Object.fromEntries([...children].map(([name, { pid }]) => [name, cpuMs(pid)])),
    }),
    close,
  };
}

/** The processes of a kind, each with its own address: the first has the name of the kind. */
function named(kind, addresses) {
  return addresses.map((address, at) => ({
    ...address,
    name: at === 0 ? kind : `${kind}-${String(at + 1)}`,
  }));
}

/** Of a process with all its threads. Linux only. */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    .split(') ')[1]
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

/** What a process holds in memory, in MB: now, and at most. Linux only. */
export function memoryMb(pid) {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1_024;
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

async function answers(url) {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.text();
    if (answer?.ok) return;
    await sleep(50);
  }
}
