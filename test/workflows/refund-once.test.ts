import { randomBytes, randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { refusalOf } from '../support/refusal.js';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createActivities } from '../../activities/index.js';
import type { RefundState } from '../../src/contract/state.js';
import { refundWorkflowId } from '../../src/domain/ids.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { startSandbox, type Sandbox } from '../../src/dev/sandbox/server.js';
import { ownTokens } from '../support/own-tokens.js';
import { replayAfter } from '../support/replay.js';
import { cardOrder, freshCode, testCard } from '../support/requests.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { connectDevServer, workflowBundle, type DevServer } from '../support/temporal-dev-server.js';

let server: DevServer;
let sandbox: Sandbox;
let worker: Worker;
let running: Promise<void>;
beforeAll(async () => {
  server = await connectDevServer();
  sandbox = await startSandbox({ clientId: 'rig', clientSecret: 'secret', progress: 'manual' });
  const { service, tokens } = parts();
  worker = await Worker.create({
    connection: server.connection,
    dataConverter: testDataConverter,
    taskQueue: server.taskQueue,
    workflowBundle: workflowBundle(),
    activities: createActivities({
      service,
      tokens,
      publicUrl: 'http://127.0.0.1:9',
      postbackKeys: [randomBytes(32)],
    }),
  });
  running = worker.run();
});
afterEach(() =>
  replayAfter(server.client, server.started, { workflowBundle: workflowBundle(), leftOpen: 'all' }),
);
afterAll(async () => {
  worker.shutdown();
  await running;
  await sandbox.close();
  await server.close();
});

function parts() {
  const service = createPaymentsService({ baseUrl: sandbox.url, clientId: 'rig', clientSecret: 'secret' });
  return { service, tokens: ownTokens(service) };
}

/** Starts the refund of an order that is paid at the service. */
async function startRefund(code: string): Promise<WorkflowHandle> {
  const { service, tokens } = parts();
  const { order, customer } = cardOrder(code);
  const { token } = await tokens.current();
  await service.createCardOrder(
    { order: { ...order, notification_url: 'http://127.0.0.1:9/x' }, customer, credit_card: testCard },
    { token, tokenIsNew: false, refusal: () => undefined },
  );
  sandbox.setOrderStatus(code, 'paid');
  const service_id = String(sandbox.ledger(code).orders[0]?.id);
  return server.client.workflow.start('refund', {
    workflowId: refundWorkflowId(service_id),
    taskQueue: server.taskQueue,
    args: [{ partner_code: code, service_id, poll_scale: 0.01 }],
  });
}

const current = ({ workflowId }: WorkflowHandle) => server.client.workflow.getHandle(workflowId);
const command = (handle: WorkflowHandle, name: string, message: object) =>
  current(handle).executeUpdate<RefundState, [object]>(name, { args: [message] });
const untilStatus = (handle: WorkflowHandle, status: string) =>
  command(handle, 'awaitStatus', { statuses: [status], timeout_seconds: 30 });
const requested = (code: string) => sandbox.ledger(code).refunds.length;

/** Resets a workflow to its first task, as an operator would. */
async function resetToStart({ workflowId }: WorkflowHandle): Promise<void> {
  const { events } = await server.client.workflow.getHandle(workflowId).fetchHistory();
  const first = events?.find(({ workflowTaskCompletedEventAttributes: task }) => task != null);
  const { runId } = await server.connection.workflowService.resetWorkflowExecution({
    namespace: server.namespace,
    workflowExecution: { workflowId },
    workflowTaskFinishEventId: first?.eventId ?? null,
    requestId: randomUUID(),
    reason: 'test',
  });
  server.started.add({ workflowId, runId });
}

test('a refund whose workflow is reset is not asked for again', async () => {
  const code = freshCode();
  const handle = await startRefund(code);
  await untilStatus(handle, 'refund_processing');
  await resetToStart(handle);
  const state = await untilStatus(handle, 'unconfirmed');
  expect(state.attention).toBe('refund_unconfirmed');
  expect(state.timeline.map(({ what }) => what).join('\n')).toContain('This run of the workflow is a reset');
  expect(requested(code)).toBe(1);
});

test('a refund that a reset stopped goes on in a fresh run, once a person says that none is queued', async () => {
  const code = freshCode();
  sandbox.fault({ endpoint: 'PUT /v1/order/{id}/refund', partner_code: code, fault: '422' });
  const handle = await startRefund(code);
  await untilStatus(handle, 'rejected');
  await resetToStart(handle);
  await untilStatus(handle, 'unconfirmed');
  expect(requested(code)).toBe(0);
  // The first ones may still come to the run that was reset, which sends nothing.
  const retry = () => command(handle, 'retryRefund', { nothing_queued: true, by: 'ana' }).catch(refusalOf);
  let answer = await retry();
  while (typeof answer === 'string') answer = await retry();
  expect(answer).toMatchObject({ status: 'requesting', attention: null });
  await untilStatus(handle, 'refund_processing');
  expect(requested(code)).toBe(1);
});

test('a refund with a long history continues as new with everything it knew', async () => {
  const code = freshCode();
  const handle = await startRefund(code);
  await untilStatus(handle, 'refund_processing');
  const first = (await handle.describe()).runId;
  const postback = { received_at: new Date().toISOString(), content_type: null, body: '{}' };
  for (let runId = first; runId === first; runId = (await current(handle).describe()).runId) {
    await current(handle).signal('postbackReceived', postback);
  }
  sandbox.setOrderStatus(code, 'refunded');
  await current(handle).signal('postbackReceived', postback);
  expect(await current(handle).result()).toMatchObject({ status: 'refunded', requests: 1, closed: true });
  expect(requested(code)).toBe(1);
});
