import { randomBytes, randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { freePort } from '../../../src/dev/free-port.js';
import { startSandbox } from '../../../src/dev/sandbox/server.js';
import type { Sandbox } from '../../../src/dev/sandbox/server.js';
import { createOms } from './oms.js';
import type { Oms } from './oms.js';
import { runProgram } from './program.js';
import type { Program } from './program.js';

/** Gateways and workers as they are deployed: each a process, on one Temporal, in front of a sandbox. */
export type Deployment = {
  readonly sandbox: Sandbox;
  readonly oms: Oms;
  worker(): Promise<Program>;
  /** There is one at a time, always at the same address. */
  gateway(): Promise<Program>;
  /** Ends every process that it started, and the sandbox. */
  close(): Promise<void>;
};

const POLL_SCALE = '0.02';
const sandboxTimeScale = 0.05;

/** @param settings what its programs are told beyond what they need */
export async function deploy(settings: Readonly<Record<string, string>> = {}): Promise<Deployment> {
  const credentials = { clientId: 'test', clientSecret: randomBytes(16).toString('hex') };
  const sandbox = await startSandbox({ ...credentials, timeScale: sandboxTimeScale });
  const port = await freePort(0);
  const url = `http://127.0.0.1:${String(port)}`;
  const key = () => `test:${randomBytes(32).toString('base64')}`;
  const apiKey = randomBytes(16).toString('hex');
  const env = {
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    PAYMENTS_BASE_URL: sandbox.url,
    PAYMENTS_CLIENT_ID: credentials.clientId,
    PAYMENTS_CLIENT_SECRET: credentials.clientSecret,
    PAYMENTS_TASK_QUEUE: `test-${randomUUID()}`,
    PUBLIC_URL: url,
    POSTBACK_KEYS: key(),
    PAYLOAD_KEYS: key(),
    ...settings,
  };
  const programs: Program[] = [];
  const run = async (args: string[], more: Record<string, string>, ready: string): Promise<Program> => {
    const program = runProgram(args, { ...env, ...more });
    programs.push(program);
    await program.says(ready);
    return program;
  };
  return {
    sandbox,
    oms: createOms(url, apiKey),
    worker: () => run(['worker'], {}, 'worker is running'),
    gateway: () =>
      run(
        ['gateway'],
        { GATEWAY_PORT: String(port), API_KEYS: `test:${apiKey}`, POLL_SCALE },
        'gateway is running',
      ),
    close: async () => {
      await sandbox.close();
      await Promise.all(programs.map((program) => program.end('SIGKILL')));
    },
  };
}
