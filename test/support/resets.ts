import { randomUUID } from 'node:crypto';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import type { WorkerOptions } from '@temporalio/worker';
import { test as base, vi } from 'vitest';
import { createActivities, createCardStoreActivities } from '../../activities/index.js';
import { failedPrecondition } from '../../src/client/temporal-calls.js';
import type { CardStore } from '../../src/card-store/card-store.js';
import type { PayoutState } from '../../src/contract/state.js';
import { startSandbox } from '../../src/dev/sandbox/server.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { paymentQueues } from '../../src/processes/payment-queues.js';
import { grpcCode } from '../../src/temporal/grpc-codes.js';
import { ownTokens } from './own-tokens.js';
import { replayAfter } from './replay.js';
import { pixPayout } from './requests.js';
import { testWorkflowDataConverter } from './temporal-data-converter.js';
import { connectDevServer, noteStarted } from './temporal-dev-server.js';
import { waiting, waitingLong } from './waiting.js';
import { sendingOn, startWorkers, turns } from './workers.js';
import { workflowBundle } from './workflow-bundle.js';

/** Signals are to make a history long before anything falls due. */
const often = { ...waiting, interval: 20 };

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type RunOrLatest = { readonly workflowId: string; readonly runId?: string | undefined };
type Started = WorkflowHandle & { readonly firstExecutionRunId: string };

/**
 * Tests of payments in real time on the run's development server, which alone knows resets: one sandbox a file, a
 * task queue for each test, workers when the test says so. Histories are replayed when the test ends.
 */
export const test = base
  .extend('credentials', { scope: 'file' }, { clientId: 'shop', clientSecret: 'shop-secret' })
  .extend('shared', { scope: 'file' }, async ({ credentials }, { onCleanup }) => {
    const shared = await startShared(credentials);
    onCleanup(shared.close);
    return shared;
  })
  .extend('stack', async ({ shared, task }, { onCleanup }) => {
    const { history } = task.meta;
    // Of the test alone, for tests of a file may run at a time.
    const server = { ...shared.server, ...noteStarted(shared.server) };
    onCleanup(() =>
      replayAfter(server.client, server.started, {
        workflowBundle: workflowBundle(),
        history,
      }),
    );
    return Promise.resolve(resettableStack({ ...shared, server }));
  })
  .extend('sandbox', ({ stack }) => stack.sandbox);

async function startShared(credentials: { clientId: string; clientSecret: string }) {
  const server = await connectDevServer();
  const sandbox = await startSandbox({ ...credentials, progress: 'manual' });
  const service = createPaymentsService({ ...credentials, baseUrl: sandbox.url });
  const tokens = ownTokens(service);
  return {
    ...{ server, sandbox, service, tokens },
    close: async () => {
      await sandbox.close();
      await service.close();
      await server.close();
    },
  };
}

/** Resets the latest run of a workflow to its first task, once that is completed. */
export async function resetToFirstTask(client: Client, workflowId: string): Promise<void> {
  const task = await vi.waitUntil(async () => {
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    return events?.find(({ workflowTaskCompletedEventAttributes: it }) => it != null);
  }, waiting);
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    workflowTaskFinishEventId: task.eventId ?? null,
    requestId: randomUUID(),
    reason: 'test',
  });
}

export type ResettableStack = ReturnType<typeof resettableStack>;

