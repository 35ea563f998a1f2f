import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { stringify } from 'yaml';
import { startSupervised } from '../../dist/src/dev/embedded-temporal/supervised-process.js';
import { freePort } from '../../dist/src/dev/free-port.js';
import { startLocalPostgres } from './local-postgres.mjs';
import { serverVersion } from './server-version.mjs';
import { makeTemporalDatabases } from './temporal-schema.mjs';
import { buildTemporalServer } from './temporal-server.mjs';

const longestStartMs = 60_000;
const namespace = 'default';
const roles = ['frontend', 'matching', 'history', 'worker'];

/** What the embedded server is tuned with as well, and what the newest one has switched off, as in `deploy`. */
const settings = {
  'history.transferProcessorMaxPollRPS': 2000,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'frontend.WorkflowPauseEnabled': true,
  'frontend.enableCancelWorkerPollsOnShutdown': true,
};

const inMemory = {
  sql: {
    pluginName: 'sqlite',
    databaseName: 'default',
    connectAddr: 'localhost',
    connectProtocol: 'tcp',
    connectAttributes: { mode: 'memory', cache: 'private' },
    maxConns: 1,
    maxIdleConns: 1,
    maxConnLifetime: '1h',
  },
};

/**
 * The newest release of Temporal's server, on loopback. It lives as long as this process at most. The first time it is
 * built, which takes minutes.
 *
 * @param dynamicConfig further settings of the server, by their names
 * @param postgresShards its history shards in a PostgreSQL of its own; without it, its database is in memory
 */
export async function startNewestTemporal({ dynamicConfig = {}, env, onProgress, postgresShards }) {
  const built = await buildTemporalServer(serverVersion, env, onProgress);
  const stops = [];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    const datastores = await startDatastores(built, postgresShards, stops);
    const dir = await mkdtemp(join(tmpdir(), 'newest-temporal-'));
    stops.push(() => rm(dir, { recursive: true, force: true }));
    const ports = await freePorts();
    const dynamic = join(dir, 'dynamic.yaml');
    const config = join(dir, 'server.yaml');
    await writeFile(dynamic, dynamicSettings({ ...settings, ...dynamicConfig }));
    const stores = { datastores, numHistoryShards: postgresShards ?? 1 };
    await writeFile(config, stringify(configuration(ports, dynamic, stores)));
    const program = join(built, 'temporal-server');
    const args = ['--config-file', config, '--allow-no-auth', 'start'];
    const server = await startSupervised(program, args, { PATH: env.PATH, HOME: dir });
    stops.push(() => server.stop());
    const address = `127.0.0.1:${String(ports.frontend.grpc)}`;
    const ended = server.ended.then((output) => {
      throw new Error(`Temporal's server ended while it was starting: ${output}`);
    });
    ended.catch(() => undefined);
    await Promise.race([untilNamespace(address), ended]);
    return { address, namespace, version: serverVersion, pid: server.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDatastores(built, postgresShards, stops) {
  if (postgresShards === undefined) return { default: inMemory, visibility: inMemory };
  const postgres = await startLocalPostgres();
  stops.push(() => postgres.stop());
  return makeTemporalDatabases(built, postgres);
}

async function freePorts() {
  const pairs = roles.map(async (role) => [
    role,
    { grpc: await lowPort(), membership: await lowPort(), http: await lowPort() },
  ]);
  return Object.fromEntries(await Promise.all(pairs));
}

/** In PostgreSQL Temporal keeps a port in 16 bits with a sign. */
function lowPort() {
  return freePort(10_000 + Math.floor(Math.random() * 20_000));
}

function dynamicSettings(values) {
  return stringify(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [{ value }]])));
}

function configuration(ports, dynamicConfigFile, stores) {
  const serviceOf = ({ grpc, membership, http }) => ({
    rpc: { grpcPort: grpc, membershipPort: membership, httpPort: http, bindOnLocalHost: true },
  });
  const frontend = `127.0.0.1:${String(ports.frontend.grpc)}`;
  return {
    log: { stdout: true, level: 'error' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      ...stores,
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(roles.map((role) => [role, serviceOf(ports[role])])),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: frontend },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '10s' },
  };
}

async function untilNamespace(address) {
  const deadline = Date.now() + longestStartMs;
  for (;;) {
    try {
      return await registerNamespace(address);
    } catch (error) {
      if (Date.now() > deadline)
        throw new Error("Temporal's server did not answer in time.", { cause: error });
      await sleep(250);
    }
  }
}

async function registerNamespace(address) {
  const connection = await Connection.connect({ address, connectTimeout: '2 seconds' });
  const { workflowService } = connection;
  const days = 24 * 60 * 60;
  const retention = { seconds: 30 * days };
  try {
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention })
      .catch((error) => {
        if (!/already (registered|exists)/i.test(error.message)) throw error;
      });
    // It is taken up after a while.
    await workflowService.listWorkflowExecutions({ namespace, pageSize: 1 });
  } finally {
    await connection.close();
  }
}
