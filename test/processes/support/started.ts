import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { z } from 'zod';
import { readGeneratedKeys } from '../../../src/config.js';
import { ownPort } from '../../support/own-port.js';
import { readEmbeddedState, writeEmbeddedState } from '../../../src/dev/embedded-temporal/state-file.js';
import { waiting } from '../../support/waiting.js';
import { createOms } from './oms.js';
import type { Oms } from './oms.js';
import { run, type Ran } from '../../cli/support/command-line.js';
import { runProgram } from './program.js';
import type { Program } from './program.js';

/** `durable-payments start` on a data directory of its own. */
export type Home = {
  readonly env: Readonly<Record<string, string>>;
  start(): Promise<Program>;
  /** Knows the gateway's address and the key of a shop that `start` has made. */
  oms(started: Program): Oms;
  sandboxUrl(): Promise<string>;
  sandbox(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown>;
  /** Resolves when the sandbox has written down that it knows this partner_code. */
  sandboxKeeps(partnerCode: string): Promise<void>;
  /** Runs another command beside it, in this process, with nothing but DATA_DIR. */
  cli(...args: string[]): Promise<Ran>;
  temporalPid(): Promise<number>;
  /** The content of every file of the data directory. */
  files(): Promise<{ name: string; content: Buffer }[]>;
  remove(): Promise<void>;
};

const settings = z.object({ port: z.int() });

/** Above every process number that a kernel gives out. */
const noProcess = 2 ** 30;

type HomeOptions = {
  /** Multiplies every waiting time of its payments. */
  readonly pollScale?: number;
  /** Further variables of its environment. */
  readonly more?: Readonly<Record<string, string>>;
};

export async function createHome({ pollScale = 0.05, more = {} }: HomeOptions = {}): Promise<Home> {
  const dataDir = await mkdtemp(join(tmpdir(), 'durable-payments-start-'));
  const uiPort = await ownPort();
  // As if a Temporal had run here before: other tests that run meanwhile want the usual port too.
  await writeEmbeddedState(dataDir, {
    ...{ owner_pid: noProcess, server_pid: noProcess, namespace: 'default' },
    ...{ port: await ownPort(), ui_port: uiPort },
  });
  const env = {
    DATA_DIR: dataDir,
    GATEWAY_PORT: String(await ownPort()),
    TEMPORAL_UI_PORT: String(uiPort),
    POLL_SCALE: String(pollScale),
    ...more,
  };
  const sandboxUrl = async () => {
    const { port } = settings.parse(JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')));
    return `http://127.0.0.1:${String(port)}`;
  };
  return {
    env,
    sandboxUrl,
    start: async () => {
      const program = runProgram(['start'], env);
      await program.prints('durable-payments is running');
      await program.prints(join(dataDir, 'durable-payments.log'));
      return program;
    },
    oms: () =>
      createOms(`http://127.0.0.1:${env.GATEWAY_PORT}`, readGeneratedKeys(dataDir)?.apiKeys[0]?.key ?? ''),
    sandbox: async (method, path, body) => {
      const answer = await fetch((await sandboxUrl()) + path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`the sandbox answered ${String(answer.status)} to ${path}`);
      return answer.json();
    },
    sandboxKeeps: async (partnerCode) => {
      const kept = () => readFile(join(dataDir, 'sandbox.json'), 'utf8');
      await vi.waitUntil(async () => (await kept()).includes(`"${partnerCode}"`), waiting);
    },
    cli: (...args) => run(args, { DATA_DIR: dataDir }),
    temporalPid: async () => (await readEmbeddedState(dataDir))?.server_pid ?? 0,
    /** What is stored; a file that takes the place of another one is on its way there (`.new`) for a moment. */
    files: async () => {
      const names = (await readdir(dataDir)).filter((name) => !name.endsWith('.new'));
      return Promise.all(names.map(async (name) => ({ name, content: await readFile(join(dataDir, name)) })));
    },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

/** Whether a process of that number exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
