import { randomBytes, randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { inject, test as base, vi } from 'vitest';
import { ownPort } from '../../support/own-port.js';
import { startSandbox } from '../../../src/dev/sandbox/server.js';
import type { Sandbox } from '../../../src/dev/sandbox/server.js';
import { grpcCode } from '../../../src/temporal/grpc-codes.js';
import { ownNamespace } from '../../support/own-namespace.js';
import { waiting } from '../../support/waiting.js';
import { createOms } from './oms.js';
import type { Oms } from './oms.js';
import { runProgram } from './program.js';
import type { Program } from './program.js';

type Described = Awaited<ReturnType<Connection['workflowService']['describeWorkflowExecution']>>;

/** Gateways and workers as they are deployed: each a process, on one Temporal, in front of a sandbox. */
export type Deployment = {
  readonly sandbox: Sandbox;
  readonly oms: Oms;
  /** What each of its programs is configured with. */
  readonly env: Readonly<Record<string, string>>;
  /** Of the gateway. */
  readonly url: string;
  worker(settings?: Readonly<Record<string, string>>): Promise<Program>;
  /** There is one at a time, always at the same address. */
  gateway(settings?: Readonly<Record<string, string>>): Promise<Program>;
  /** What Temporal holds of a workflow, its payloads as they are stored; undefined when it knows none. */
  described(workflowId: string): Promise<Described | undefined>;
  /** Removes a workflow from Temporal, as a restore of an older backup does. */
  forget(workflowId: string): Promise<void>;
  /** Ends every process that it started, and the sandbox. */
  close(): Promise<void>;
};

/** Tests of a deployment that those of a file share. */
export const test = base
  .extend('settings', { scope: 'file' }, (): Readonly<Record<string, string>> => ({}))
  .extend('deployment', { scope: 'file' }, async ({ settings }, { onCleanup }) => {
    const deployment = await deploy(settings);
    onCleanup(() => deployment.close());
    return deployment;
  });

const GRPC_NOT_FOUND = 5;
const POLL_SCALE = '0.02';
const sandboxTimeScale = 0.05;

/** @param settings variables of its programs beyond those that they need */
export async function deploy(settings: Readonly<Record<string, string>> = {}): Promise<Deployment> {
  const address = inject('temporalAddress');
  const connection = await Connection.connect({ address });
  const namespace = await ownNamespace(connection);
  const credentials = { clientId: 'test', clientSecret: randomBytes(16).toString('hex') };
  const sandbox = await startSandbox({ ...credentials, timeScale: sandboxTimeScale });
  const port = await ownPort();
  const url = `http://127.0.0.1:${String(port)}`;
  const key = () => `test:${randomBytes(32).toString('base64')}`;
  const apiKey = randomBytes(16).toString('hex');
  const env = {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    PAYMENTS_BASE_URL: sandbox.url,
    PAYMENTS_CLIENT_ID: credentials.clientId,
    PAYMENTS_CLIENT_SECRET: credentials.clientSecret,
    PAYMENTS_TASK_QUEUE: `test-${randomUUID()}`,
    PUBLIC_URL: url,
    POSTBACK_KEYS: key(),
    PAYLOAD_KEYS: key(),
    ...settings,
  };
  const { workflowService } = connection;
  const described = async (workflowId: string): Promise<Described | undefined> => {
    try {
      return await workflowService.describeWorkflowExecution({ namespace, execution: { workflowId } });
    } catch (error) {
      if (grpcCode(error) === GRPC_NOT_FOUND) return undefined;
      throw error;
    }
  };
  const programs: Program[] = [];
  const run = async (
    args: string[],
    more: Readonly<Record<string, string>>,
    ready: string,
  ): Promise<Program> => {
    const program = runProgram(args, { ...env, ...more });
    programs.push(program);
    await program.prints(ready);
    return program;
  };
  return {
    sandbox,
    oms: createOms(url, apiKey),
    env,
    url,
    worker: (more = {}) => run(['worker'], more, 'worker is running'),
    gateway: (more = {}) =>
      run(
        ['gateway'],
        { GATEWAY_PORT: String(port), API_KEYS: `test:${apiKey}:oms:operator`, POLL_SCALE, ...more },
        'gateway is running',
      ),
    described,
    forget: async (workflowId) => {
      await workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
      await vi.waitUntil(async () => (await described(workflowId)) === undefined, waiting);
    },
    close: async () => {
      await sandbox.close();
      await Promise.all(programs.map((program) => program.end('SIGKILL')));
      await connection.close();
    },
  };
}
