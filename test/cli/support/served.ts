import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createOms, type Oms } from '../../processes/support/oms.js';
import { startDeployment, type Deployment } from '../../support/deployment.js';
import { testPayloadKeys } from '../../support/temporal-data-converter.js';
import { run, type Ran } from './command-line.js';

/** An operator at a shell, who may also change what the service does. */
export type Operator = {
  readonly dir: string;
  cli(...args: string[]): Promise<Ran>;
  sandbox(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown>;
};

export type Served = { readonly stack: Deployment; readonly operator: Operator; readonly oms: Oms };

/** A gateway, workers and a sandbox for all tests of the file that calls this at its top, and the command beside them. */
export async function servedForAllTests({ pollScale = 0.05 } = {}): Promise<Served> {
  const dir = await mkdtemp(join(tmpdir(), 'durable-payments-cli-'));
  const stack = await startDeployment({
    isWhole: true,
    sandbox: { progress: 'automatic', timeScale: pollScale },
    gateway: { pollScale },
  });
  afterAll(async () => {
    await stack.close();
    await rm(dir, { recursive: true });
  });
  const env = {
    TEMPORAL_ADDRESS: stack.server.address,
    TEMPORAL_NAMESPACE: stack.server.namespace,
    PAYMENTS_TASK_QUEUE: stack.server.taskQueue,
    PAYLOAD_KEYS: testPayloadKeys,
    DATA_DIR: dir,
  };
  const operator: Operator = {
    dir,
    cli: (...args) => run(args, env),
    sandbox: async (method, path, body) => {
      const answer = await fetch(stack.sandbox.url + path, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
      if (!answer.ok) throw new Error(`the sandbox answered ${String(answer.status)} to ${path}`);
      return answer.json();
    },
  };
  return { stack, operator, oms: createOms(stack.gateway.url, stack.apiKey) };
}