function resettableStack({ server, sandbox, service, tokens }: Awaited<ReturnType<typeof startShared>>) {
  const taskQueue = `test-${randomUUID()}`;
  const deps = { sending: { ...sendingOn(server.client, service), tokens }, turns };

  async function work<T>(queues: readonly WorkerOptions[], during: () => Promise<T>): Promise<T> {
    const common = { ...server.place, dataConverter: testWorkflowDataConverter };
    const stop = await startWorkers(common, queues);
    try {
      return await during();
    } finally {
      await stop();
    }
  }

  const current = ({ workflowId }: { workflowId: string }) => server.client.workflow.getHandle(workflowId);

  /** The events of a run, and those among them that end a workflow task. */
  async function tasksOf({ workflowId, runId }: RunOrLatest) {
    const history = await server.client.workflow.getHandle(workflowId, runId).fetchHistory();
    const events = history.events ?? [];
    return { events, tasks: events.filter(({ workflowTaskCompletedEventAttributes: task }) => task != null) };
  }

  async function resetToTask(
    { workflowId, runId }: RunOrLatest,
    choose: (tasks: HistoryEvent[], events: HistoryEvent[]) => HistoryEvent | undefined,
  ): Promise<WorkflowHandle> {
    const { events, tasks } = await tasksOf({ workflowId, runId });
    const reset = await server.connection.workflowService.resetWorkflowExecution({
      namespace: server.namespace,
      workflowExecution: { workflowId, runId: runId ?? null },
      workflowTaskFinishEventId: choose(tasks, events)?.eventId ?? null,
      requestId: randomUUID(),
      reason: 'test',
    });
    server.started.add({ workflowId, runId: reset.runId });
    return current({ workflowId });
  }

  const start = (type: string, workflowId: string, input: object) =>
    server.client.workflow.start(type, { workflowId, taskQueue, args: [input] });

  return {
    ...{ server, sandbox, service, tokens, taskQueue, current, start },
    startPayout: (code: string, tags = '', more: object = { poll_scale: 0.0005 }) =>
      start('payout', `payout-${code}`, pixPayout(code, tags, more)),
    /** Runs a worker for as long as `during` takes. */
    working: <T>(during: () => Promise<T>, bundle = workflowBundle()) =>
      work(
        [
          { taskQueue, workflowBundle: bundle, activities: createActivities(deps.sending) },
          paymentQueues.reads(taskQueue, deps),
          paymentQueues.scans(taskQueue, deps),
          paymentQueues.turns(taskQueue, deps),
        ],
        during,
      ),
    /** The same, of a worker that takes no activity. */
    withoutActivities: <T>(during: () => Promise<T>) =>
      work([{ taskQueue, workflowBundle: workflowBundle() }], during),
    /** The same, of a gateway that holds cards. */
    holdingCards: <T>(cardStore: CardStore, during: () => Promise<T>) =>
      work(
        [
          {
            taskQueue: cardStore.taskQueue,
            activities: createCardStoreActivities({ ...deps.sending, cardStore }),
          },
        ],
        during,
      ),
    untilStatus: <State extends { readonly status: string } = PayoutState>(
      handle: WorkflowHandle,
      status: string,
    ) =>
      vi.waitUntil(async () => {
        const asked = handle.executeUpdate<State, [object]>('awaitStatus', {
          args: [{ statuses: [status], timeout_seconds: 30 }],
        });
        // One that meets the end of a run is lost with its task, and asked again.
        const state = await asked.catch((error: unknown) => {
          if (grpcCode(error) !== failedPrecondition) throw error;
        });
        return state?.status === status && state;
      }, waitingLong),
    /** Sends something again and again until the workflow is in another run than this one. */
    untilNextRun: async (handle: WorkflowHandle, runId: string, send: () => Promise<unknown>) => {
      await vi.waitUntil(async () => {
        if ((await current(handle).describe()).runId !== runId) return true;
        await send();
        return false;
      }, often);
    },
    /** Replays also the run that another client's call has made. */
    addLatestRun: async ({ workflowId }: WorkflowHandle) => {
      const { runId } = await current({ workflowId }).describe();
      server.started.add({ workflowId, runId });
    },
    /** For what is deleted, and can't be replayed. */
    forget: ({ workflowId }: WorkflowHandle) => server.started.forget(workflowId),
    tasksOf,
    /** Resets a run to one of its tasks. */
    resetToTask,
    /** Resets a workflow to its first task, as an operator would; resolves to whatever runs under its id then. */
    resetToStart: ({ workflowId }: WorkflowHandle) => resetToTask({ workflowId }, (tasks) => tasks[0]),
    /**
     * Resets a workflow's first run to its last task before a signal. Temporal brings that, and all that came from then
     * on, to the new run again.
     */
    resetToBefore: ({ firstExecutionRunId: runId, workflowId }: Started, signal: string) =>
      resetToTask({ workflowId, runId }, lastTaskBefore(signal)),
    /** What the service has made, by its ledger, over all attempts. */
    made: (code: string) =>
      sandbox
        .ledger()
        .payouts.map(({ partner_code: sent }) => sent)
        .filter((sent) => sent === code || sent.startsWith(`${code}-r`)),
  };
}

const lastTaskBefore = (signal: string) => (tasks: HistoryEvent[], events: HistoryEvent[]) => {
  const at = events.findIndex(
    (event) => event.workflowExecutionSignaledEventAttributes?.signalName === signal,
  );
  return tasks.findLast((task) => events.indexOf(task) < at);
};
