import { randomBytes, randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createActivities } from '../../activities/index.js';
import type { PayoutState } from '../../src/contract/state.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.js';
import { replayAfter } from '../support/replay.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { connectDevServer, workflowBundle, type DevServer } from '../support/temporal-dev-server.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { ownTokens } from '../support/own-tokens.js';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

let server: DevServer;
let sandbox: Sandbox;
beforeAll(async () => {
  server = await connectDevServer();
  sandbox = await startSandbox({ clientId: 'rig', clientSecret: 'secret', progress: 'manual' });
});
afterEach(() =>
  replayAfter(server.client, server.started, { workflowBundle: workflowBundle(), leftOpen: 'all' }),
);
afterAll(async () => {
  await sandbox.close();
  await server.close();
});

const pace = { poll_scale: 0.0005 };
const made = (code: string) =>
  sandbox.ledger().payouts.filter(({ partner_code: sent }) => sent.startsWith(code));

/** Runs a worker for as long as `during` takes. */
async function working<T>(
  activities: object | undefined,
  taskQueue: string,
  during: () => Promise<T>,
): Promise<T> {
  const worker = await Worker.create({
    connection: server.connection,
    dataConverter: testDataConverter,
    taskQueue,
    workflowBundle: workflowBundle(),
    ...(activities === undefined ? {} : { activities }),
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

async function startPayout(code: string, taskQueue: string, tags = '') {
  return server.client.workflow.start('payout', {
    workflowId: `payout-${code}`,
    taskQueue,
    args: [pixPayout(code, tags, pace)],
  });
}

const untilStatus = (handle: WorkflowHandle, status: string) =>
  handle.executeUpdate<PayoutState, [object]>('awaitStatus', {
    args: [{ statuses: [status], timeout_seconds: 30 }],
  });

describe('an operator who has Temporal run a creating activity again', () => {
  test('by resetting the activity does not pay twice: the second dispatch sends nothing and looks', async () => {
    const code = freshCode();
    const taskQueue = `test-${randomUUID()}`;
    const handle = await startPayout(code, taskQueue);
    const execution = { workflowId: handle.workflowId };
    const { workflowService } = server.connection;

    // A worker that takes the task, pays, and dies before it can tell.
    const task = await working(undefined, taskQueue, () =>
      workflowService.pollActivityTaskQueue({
        namespace: server.namespace,
        taskQueue: { name: taskQueue },
        identity: 'a worker that will die',
      }),
    );
    const service = createPaymentsService({ baseUrl: sandbox.url, clientId: 'rig', clientSecret: 'secret' });
    const { token } = await ownTokens(service).current();
    await service.createPixPayout(paymentBySomebody(code), {
      token,
      tokenIsNew: false,
      refusal: () => undefined,
    });
    await workflowService.pauseActivity({
      namespace: server.namespace,
      execution,
      id: task.activityId,
      reason: 'test',
    });
    await workflowService.respondActivityTaskFailed({
      namespace: server.namespace,
      taskToken: task.taskToken,
      failure: { message: 'the worker died', applicationFailureInfo: {} },
    });

    await workflowService.resetActivity({ namespace: server.namespace, execution, id: task.activityId });

    const state = await working(realActivities(), taskQueue, () => untilStatus(handle, 'claimed'));
    expect(state.story.map(({ what }) => what).join('\n')).toContain('was dispatched before');
    expect(made(code)).toHaveLength(1);
  });

  test('by resetting the workflow does not pay twice, and finds the payout that the former run made', async () => {
    const code = freshCode();
    const taskQueue = `test-${randomUUID()}`;
    const handle = await startPayout(code, taskQueue);
    await working(realActivities(), taskQueue, async () => {
      await untilStatus(handle, 'claimed');
      const again = await resetToStart(handle);
      const state = await untilStatus(again, 'claimed');
      expect(state.story.map(({ what }) => what).join('\n')).toContain('This run of the workflow is a reset');
    });
    expect(made(code)).toHaveLength(1);
  });

  test('by resetting the workflow sends nothing on an empty scan either, until a person has decided', async () => {
    const code = freshCode();
    const taskQueue = `test-${randomUUID()}`;
    const handle = await startPayout(code, taskQueue, '422');
    await working(realActivities(), taskQueue, async () => {
      await untilStatus(handle, 'rejected');
      const again = await resetToStart(handle);
      await untilStatus(again, 'submission_unknown');
      expect(made(code)).toHaveLength(0);
      await again.executeUpdate('resolveSubmission', { args: [{ nothing_happened: true, by: 'ana' }] });
      await again.executeUpdate('retryPayout', { args: [{ corrections: { pix: 'right@example.com' } }] });
      const state = await untilStatus(again, 'claimed');
      expect(state.attempts.map(({ status }) => status)).toEqual(['not_paid', 'claimed']);
    });
    expect(made(code).map(({ partner_code: sent }) => sent)).toEqual([`${code}-r2`]);
  });
});

describe('a retry that a reset brings back', () => {
  test.for([
    ['the reset run goes on', 0],
    ['the reset run is so long at once that it should continue as new', 170],
  ] as const)('does not pay again when %s', async ([, postbacks]) => {
    const code = freshCode();
    const taskQueue = `test-${randomUUID()}`;
    const handle = await startPayout(code, taskQueue);
    await working(realActivities(), taskQueue, async () => {
      await untilStatus(handle, 'claimed');
      sandbox.setPayoutStatus(code, 'error');
      await untilStatus(handle, 'error');
      await untilStatus(handle, 'error'); // One task more, to which the reset goes back: there it is failed already.
    });
    const postback = { received_at: new Date().toISOString(), content_type: null, body: '' };
    for (let sent = 0; sent < postbacks; sent += 1) await handle.signal('postbackReceived', postback);
    await handle.signal('retryPayout');
    await working(realActivities(), taskQueue, async () => {
      const current = server.client.workflow.getHandle(handle.workflowId);
      await untilStatus(current, 'claimed');
      const again = await resetToBefore(handle, postbacks > 0 ? 'postbackReceived' : 'retryPayout');
      const state = await untilStatus(again, 'claimed');
      expect(state.attempts).toHaveLength(2);
    });
    expect(made(code).map(({ partner_code: sent }) => sent)).toEqual([code, `${code}-r2`]);
  });
});

describe('a payment with a long history', () => {
  test('continues as new under its id with everything it knew, while postbacks keep coming', async () => {
    const code = freshCode();
    const taskQueue = `test-${randomUUID()}`;
    const handle = await startPayout(code, taskQueue);
    await working(realActivities(), taskQueue, async () => {
      await untilStatus(handle, 'claimed');
      const first = (await handle.describe()).runId;
      const current = server.client.workflow.getHandle(handle.workflowId);
      const postback = { received_at: new Date().toISOString(), content_type: null, body: '{}' };
      for (let runId = first; runId === first; runId = (await current.describe()).runId) {
        await current.signal('postbackReceived', postback);
      }
      sandbox.setPayoutStatus(code, 'done');
      await current.signal('postbackReceived', postback);
      const done = await untilStatus(current, 'done');
      expect(done.attempts).toMatchObject([{ number: 1, partner_code: code, status: 'done' }]);
    });
    expect(made(code)).toHaveLength(1);
  });
});

describe('the cost of a payout', () => {
  test('to done with one postback is about 20 events', async () => {
    const code = freshCode();
    const taskQueue = `test-${randomUUID()}`;
    const handle = await server.client.workflow.start('payout', {
      workflowId: `payout-${code}`,
      taskQueue,
      args: [pixPayout(code, '', { watch_days: 0 })],
    });
    await working(realActivities(), taskQueue, async () => {
      await sandbox.until((ledger) => ledger.payouts.some(({ partner_code: sent }) => sent === code));
      sandbox.setPayoutStatus(code, 'done');
      while ((await handle.query<PayoutState>('state')).status === 'submitting');
      await handle.signal('postbackReceived', {
        received_at: new Date().toISOString(),
        content_type: null,
        body: '',
      });
      await handle.result();
    });
    const { events } = await handle.fetchHistory();
    expect(events?.length).toBeLessThanOrEqual(26);
  });
});

/** The request that the activity would have sent. */
function paymentBySomebody(partnerCode: string) {
  return {
    partner_code: partnerCode,
    kind: 'personal',
    first_name: 'Maria',
    last_name: 'Silva',
    document: '52998224725',
    value: 150.25,
    pix: 'maria.silva@example.com',
    notification_url: 'http://127.0.0.1:9/postbacks/x',
  };
}

/** Resets a workflow to its first task, as an operator would, and answers whatever runs under its id then. */
const resetToStart = ({ workflowId }: WorkflowHandle) => resetToTask({ workflowId }, (tasks) => tasks[0]);

/** Resets a workflow's first run to its last task before a signal; Temporal brings the signal to the new run again. */
const resetToBefore = (handle: Awaited<ReturnType<typeof startPayout>>, signal: string) =>
  resetToTask({ workflowId: handle.workflowId, runId: handle.firstExecutionRunId }, (tasks, events) => {
    const at = events.findIndex(
      (event) => event.workflowExecutionSignaledEventAttributes?.signalName === signal,
    );
    return tasks.findLast((task) => events.indexOf(task) < at);
  });

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
