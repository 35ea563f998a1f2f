import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { vi } from 'vitest';
import { ownPort } from '../../support/own-port.js';
import { startSandbox } from '../../../src/dev/sandbox/server.js';
import type { Sandbox } from '../../../src/dev/sandbox/server.js';
import { startEmbeddedTemporal } from '../../../src/dev/embedded-temporal/server.js';
import { runProgram } from '../../processes/support/program.js';
import type { Program } from '../../processes/support/program.js';
import { waiting } from '../../support/waiting.js';
import { startRelay } from './relay.js';
import type { Relay } from './relay.js';

const PRELOAD = fileURLToPath(new URL('./preload.cjs', import.meta.url));

/** A process of the program whose memory can be looked at. */
export type Watched = Program & {
  /** Collects garbage and writes down all that is left. */
  heap(): Promise<Buffer>;
};

/** Gateways and workers on a Temporal with a database file, before a relay to a sandbox. */
export type Stage = {
  readonly temporal: { readonly address: string; readonly namespace: string };
  readonly gatewayUrl: string;
  readonly sandbox: Sandbox;
  readonly relay: Relay;
  gateway(settings: Settings): Promise<Watched>;
  worker(settings: Settings): Promise<Watched>;
  /** Every process that ran, with all that it printed. */
  readonly programs: readonly Program[];
  /** Compares all payouts with the service now, and waits for the end of it. */
  reconcile(codec: PayloadCodec): Promise<void>;
  /** Everything that Temporal has on disk. */
  databaseFiles(): Promise<{ name: string; content: Buffer }[]>;
  close(): Promise<void>;
};

/** What of the environment a process gets beside the usual. */
export type Settings = Readonly<Record<string, string>>;

export async function setStage(clientSecret: string, secretForCrashes = ''): Promise<Stage> {
  const dir = await mkdtemp(join(tmpdir(), 'durable-payments-security-'));
  const dataDir = join(dir, 'data');
  const temporal = await startEmbeddedTemporal({ storage: { dataDir }, env: process.env });
  const sandbox = await startSandbox({ clientId: 'test', clientSecret, timeScale: 0.05 });
  const relay = await startRelay(sandbox.url);
  const secretFile = join(dir, 'secret');
  await writeFile(secretFile, secretForCrashes);
  const port = String(await ownPort());
  const gatewayUrl = `http://127.0.0.1:${port}`;
  const programs: Watched[] = [];

  const run = async (role: 'gateway' | 'worker', settings: Settings): Promise<Watched> => {
    const heapDir = await mkdtemp(join(dir, 'heap-'));
    const program = runProgram([role], {
      TEMPORAL_ADDRESS: temporal.address,
      PAYMENTS_BASE_URL: relay.url,
      PAYMENTS_CLIENT_ID: 'test',
      PAYMENTS_CLIENT_SECRET: clientSecret,
      PUBLIC_URL: gatewayUrl,
      LOG_LEVEL: 'trace',
      SECRET_FILE: secretFile,
      NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${heapDir} --require ${PRELOAD}`,
      ...(role === 'gateway' ? { GATEWAY_PORT: port, POLL_SCALE: '0.02' } : {}),
      ...settings,
    });
    const watched = { ...program, heap: () => heapOf(program.pid, heapDir) };
    programs.push(watched);
    await program.prints(`${role} is running`);
    return watched;
  };
  return {
    temporal,
    gatewayUrl,
    sandbox,
    relay,
    gateway: (settings) => run('gateway', settings),
    worker: (settings) => run('worker', settings),
    programs,
    reconcile: (codec) => reconcile(temporal, codec),
    databaseFiles: () => filesIn(dataDir),
    close: async () => {
      await Promise.all(programs.map((program) => program.end('SIGKILL')));
      await relay.down().catch(() => undefined);
      await sandbox.close();
      await temporal.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A key as POSTBACK_KEYS and PAYLOAD_KEYS take it. */
export function newKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

async function reconcile({ address, namespace }: Stage['temporal'], codec: PayloadCodec): Promise<void> {
  const connection = await Connection.connect({ address });
  const { schedule } = new Client({ connection, namespace, dataConverter: { payloadCodecs: [codec] } });
  const handle = schedule.getHandle('payout-reconciliation-full');
  const runs = async () => (await handle.describe()).info;
  const before = (await runs()).numActionsTaken;
  await handle.trigger();
  await vi.waitUntil(async () => {
    const { numActionsTaken, runningActions } = await runs();
    return numActionsTaken > before && runningActions.length === 0;
  }, waiting);
  await connection.close();
}

async function heapOf(pid: number, dir: string): Promise<Buffer> {
  const earlier = new Set(await readdir(dir));
  process.kill(pid, 'SIGUSR2');
  const path = await vi.waitUntil(async () => {
    const name = (await readdir(dir)).find((each) => !earlier.has(each));
    // Its last table is that of the texts.
    return name !== undefined && (await endOf(join(dir, name))).endsWith(']}') && join(dir, name);
  }, waiting);
  return readFile(path);
}

async function endOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read({ buffer: Buffer.alloc(16), position: Math.max(0, size - 16) });
    return buffer.toString().replaceAll('\0', '').trimEnd();
  } finally {
    await file.close();
  }
}

async function filesIn(dir: string): Promise<{ name: string; content: Buffer }[]> {
  const names = await readdir(dir);
  return Promise.all(names.map(async (name) => ({ name, content: await readFile(join(dir, name)) })));
}
