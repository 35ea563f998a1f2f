import { randomBytes, randomUUID } from 'node:crypto';
import type { WithStartWorkflowOperation, WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createActivities, createCardDeskActivities } from '../../activities/index.js';
import { CardDesk } from '../../src/card-desk/desk.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import type { TokenSource } from '../../src/payments-service/token-source.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.js';
import { replayAfter } from './replay.js';
import { testDataConverter } from './temporal-data-converter.js';
import { workflowBundle } from './temporal-dev-server.js';
import { startTimeSkippingServer } from './temporal-time-skipping.js';

export type { WithStartWorkflowOperation };

/** Everything a payment needs to live, on a clock that skips: a sandbox whose payments change only when told to. */
export type PaymentRig = {
  readonly env: TestWorkflowEnvironment;
  readonly sandbox: Sandbox;
  readonly desk: CardDesk;
  /** Starts a workflow by its type, as any SDK does. */
  start(type: string, workflowId: string, input: unknown): Promise<WorkflowHandle>;
  /** Lets time pass until the state is as wanted; fails after `limit` steps. */
  until<State>(
    handle: WorkflowHandle,
    holds: (state: State) => boolean,
    step?: string,
    limit?: number,
  ): Promise<State>;
  /** Replays what was started; `leftOpen` says that the test means to leave payments open. */
  finish(leftOpen?: 'all'): Promise<void>;
  close(): Promise<void>;
};

export async function startPaymentRig(): Promise<PaymentRig> {
  const { env, started, taskQueue } = await startTimeSkippingServer();
  const sandbox = await startSandbox({ clientId: 'rig', clientSecret: 'rig-secret', progress: 'manual' });
  const service = createPaymentsService({
    baseUrl: sandbox.url,
    clientId: 'rig',
    clientSecret: 'rig-secret',
  });
  const desk = new CardDesk(`card-desk-${randomUUID()}`);
  const deps = {
    service,
    tokens: ownTokens(service),
    publicUrl: 'http://127.0.0.1:9',
    postbackKeys: [randomBytes(32)] as const,
    desk,
  };
  const shared = { connection: env.nativeConnection, dataConverter: testDataConverter };
  const worker = await Worker.create({
    ...shared,
    taskQueue,
    workflowBundle: workflowBundle(),
    activities: createActivities({ ...deps, postbackKeys: [deps.postbackKeys[0]] }),
  });
  const deskWorker = await Worker.create({
    ...shared,
    taskQueue: desk.taskQueue,
    activities: createCardDeskActivities({ ...deps, postbackKeys: [deps.postbackKeys[0]] }),
  });
  const running = Promise.all([worker.run(), deskWorker.run()]);

  return {
    env,
    sandbox,
    desk,
    start: (type, workflowId, input) =>
      env.client.workflow.start(type, { workflowId, taskQueue, args: [input] }),
    until: async (handle, holds, step = '1 minute', limit = 400) => {
      for (let i = 0; i < limit; i += 1) {
        const state = await handle.query<never>('state');
        if (holds(state)) return state;
        await env.sleep(step);
      }
      throw new Error(
        `The payment never came to be so: ${JSON.stringify(await handle.query('state'), null, 1)}`,
      );
    },
    finish: async (leftOpen) => {
      await replayAfter(env.client, started, {
        workflowBundle: workflowBundle(),
        ...(leftOpen ? { leftOpen } : {}),
      });
    },
    close: async () => {
      worker.shutdown();
      deskWorker.shutdown();
      await running;
      await sandbox.close();
      await env.teardown();
    },
  };
}

/** Tokens straight from the service: on a clock that skips months, a renewal each 24 minutes would be all there is. */
function ownTokens(service: ReturnType<typeof createPaymentsService>): TokenSource {
  let generation = 0;
  let token: string | undefined;
  return {
    current: async () => {
      if (token === undefined) {
        const issued = await service.authenticate();
        if (issued.outcome !== 'answered') throw new Error('The sandbox gave no token.');
        token = issued.value.token;
        generation += 1;
      }
      return { token, generation };
    },
    reject: (rejected) => {
      if (rejected >= generation) token = undefined;
      return Promise.resolve();
    },
  };
}
