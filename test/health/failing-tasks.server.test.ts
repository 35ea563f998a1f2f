import { randomBytes } from 'node:crypto';
import { optionalTsToDate } from '@temporalio/common/lib/time.js';
import { Worker } from '@temporalio/worker';
import { Registry } from 'prom-client';
import { expect, vi } from 'vitest';
import { createPaymentsClient, TasksFailingError } from '../../src/client.js';
import { FailingTasks } from '../../src/health/failing-tasks.js';
import { fleetMetrics } from '../../src/health/fleet-metrics.js';
import { inWords } from '../../src/health/problem.js';
import { viewFleet, type FleetView } from '../../src/health/fleet.js';
import { createDataConverter } from '../../src/temporal/data-converter.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { keepingUnopened } from '../../src/temporal/unopened-payloads.js';
import { run } from '../cli/support/command-line.js';
import { call, omsKey, operatorKey } from '../gateway/call.js';
import { startGatewayOn } from '../gateway/test-gateway.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';
import { testPayloadKeys } from '../support/temporal-data-converter.js';
import { longTests, waiting } from '../support/waiting.js';
import { workflowBundle } from '../support/workflow-bundle.js';

vi.setConfig(longTests);

const otherKeys = createDataConverter(parseKeyRing(`other:${randomBytes(32).toString('base64')}`));

const targetOf = ({ server, taskQueue }: ResettableStack) => ({
  ...{ client: server.client, taskQueue },
  ...{ tokenRenewalId: null, baseUrl: null, cardTaskQueue: null },
});

/** What the health checks find of workflow tasks. */
async function foundBy(stack: ResettableStack): Promise<{ detail: string; view: FleetView }> {
  const view = await viewFleet(targetOf(stack));
  const problem = view.problems.find(({ check }) => check === 'workflow_tasks');
  return { detail: problem === undefined ? '' : inWords(problem), view };
}

/** Runs the workers of a deployment that was given other keys, for as long as `during` takes. */
async function withOtherKeys<T>(stack: ResettableStack, during: () => Promise<T>): Promise<T> {
  const { server, taskQueue } = stack;
  const failing = new FailingTasks(server.client, taskQueue, 100);
  const worker = await Worker.create({
    ...{ ...server.place, taskQueue, workflowBundle: workflowBundle() },
    dataConverter: keepingUnopened(otherKeys, () => undefined),
  });
  failing.watch(worker);
  return worker.runUntil(during).finally(() => failing.stop());
}

test('open payments whose tasks fail are named by every check, and answered for in words', async ({
  stack,
  onTestFinished,
}) => {
  const { server, taskQueue } = stack;
  const payments = createPaymentsClient({ client: server.client, taskQueue });
  const gateway = await startGatewayOn({ ...server, taskQueue });
  onTestFinished(() => gateway.close());
  const code = freshCode();
  const payout = await stack.working(async () => {
    const started = await stack.startPayout(code);
    await stack.untilStatus(started, 'claimed');
    const published = async () => (await started.describe()).searchAttributes.PaymentStatus;
    await expect.poll(published, waiting).toEqual(['claimed']);
    return started;
  });
  // Something comes in, which needs a task.
  await payout.signal('statusHint', { source: 'test' });
  const batchId = `${freshCode()}b`;
  await payments.startPayoutBatch({ batch_id: batchId, payouts: [pixPayout(freshCode())] });
  await stack.addLatestRun(server.client.workflow.getHandle(`batch-${batchId}-1`));
  const env = {
    ...{ TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: server.namespace },
    ...{ PAYMENTS_TASK_QUEUE: taskQueue, PAYLOAD_KEYS: testPayloadKeys },
  };

  await withOtherKeys(stack, async () => {
    const { view } = await vi.waitUntil(async () => {
      const found = await foundBy(stack);
      return [payout.workflowId, `batch-${batchId}-1`].every((id) => found.detail.includes(id)) && found;
    }, waiting);
    expect(view.failingTasks).toBe(2);
    expect(view.problems.find(({ check }) => check === 'workflow_tasks')?.action).toContain('PAYLOAD_KEYS');
    const registry = new Registry();
    fleetMetrics(registry).show(view);
    const metrics = await registry.metrics();
    expect(metrics).toContain('durable_payments_problem{check="workflow_tasks"} 1');
    expect(metrics).toContain('durable_payments_failing_tasks 2');

    const attention = await run(['attention'], env);
    expect(attention.output).toMatch(/^workflow_tasks: /m);
    expect(attention.output.replaceAll(/\s+/g, ' ')).toContain(payout.workflowId);
    expect(attention.output).toContain('No other payment needs an operator.');
    const doctor = await run(['doctor'], env);
    expect(doctor.output.replaceAll(/\s+/g, ' ')).toContain(payout.workflowId);

    const words =
      /its workflow tasks fail since 20.* status claimed \(20.*goes its way at the service.*What to do: /;
    await expect(payments.payout(code).state()).rejects.toThrow(TasksFailingError);
    const shown = await run(['payout', 'show', code], env);
    const [, since = ''] = /fail since (\S+),/.exec(shown.output) ?? [];
    const { events } = await stack.tasksOf(payout);
    const [failed] = events.filter((event) => event.workflowTaskFailedEventAttributes != null);
    expect(since).toBe(optionalTsToDate(failed?.eventTime)?.toISOString());
    expect(shown).toMatchObject({ code: 4, output: expect.stringMatching(words) as string });
    const read = await call(gateway.url, 'GET', `/v1/payouts/${code}`, { key: operatorKey });
    expect(read).toMatchObject({
      status: 503,
      body: {
        type: 'urn:durable-payments:problem:tasks-failing',
        detail: expect.stringMatching(words) as string,
      },
    });
    // Somebody else's: nothing of it is shown.
    expect(await call(gateway.url, 'GET', `/v1/payouts/${code}`, { key: omsKey })).toMatchObject({
      status: 404,
    });
    for (const command of [
      ['payout', 'list', '--batch-id', batchId],
      ['batch', 'show', batchId],
    ]) {
      const { output } = await run(command, env);
      expect(output).toMatch(/its workflow tasks fail since 20.*What to do: /);
    }
  });

  // A worker that has the keys takes them, and nothing reports them any more, though the records stay for a while.
  await stack.working(async () => {
    await stack.untilStatus(payout, 'claimed');
    await expect.poll(async () => (await foundBy(stack)).detail, waiting).not.toContain(payout.workflowId);
    expect((await payments.payout(code).state()).status).toBe('claimed');
  });
});
