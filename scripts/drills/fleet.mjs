import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { httpOf } from './http.mjs';
import { startKillableTemporal } from './killable-temporal.mjs';
import { startNewestTemporal } from '../deployment/newest-temporal.mjs';
import { createPaymentsClient, paymentsDataConverter } from '../../dist/src/client.js';
import { startEmbeddedTemporal } from '../../dist/src/dev/embedded-temporal/server.js';
import { freePort } from '../../dist/src/dev/free-port.js';
import { startSandbox } from '../../dist/src/dev/sandbox/server.js';
import { ensureSearchAttributes } from '../../dist/src/temporal/search-attributes.js';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

/**
 * Runs a drill and closes its fleet, also when it is stopped by a signal. What the drill throws is printed with the
 * output of the processes: exit code 1.
 */
export async function withFleet(fleet, drill) {
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void fleet.close().finally(() => process.exit(1)));
  try {
    await drill();
  } catch (error) {
    console.error(error, fleet.outputs());
    await fleet.close();
    // What the drill runs beside itself, such as an operator, would go on for ever.
    process.exit(1);
  }
  await fleet.close();
}

function startTemporal(storage, dataDir, dynamicConfig) {
  const options = { env: process.env, onProgress: console.log };
  if (storage === 'newest')
    return startNewestTemporal({ ...options, dynamicConfig: { ...quickDrainage, ...dynamicConfig } });
  if (storage === 'memory') return startEmbeddedTemporal({ storage, env: process.env, dynamicConfig });
  return startKillableTemporal(dataDir);
}

/** Temporal notices a lost worker when the time of a creating call is over; scans follow where nothing is known. */
const longestMs = 300_000;

/** Whether a build is drained is looked at each second instead of each few minutes. */
const quickDrainage = {
  'matching.wv.VersionDrainageStatusVisibilityGracePeriod': '1s',
  'matching.wv.VersionDrainageStatusRefreshInterval': '1s',
};

/**
 * Worker, gateway and command line as processes that can be killed, beside a sandbox that stays, and a Temporal: with
 * its database in a file it can be killed, too. Its data are in a directory of its own, which `close` removes.
 */
export async function startFleet(name, { storage = 'memory', dynamicConfig = {}, sandboxOptions = {} } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), `${name}-`));
  const account = { clientId: 'drill', clientSecret: randomBytes(16).toString('hex') };
  const temporal = await startTemporal(storage, dataDir, dynamicConfig);
  const sandbox = await startSandbox({ ...account, timeScale: 0.05, ...sandboxOptions });
  const connection = await Connection.connect({ address: temporal.address });
  await ensureSearchAttributes(connection, temporal.namespace);
  const port = await freePort(10_000 + Math.floor(Math.random() * 10_000));
  const url = `http://127.0.0.1:${String(port)}`;
  const key = () => `drill:${randomBytes(32).toString('base64')}`;
  const apiKey = randomBytes(16).toString('hex');
  const env = {
    ...Object.fromEntries(['HOME', 'PATH'].map((name) => [name, process.env[name]])),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    TEMPORAL_ADDRESS: temporal.address,
    PAYMENTS_BASE_URL: sandbox.url,
    PAYMENTS_CLIENT_ID: account.clientId,
    PAYMENTS_CLIENT_SECRET: account.clientSecret,
    PUBLIC_URL: url,
    POSTBACK_KEYS: key(),
    PAYLOAD_KEYS: key(),
    POLL_SCALE: '0.02',
    GATEWAY_PORT: String(port),
    API_KEYS: `drill:${apiKey}:oms:operator`,
  };
  const client = new Client({ connection, dataConverter: paymentsDataConverter(env.PAYLOAD_KEYS) });
  const payments = createPaymentsClient({ client, taskQueue: 'payments' });
  const children = new Set();
  const run = (args, settings, program = main) => {
    const stdio = ['ignore', 'pipe', 'inherit'];
    const child = spawn(process.execPath, [program, ...args], { env: { ...env, ...settings }, stdio });
    child.output = '';
    child.stdout.on('data', (chunk) => (child.output += String(chunk)));
    child.kill9 = async () => {
      child.kill('SIGKILL');
      await child.exited;
    };
    child.exited = new Promise((resolve) => child.once('close', resolve));
    children.add(child);
    void child.exited.then(() => children.delete(child));
    return child;
  };
  const program = (...args) => run(args, {});
  const http = httpOf(url, apiKey);
  return {
    dataDir,
    sandbox,
    temporal,
    /** For a replay of what its workers have written. */
    replaying: { dataConverter: paymentsDataConverter(env.PAYLOAD_KEYS) },
    url,
    client,
    payments,
    http,
    program,
    /** @param program the built program of another build */
    worker: async (settings = {}, program = main) => run(['worker'], settings, program),
    gateway: async (settings = {}) => {
      const gateway = run(['gateway'], settings);
      while (
        !(await fetch(`${url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ))
      )
        await sleep(100);
      return gateway;
    },
    /** The last output of each process that is up. */
    outputs: () =>
      [...children]
        .map(({ output, spawnargs }) => `${spawnargs.slice(2).join(' ')}: ${output.slice(-2_000)}`)
        .join('\n'),
    cli: async (...args) => {
      const command = program(...args);
      await command.exited;
      return command.output;
    },
    /** The state of a payout, once it is as wanted. */
    payoutOnce: async (code, isSo) => {
      const deadline = Date.now() + longestMs;
      for (;;) {
        const state = await payments
          .payout(code)
          .state()
          .catch(() => undefined);
        if (state !== undefined && isSo(state)) return state;
        if (Date.now() > deadline) throw new Error(`${code} is not so: ${JSON.stringify(state)}`);
        await sleep(500);
      }
    },
    count: async (query) => {
      const { namespace } = temporal;
      const { count } = await client.workflowService.countWorkflowExecutions({ namespace, query });
      return Number(count);
    },
    close: async () => {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all([...children].map((child) => child.exited));
      await connection.close();
      await sandbox.close();
      await temporal.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
