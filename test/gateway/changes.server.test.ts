import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { waiting } from '../support/waiting.js';
import { newCode, pixPayout } from './requests.js';
import { operatorKey, otherOmsKey } from './call.js';
import { startTestGateway } from './test-gateway.js';
import type { Body } from './call.js';
import type { TestGateway } from './test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

type Seen = Body['payments'][number];

/** What an OMS reads: page after page from a moment to now; one that can't be had just now is asked for again. */
async function changesSince(since: string, key?: string): Promise<{ payments: Seen[]; next: string }> {
  const payments: Seen[] = [];
  for (let from = since; ;) {
    const path = `/v1/changes?since=${encodeURIComponent(from)}`;
    const { body, status } = await vi.waitUntil(async () => {
      const answer = await gateway.call('GET', path, key === undefined ? {} : { key });
      return answer.status !== 503 && answer;
    }, waiting);
    expect(status).toBe(200);
    payments.push(...body.payments);
    if (body.complete) return { payments, next: body.next_since };
    expect(body.next_since > from).toBe(true);
    from = body.next_since;
  }
}

/** Temporal's search shows a change a moment later. */
function untilShown(since: string, isShown: (payments: Seen[]) => boolean, key?: string) {
  return vi.waitUntil(async () => {
    const { payments } = await changesSince(since, key);
    return isShown(payments) && payments;
  }, waiting);
}

const start = async (value = 150): Promise<string> => {
  const payout = { ...pixPayout(), value };
  expect((await gateway.call('POST', '/v1/payouts/pix', { body: payout })).status).toBe(202);
  return payout.partner_code;
};
/** The first completed task of the run that went on, once there is one. */
function firstTaskOfNextRun(handle: WorkflowHandle) {
  return vi.waitUntil(async () => {
    const { events = [] } = await handle.fetchHistory();
    const isNext = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId !== '';
    const task = events?.find(({ workflowTaskCompletedEventAttributes: it }) => it != null);
    return isNext && task?.eventId;
  }, waiting);
}

const of = (code: string) => (payment: Seen) => payment.partner_code === code;
const now = () => new Date().toISOString();

describe('the changes since a moment', () => {
  test('hold a payment that was started, and again when it has changed', async () => {
    const since = now();
    const code = await start();
    await untilShown(since, (payments) => payments.some(of(code)));
    const later = now();
    expect((await changesSince(later)).payments.filter(of(code))).toEqual([]);
    await gateway.change(`payout-${code}`, { status: 'done' });
    const changed = await untilShown(later, (payments) => payments.some(of(code)));
    expect(changed.filter(of(code))).toMatchObject([{ status: 'done', closed: false }]);
  });

  test('show a payment once, also when it went on in a new run or was reset', async () => {
    const since = now();
    const code = await start(73.03);
    const handle = gateway.server.client.workflow.getHandle(`payout-${code}`);
    await gateway.change(handle.workflowId, { status: 'error', continue: true });
    await untilShown(since, (payments) => payments.some(of(code)));
    const task = await firstTaskOfNextRun(handle);
    const { client } = gateway.server;
    await client.workflowService.resetWorkflowExecution({
      namespace: client.options.namespace,
      workflowExecution: { workflowId: handle.workflowId },
      reason: 'as a test',
      requestId: newCode(),
      workflowTaskFinishEventId: task,
    });
    const runs = `WorkflowId = '${handle.workflowId}' AND ExecutionStatus`;
    const found = async (status: string) => (await client.workflow.count(`${runs} = '${status}'`)).count;
    await vi.waitUntil(
      async () => (await found('Terminated')) === 1 && (await found('Running')) === 1,
      waiting,
    );
    const shown = await changesSince(since);
    expect(shown.payments.filter(of(code))).toMatchObject([{ closed: false }]);
    const { payments } = (await gateway.call('GET', '/v1/payouts?value_from=73.03&value_to=73.03')).body;
    expect(payments.filter(of(code))).toHaveLength(1);
  });

  test('hold a payment whose workflow was terminated: nobody follows its money', async () => {
    const code = await start();
    const since = now();
    await gateway.server.client.workflow.getHandle(`payout-${code}`).terminate();
    const shown = await untilShown(since, (payments) =>
      payments.filter(of(code)).some(({ closed_as: closedAs }) => closedAs === 'terminated'),
    );
    expect(shown.filter(of(code))).toHaveLength(1);
  });

  test('are those of the caller; an operator sees all', async () => {
    const since = now();
    const code = await start();
    await untilShown(since, (payments) => payments.some(of(code)), operatorKey);
    expect((await changesSince(since, otherOmsKey)).payments.filter(of(code))).toEqual([]);
  });
});
