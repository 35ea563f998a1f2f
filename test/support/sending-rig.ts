import { randomBytes, randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { createActivities } from '../../activities/index.js';
import type { PayoutState } from '../../src/contract/state.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { startSandbox, type Sandbox } from '../../src/dev/sandbox/server.js';
import { ownTokens } from './own-tokens.js';
import { replayAfter } from './replay.js';
import { pixPayout } from './requests.js';
import { testDataConverter } from './temporal-data-converter.js';
import { connectDevServer, workflowBundle, type DevServer } from './temporal-dev-server.js';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Started = WorkflowHandle & { readonly firstExecutionRunId: string };

/** What a payment needs to be sent on the run's development server, which alone knows resets: real time. */
export type SendingRig = {
  readonly server: DevServer;
  readonly sandbox: Sandbox;
  /** Runs a worker for as long as `during` takes. */
  working<T>(taskQueue: string, during: () => Promise<T>): Promise<T>;
  /** The same, of a worker that takes no activity. */
  withoutActivities<T>(taskQueue: string, during: () => Promise<T>): Promise<T>;
  startPayout(code: string, taskQueue: string, tags?: string): Promise<Started>;
  untilStatus(handle: WorkflowHandle, status: string): Promise<PayoutState>;
  /** Resets a workflow to its first task, as an operator would, and answers whatever runs under its id then. */
  resetToStart(handle: WorkflowHandle): Promise<WorkflowHandle>;
  /** Resets a workflow's first run to its last task before a signal; Temporal brings that to the new run again. */
  resetToBefore(handle: Started, signal: string): Promise<WorkflowHandle>;
  /** Replays what was started, and ends it. */
  finish(): Promise<void>;
  close(): Promise<void>;
};

const pace = { poll_scale: 0.0005 };

export async function startSendingRig(): Promise<SendingRig> {
  const server = await connectDevServer();
  const sandbox = await startSandbox({ clientId: 'rig', clientSecret: 'secret', progress: 'manual' });

  async function work<T>(taskQueue: string, activities: object, during: () => Promise<T>): Promise<T> {
    const worker = await Worker.create({
      connection: server.connection,
      dataConverter: testDataConverter,
      taskQueue,
      workflowBundle: workflowBundle(),
      ...activities,
    });
    return worker.runUntil(during);
  }

  function realActivities() {
    const service = createPaymentsService({ baseUrl: sandbox.url, clientId: 'rig', clientSecret: 'secret' });
    return createActivities({
      service,
      tokens: ownTokens(service),
      publicUrl: 'http://127.0.0.1:9',
      postbackKeys: [randomBytes(32)],
    });
  }

  async function resetToTask(
    { workflowId, runId }: { workflowId: string; runId?: string },
    choose: (tasks: HistoryEvent[], events: HistoryEvent[]) => HistoryEvent | undefined,
  ): Promise<WorkflowHandle> {
    const history = await server.client.workflow.getHandle(workflowId, runId).fetchHistory();
    const events = history.events ?? [];
    const tasks = events.filter(({ workflowTaskCompletedEventAttributes: task }) => task != null);
    const reset = await server.connection.workflowService.resetWorkflowExecution({
      namespace: server.namespace,
      workflowExecution: { workflowId, runId: runId ?? null },
      workflowTaskFinishEventId: choose(tasks, events)?.eventId ?? null,
      requestId: randomUUID(),
      reason: 'test',
    });
    server.started.add({ workflowId, runId: reset.runId });
    return server.client.workflow.getHandle(workflowId);
  }

  return {
    server,
    sandbox,
    working: (taskQueue, during) => work(taskQueue, { activities: realActivities() }, during),
    withoutActivities: (taskQueue, during) => work(taskQueue, {}, during),
    startPayout: (code, taskQueue, tags = '') =>
      server.client.workflow.start('payout', {
        workflowId: `payout-${code}`,
        taskQueue,
        args: [pixPayout(code, tags, pace)],
      }),
    untilStatus: (handle, status) =>
      handle.executeUpdate<PayoutState, [object]>('awaitStatus', {
        args: [{ statuses: [status], timeout_seconds: 30 }],
      }),
    resetToStart: ({ workflowId }) => resetToTask({ workflowId }, (tasks) => tasks[0]),
    resetToBefore: ({ workflowId, firstExecutionRunId: runId }, signal) =>
      resetToTask({ workflowId, runId }, (tasks, events) => {
        const at = events.findIndex(
          (event) => event.workflowExecutionSignaledEventAttributes?.signalName === signal,
        );
        return tasks.findLast((task) => events.indexOf(task) < at);
      }),
    finish: () =>
      replayAfter(server.client, server.started, { workflowBundle: workflowBundle(), leftOpen: 'all' }),
    close: async () => {
      await sandbox.close();
      await server.close();
    },
  };
}
