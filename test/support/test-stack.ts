import { randomUUID } from 'node:crypto';
import { Client, type WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createCardStoreActivities } from '../../activities/index.js';
import type { Lingerers } from '../../activities/shared/lingerers.js';
import { ownPayments } from '../../src/client/own-payments.js';
import { CardStore } from '../../src/card-store/card-store.js';
import { startedOnceMemo } from '../../src/domain/start-check.js';
import { startSandbox } from '../../src/dev/sandbox/server.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { paymentQueues } from '../../src/processes/payment-queues.js';
import type { WebhookSender } from '../../src/webhooks/webhook-sender.js';
import { idle } from './idle.js';
import { oneClock } from './one-clock.js';
import type { PaymentsStack } from './payments-stack.js';
import { paymentOn, type Clock, type Payment } from './payment.js';
import { replayAfter } from './replay.js';
import { testDataConverter } from './temporal-data-converter.js';
import { workflowBundle } from './workflow-bundle.js';
import { startTimeSkippingServer } from './temporal-time-skipping.js';
import { noneLingers } from './none-lingers.js';
import { sendingOn, startWorkers, turns } from './workers.js';

/** A server that skips time, workers, and a sandbox whose payments change only when the test says so. */
export type TestStack = Omit<PaymentsStack, 'finish'> & {
  readonly env: TestWorkflowEnvironment;
  readonly client: Client;
  readonly taskQueue: string;
  /** A payment's workflow, for what is Temporal's alone: its description, its history. */
  handleOf(payment: Pick<Payment<unknown>, 'workflowId'>): WorkflowHandle;
  /** Ends and replays what was started since the last call, and keeps it under the name `history`. */
  finish(history?: string): Promise<void>;
};

export type TestStackOptions = {
  /** How payments notify the OMS; without it no worker takes their notifications. */
  webhooks?: WebhookSender;
  /** NOTIFY_WORKFLOWS of the workers. */
  notifyWorkflows?: readonly string[];
  /** What a scan waits for before it reads. */
  beforeScan?: () => Promise<void>;
  /** How many activities a worker runs at a time. */
  activitySlots?: number;
  /** The creating calls of payouts that linger; otherwise none does. */
  lingerers?: Lingerers;
};

export async function startTestStack({
  webhooks,
  notifyWorkflows = [],
  beforeScan = () => Promise.resolve(),
  activitySlots,
  lingerers = noneLingers(),
}: TestStackOptions = {}): Promise<TestStack> {
  const { env, started, taskQueue } = await startTimeSkippingServer();
  // Not `env.client`: while that one awaits a result the server skips on its own, by years once only watches are left.
  const client = new Client({
    connection: env.connection,
    dataConverter: testDataConverter,
    interceptors: { workflow: [started.interceptor] },
  });
  const handles: WorkflowHandle[] = [];
  let skippingNow = await env.currentTimeMs();
  const credentials = { clientId: 'shop', clientSecret: 'shop-secret' };
  // The service's records carry the time of the clock that skips.
  const sandbox = await startSandbox({ ...credentials, progress: 'manual', now: () => skippingNow });
  const clock: Clock = {
    now: () => env.currentTimeMs(),
    pass: async (duration) => {
      await env.sleep(duration);
      skippingNow = await env.currentTimeMs();
    },
    sleep: (duration) => env.sleep(duration),
  };
  const service = createPaymentsService({ ...credentials, baseUrl: sandbox.url });
  const cardStore = new CardStore(`card-store-${randomUUID()}`);
  // The server that skips time knows no search: the payments that this test has started are asked one by one.
  const ownersOf = (serviceId: string, except: string) => ownersAmong(handles, serviceId, except);
  const sending = {
    ...sendingOn(client, service),
    ...{ cardStore, lingerers, earlierRun: () => Promise.resolve('none' as const) },
  };
  const own = {
    ...{ ...sending, ...ownPayments(client, taskQueue), ownersOf },
    findShared: (since: string) => Promise.resolve({ shared: [], next_since: since, complete: true }),
    claim: async (serviceId: string, workflowId: string) =>
      (await ownersOf(serviceId, workflowId))[0] ?? workflowId,
  };
  const deps = { sending, own, turns };
  const scans = paymentQueues.scans(taskQueue, deps);
  const { findPayouts } = scans.activities;
  const stop = await startWorkers(
    {
      connection: env.nativeConnection,
      interceptors: { activity: [oneClock] },
      ...(activitySlots !== undefined && { maxConcurrentActivityTaskExecutions: activitySlots }),
    },
    [
      { ...paymentQueues.main(taskQueue, deps), workflowBundle: workflowBundle() },
      paymentQueues.reads(taskQueue, deps),
      {
        ...scans,
        activities: {
          ...scans.activities,
          findPayouts: async (...given: Parameters<typeof findPayouts>) => {
            await beforeScan();
            return findPayouts(...given);
          },
        },
      },
      paymentQueues.turns(taskQueue, deps),
      { taskQueue: cardStore.taskQueue, activities: createCardStoreActivities(sending) },
      ...(webhooks === undefined
        ? []
        : [paymentQueues.notifications(taskQueue, { notifications: { webhooks, notifyWorkflows } })]),
    ],
  );
  const paymentOf = <State>(handle: WorkflowHandle): Payment<State> => {
    handles.push(handle);
    return paymentOn<State>(handle, clock);
  };

  return {
    env,
    client,
    sandbox,
    cardStore,
    taskQueue,
    clock,
    payment: (workflowId) => paymentOf(client.workflow.getHandle(workflowId)),
    handleOf: ({ workflowId }) => client.workflow.getHandle(workflowId),
    start: async (type, workflowId, input, options = {}) => {
      skippingNow = await env.currentTimeMs();
      return paymentOf(
        await client.workflow.start(type, {
          memo: { [startedOnceMemo]: true },
          ...options,
          ...{ workflowId, taskQueue, args: [input] },
        }),
      );
    },
    finish: async (history) => {
      for (const handle of handles.splice(0)) {
        await idle(handle);
        // At once: a moment later its next timer may have gone off.
        await handle.terminate('The test is over.').catch(() => undefined);
      }
      await replayAfter(client, started, { workflowBundle: workflowBundle(), history });
    },
    close: async () => {
      await stop();
      await sandbox.close();
      await env.teardown();
    },
  };
}

async function ownersAmong(
  handles: readonly WorkflowHandle[],
  serviceId: string,
  except: string,
): Promise<string[]> {
  const owners = await Promise.all(
    handles.map(async (handle) => {
      const { searchAttributes, workflowId } = await handle.describe();
      const isOwner = searchAttributes.PaymentServiceId?.[0] === serviceId && workflowId !== except;
      return isOwner ? [workflowId] : [];
    }),
  );
  return owners.flat();
}
