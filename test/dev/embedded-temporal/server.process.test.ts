import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Connection } from '@temporalio/client';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectClient, plainTarget } from '../../../src/temporal/connection.js';
import type { OpenClient } from '../../../src/temporal/connection.js';
import { createDataConverter } from '../../../src/temporal/data-converter.js';
import { startEmbeddedTemporal } from '../../../src/dev/embedded-temporal/server.js';
import type { EmbeddedTemporal } from '../../../src/dev/embedded-temporal/server.js';
import { isFreePort } from '../../../src/dev/free-port.js';
import { readEmbeddedState, writeEmbeddedState } from '../../../src/dev/embedded-temporal/state-file.js';
import { ownPort } from '../../support/own-port.js';

let dir: string;
let running: EmbeddedTemporal[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'embedded-server-'));
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  await rm(dir, { recursive: true });
});

async function start(): Promise<EmbeddedTemporal> {
  // Ports of the first start; Temporal's usual ones may be someone's who works on this machine.
  const ports =
    (await readEmbeddedState(dir)) === null ? { port: await ownPort(), uiPort: await ownPort() } : {};
  const webUi = { token: 'a-token', codecUrl: null };
  const server = await startEmbeddedTemporal({
    ...{ storage: { dataDir: dir }, env: process.env, webUi },
    ...ports,
  });
  running.push(server);
  return server;
}

async function connected<T>(
  { address }: EmbeddedTemporal,
  use: (opened: OpenClient<Connection>) => Promise<T>,
): Promise<T> {
  const opened = await connectClient(plainTarget(address), createDataConverter('none'));
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}

const startPayment = (server: EmbeddedTemporal) =>
  connected(server, ({ client }) =>
    client.workflow.start('payout', { workflowId: 'payout-1', taskQueue: 'nobody' }),
  );

const statusOfPayment = (server: EmbeddedTemporal) =>
  connected(
    server,
    async ({ client }) => (await client.workflow.getHandle('payout-1').describe()).status.name,
  );

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function deadProcess(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

async function claimFor(ownerPid: number): Promise<void> {
  const state = await readEmbeddedState(dir);
  if (state !== null) await writeEmbeddedState(dir, { ...state, owner_pid: ownerPid });
}

test('a restart finds its payments again, at the same place', async () => {
  const first = await start();
  await startPayment(first);
  await first.stop();
  expect(isAlive(first.pid)).toBe(false);

  const second = await start();
  const placeOf = ({ address, webUiLink }: EmbeddedTemporal) => [address, webUiLink?.('/')];
  expect(placeOf(second)).toEqual(placeOf(first));
  expect(placeOf(second)).not.toContain(undefined);
  expect(await statusOfPayment(second)).toBe('RUNNING');
});

test('where 127.0.0.1 is the only loopback address there is no Web UI, which is reported, and Temporal runs', async () => {
  const reported: string[] = [];
  const uiPort = await ownPort();
  const server = await startEmbeddedTemporal({
    ...{ storage: { dataDir: dir }, env: process.env, webUi: { token: 'a-token', codecUrl: null } },
    ...{ port: await ownPort(), uiPort },
    isBindable: (host) => Promise.resolve(host === '127.0.0.1'),
    onProgress: (message) => reported.push(message),
  });
  running.push(server);
  expect(server.webUiLink).toBeNull();
  expect(reported).toContainEqual(expect.stringContaining('there is no Web UI'));
  await startPayment(server);
  expect(await statusOfPayment(server)).toBe('RUNNING');
  expect(await readFile(`/proc/${String(server.pid)}/cmdline`, 'utf8')).toContain('--headless');
  expect(await isFreePort(uiPort, '127.0.0.1')).toBe(true);
});

test('closed payments are kept for 30 days', async () => {
  const { config } = await connected(await start(), ({ connection }) =>
    connection.workflowService.describeNamespace({ namespace: 'default' }),
  );
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 60 * 60);
});

test('a database that another process works on is left alone', async () => {
  const first = await start();
  await claimFor(process.ppid);
  await expect(start()).rejects.toThrow(new RegExp(`in use by process ${String(process.ppid)}.*DATA_DIR`));
  expect(isAlive(first.pid)).toBe(true);
});

test('a server whose owner died without it is ended, and its payments go on in the next', async () => {
  const orphan = await start();
  await startPayment(orphan);
  await claimFor(await deadProcess());

  expect(await statusOfPayment(await start())).toBe('RUNNING');
  expect(isAlive(orphan.pid)).toBe(false);
});

test('servers that start at the same moment, all for the same port, each get a place of their own', async () => {
  const servers = await Promise.all(
    [1, 2].map(() => startEmbeddedTemporal({ storage: 'memory', env: process.env })),
  );
  running.push(...servers);
  expect(new Set(servers.map(({ address }) => address)).size).toBe(2);
  expect(new Set(servers.map(({ pid }) => pid)).size).toBe(2);
});

test('a server that ends by itself is reported with its last output', async () => {
  const server = await start();
  process.kill(server.pid, 'SIGTERM');
  // How much it has to say about its end depends on what it was doing.
  expect(await server.failed).toMatch(/^\s*\S+.*level=/m);
});

test('a server does not outlive an owner that is killed with SIGKILL', async () => {
  const source = fileURLToPath(
    new URL('../../../src/dev/embedded-temporal/supervised-process.ts', import.meta.url),
  );
  const { outputText } = transpileModule(await readFile(source, 'utf8'), {
    compilerOptions: { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 },
  });
  await writeFile(join(dir, 'supervised-process.mjs'), outputText);
  const owner = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { startSupervised } from '${join(dir, 'supervised-process.mjs')}';
       const { pid } = await startSupervised('sleep', ['1000'], process.env);
       console.log(pid);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const program = await new Promise<number>((resolve) =>
    owner.stdout.once('data', (line: Buffer) => resolve(Number(line.toString()))),
  );
  expect(isAlive(program)).toBe(true);

  owner.kill('SIGKILL');
  await expect.poll(() => isAlive(program)).toBe(false);
});
