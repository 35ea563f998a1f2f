import { randomBytes, randomUUID } from 'node:crypto';
import { Client, type WorkflowHandle, type WorkflowStartOptions } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import {
  createActivities,
  createCardStoreActivities,
  createNotificationActivities,
} from '../../activities/index.js';
import { CardStore } from '../../src/card-store/card-store.js';
import { notificationTaskQueue } from '../../src/domain/notifications.js';
import type { WebhookSender } from '../../src/webhooks/webhook-sender.js';
import { findOwner } from '../../activities/find-owner.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { startSandbox, type Sandbox } from '../../src/dev/sandbox/server.js';
import { idle } from './idle.js';
import { oneClock } from './one-clock.js';
import { ownTokens } from './own-tokens.js';
import { replayAfter } from './replay.js';
import { testDataConverter } from './temporal-data-converter.js';
import { workflowBundle } from './temporal-dev-server.js';
import { startTimeSkippingServer } from './temporal-time-skipping.js';

/** Everything a payment needs to live, on a clock that skips: a sandbox whose payments change only when told to. */
export type PaymentRig = {
  readonly env: TestWorkflowEnvironment;
  readonly sandbox: Sandbox;
  readonly cardStore: CardStore;
  readonly taskQueue: string;
  /** A workflow that somebody else started. */
  handle(workflowId: string): WorkflowHandle;
  /** Starts a workflow by its type, as any SDK does. */
  start(
    type: string,
    workflowId: string,
    input: unknown,
    options?: Partial<WorkflowStartOptions>,
  ): Promise<WorkflowHandle>;
  /** Lets time pass until the state is as wanted; fails after `limit` steps. */
  until<State>(
    handle: WorkflowHandle,
    holds: (state: State) => boolean,
    step?: string,
    limit?: number,
  ): Promise<State>;
  /** Lets time pass until the workflow has ended; answers its result. */
  result<State>(handle: WorkflowHandle, step?: string, limit?: number): Promise<State>;
  /** Lets time pass until what was asked is answered. */
  meanwhile<Answer>(asked: Promise<Answer>, step?: string): Promise<Answer>;
  /** Replays what was started; `leftOpen` says that the test means to leave payments open. */
  finish(leftOpen?: 'all'): Promise<void>;
  close(): Promise<void>;
};

export type PaymentRigOptions = {
  /** How payments tell the OMS; without it nobody takes their notifications. */
  webhooks?: WebhookSender;
  /** Activities of the test's own, in the place of ours. */
  activities?: object;
};

export async function startPaymentRig({ webhooks, activities }: PaymentRigOptions = {}): Promise<PaymentRig> {
  const { env, started, taskQueue } = await startTimeSkippingServer();
  // Not `env.client`: while that one awaits a result the server skips on its own, by years once only watches are left.
  const client = new Client({
    connection: env.connection,
    dataConverter: testDataConverter,
    interceptors: { workflow: [started.interceptor] },
  });
  const handles: WorkflowHandle[] = [];
  let skippingNow = await env.currentTimeMs();
  const sandbox = await startSandbox({
    clientId: 'rig',
    clientSecret: 'rig-secret',
    progress: 'manual',
    // The service's records carry the time of the clock that skips.
    now: () => skippingNow,
  });
  const followClock = async () => {
    skippingNow = await env.currentTimeMs();
  };
  const service = createPaymentsService({
    baseUrl: sandbox.url,
    clientId: 'rig',
    clientSecret: 'rig-secret',
  });
  const cardStore = new CardStore(`card-desk-${randomUUID()}`);
  const deps = {
    service,
    tokens: ownTokens(service),
    publicUrl: 'http://127.0.0.1:9',
    postbackKeys: [randomBytes(32)] as const,
    cardStore,
  };
  const shared = {
    connection: env.nativeConnection,
    dataConverter: testDataConverter,
    interceptors: { activity: [oneClock] },
  };
  const worker = await Worker.create({
    ...shared,
    taskQueue,
    workflowBundle: workflowBundle(),
    activities: {
      ...createActivities({ ...deps, postbackKeys: [deps.postbackKeys[0]] }),
      findOwner: findOwner({ ownersOf: (serviceId) => ownersAmong(handles, serviceId) }),
      ...activities,
    },
  });
  const cardWorker = await Worker.create({
    ...shared,
    taskQueue: cardStore.taskQueue,
    activities: createCardStoreActivities({ ...deps, postbackKeys: [deps.postbackKeys[0]] }),
  });
  const workers = [worker, cardWorker];
  if (webhooks !== undefined) {
    workers.push(
      await Worker.create({
        ...shared,
        taskQueue: notificationTaskQueue(taskQueue),
        activities: createNotificationActivities({ webhooks }),
      }),
    );
  }
  const running = Promise.all(workers.map((each) => each.run()));

  return {
    env,
    sandbox,
    cardStore,
    taskQueue,
    handle: (workflowId) => {
      const handle = client.workflow.getHandle(workflowId);
      handles.push(handle);
      return handle;
    },
    start: async (type, workflowId, input, options = {}) => {
      await followClock();
      const handle = await client.workflow.start(type, { ...options, workflowId, taskQueue, args: [input] });
      handles.push(handle);
      return handle;
    },
    until: async (handle, holds, step = '1 minute', limit = 400) => {
      for (let i = 0; i < limit; i += 1) {
        const state = await handle.query<never>('state');
        if (holds(state)) return state;
        await env.sleep(step);
        await followClock();
      }
      throw new Error(
        `The payment never came to be so: ${JSON.stringify(await handle.query('state'), null, 1)}`,
      );
    },
    result: async (handle, step = '1 day', limit = 800) => {
      for (let i = 0; i < limit; i += 1) {
        if ((await handle.describe()).status.name !== 'RUNNING') return (await handle.result()) as never;
        await env.sleep(step);
        await followClock();
      }
      throw new Error(`The payment never ended: ${JSON.stringify(await handle.query('state'), null, 1)}`);
    },
    meanwhile: async (asked, step = '5 seconds') => {
      let waiting = true;
      const ended = () => {
        waiting = false;
      };
      asked.then(ended, ended);
      while (waiting) await env.sleep(step);
      return asked;
    },
    finish: async (leftOpen) => {
      for (const handle of handles.splice(0)) {
        await idle(handle);
        // At once: a moment later its next timer may have gone off.
        if (leftOpen === 'all') await handle.terminate('The test is over.').catch(() => undefined);
      }
      await replayAfter(client, started, {
        workflowBundle: workflowBundle(),
        ...(leftOpen ? { leftOpen } : {}),
      });
    },
    close: async () => {
      for (const each of workers) each.shutdown();
      await running;
      await sandbox.close();
      await env.teardown();
    },
  };
}

/** The server that skips time knows no search: the payments that this test has started are asked one by one. */
async function ownersAmong(handles: readonly WorkflowHandle[], serviceId: string): Promise<string[]> {
  const owners = await Promise.all(
    handles.map(async (handle) => {
      const { searchAttributes, workflowId } = await handle.describe();
      return searchAttributes.PaymentServiceId?.[0] === serviceId ? [workflowId] : [];
    }),
  );
  return owners.flat();
}
