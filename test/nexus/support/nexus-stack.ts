import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import type { NexusInterceptorsFactory } from '@temporalio/worker';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { z } from 'zod';
import type { AuditEntry } from '../../../src/audit/audit-log.js';
import { nexusTaskQueue } from '../../../src/domain/nexus.js';
import { createPaymentsHandler } from '../../../src/nexus/payments-handler.js';
import { test as base } from '../../support/deployment.js';
import { replayAfter } from '../../support/replay.js';
import { StartedWorkflows } from '../../support/started-workflows.js';
import { createNamespace } from '../../support/own-namespace.js';
import { testDataConverter } from '../../support/temporal-data-converter.js';
import type { DevServer } from '../../support/temporal-dev-server.js';
import { startWorkers } from '../../support/workers.js';

const answered = z.union([
  z.object({ answer: z.looseObject({}) }),
  z.object({ refused: z.object({ type: z.string(), message: z.string(), details: z.unknown() }) }),
]);

const callerWorkflows = fileURLToPath(new URL('caller-workflows.ts', import.meta.url));

/** The endpoint of one caller, as `temporal operator nexus endpoint create` makes it; its name. */
async function createEndpoint(
  { connection, namespace, taskQueue }: DevServer,
  caller: string,
): Promise<string> {
  const name = `${caller}-${randomUUID()}`;
  const target = { worker: { namespace, taskQueue: nexusTaskQueue(taskQueue, caller) } };
  await connection.operatorService.createNexusEndpoint({ spec: { name, target } });
  return name;
}

/** Answers that are lost on their way, so that Temporal asks again. */
class LostAnswers {
  readonly #losing = new Set<string>();
  #count = 0;

  /** Loses the next answer of an operation. */
  lose(operation: string): void {
    this.#losing.add(operation);
  }

  /** How many answers were lost. */
  get count(): number {
    return this.#count;
  }

  readonly interceptor: NexusInterceptorsFactory = () => ({
    inbound: {
      startOperation: async (input, next) => {
        const output = await next(input);
        if (!this.#losing.delete(input.ctx.operation)) return output;
        this.#count += 1;
        throw new Error('The answer is lost.');
      },
    },
  });
}

/** Two callers, oms and shop, each with an endpoint; their workflows run in a namespace of their own. */
export const test = base
  .extend('nexus', { scope: 'file' }, async ({ shared }, { onCleanup }) => {
    const { server } = shared;
    const { connection } = server;
    const audit: AuditEntry[] = [];
    const answers = new LostAnswers();
    const handlerOf = (caller: string) =>
      createPaymentsHandler({
        ...{
          client: server.client,
          taskQueue: server.taskQueue,
          caller,
          notifyTargets: [],
          notifyWorkflows: [],
          pollScale: 0.02,
        },
        audit: (entry) => audit.push(entry),
        logger: { error: () => undefined },
      });
    const namespace = await createNamespace(connection, 'oms');
    const endpoints = {
      oms: await createEndpoint(server, 'oms'),
      shop: await createEndpoint(server, 'shop'),
    };
    const dir = await mkdtemp(join(tmpdir(), 'nexus-callers-'));
    const bundle = { codePath: join(dir, 'workflow-bundle.js') };
    const logger = new DefaultLogger('WARN');
    const { code } = await bundleWorkflowCode({ workflowsPath: callerWorkflows, logger });
    await writeFile(bundle.codePath, code);
    const stop = await startWorkers({ connection, interceptors: { nexus: [answers.interceptor] } }, [
      { namespace, taskQueue: 'callers', workflowBundle: bundle },
      ...['oms', 'shop'].map((caller) => ({
        namespace: server.namespace,
        taskQueue: nexusTaskQueue(server.taskQueue, caller),
        nexusServices: [handlerOf(caller)],
      })),
    ]);
    onCleanup(async () => {
      await stop();
      await rm(dir, { recursive: true });
    });
    return { namespace, endpoints, audit, answers, handlerOf, bundle };
  })
  .extend('oms', async ({ nexus, deployment }, { onCleanup }) => {
    const { connection } = deployment.server;
    const { namespace, endpoints, bundle } = nexus;
    const started = new StartedWorkflows();
    const interceptors = { workflow: [started.interceptor] };
    const client = new Client({ connection, namespace, dataConverter: testDataConverter, interceptors });
    onCleanup(() => replayAfter(client, started, { workflowBundle: bundle }));

    const start = (type: string, ...args: unknown[]) =>
      client.workflow.start(type, { workflowId: `call-${randomUUID()}`, taskQueue: 'callers', args });
    const callAs = (endpoint: string) => async (operation: string, input: unknown) =>
      answered.parse(await (await start('call', endpoint, operation, input)).result());
    return Promise.resolve({
      start,
      client,
      endpoint: endpoints.oms,
      call: callAs(endpoints.oms),
      callAsShop: callAs(endpoints.shop),
    });
  })
  /** The ids of the workflows that await the outcome of a payout. */
  .extend('waiters', ({ deployment }) => async (code: string) => {
    const { client, taskQueue } = deployment.server;
    const prefix = `payment-outcome:payout-${code}:`;
    const query = `WorkflowType = 'paymentOutcome' AND TaskQueue = '${taskQueue}'`;
    const ids: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query }))
      if (workflowId.startsWith(prefix)) ids.push(workflowId);
    return ids;
  });
