import type { WorkflowHandle } from '@temporalio/client';
import { expect, vi } from 'vitest';
import type { RefundState } from '../../src/contract/state.js';
import { refundWorkflowId } from '../../src/domain/ids.js';
import { refusalOf } from '../support/refusal.js';
import { cardOrder, freshCode, testCard } from '../support/requests.js';
import { test as resets, type ResettableStack } from '../support/resets.js';
import { waiting } from '../support/waiting.js';

const test = resets.extend('refunds', ({ stack }) => refundsOn(stack));

function refundsOn({ service, tokens, sandbox, start, current, untilStatus }: ResettableStack) {
  const command = (handle: WorkflowHandle, name: string, message: object) =>
    current(handle).executeUpdate<RefundState, [object]>(name, { args: [message] });
  return {
    command,
    untilStatus: (handle: WorkflowHandle, status: string) =>
      untilStatus<RefundState>(current(handle), status),
    /** Starts the refund of an order that is paid at the service. */
    start: async (code: string) => {
      const { order, customer } = cardOrder(code);
      const { token } = await tokens.current();
      await service.createCardOrder(
        { order: { ...order, notification_url: 'http://127.0.0.1:9/x' }, customer, credit_card: testCard },
        { token, tokenIsNew: false, refusal: () => undefined },
      );
      sandbox.setOrderStatus(code, 'paid');
      const service_id = String(sandbox.ledger(code).orders[0]?.id);
      const input = { partner_code: code, service_id, poll_scale: 0.01 };
      return start('refund', refundWorkflowId(service_id), input);
    },
    /** How many requests for it the service has taken, by its ledger. */
    requestsOf: (code: string) => sandbox.ledger(code).refunds.length,
  };
}

test('a refund whose workflow is reset is not requested again', async ({ refunds, stack }) => {
  const code = freshCode();
  await stack.working(async () => {
    const handle = await refunds.start(code);
    await refunds.untilStatus(handle, 'refund_processing');
    await stack.resetToStart(handle);
    const state = await refunds.untilStatus(handle, 'unconfirmed');
    expect(state.attention).toBe('refund_unconfirmed');
    expect(state.timeline.map(({ what }) => what).join('\n')).toContain(
      'This run of the workflow is a reset',
    );
    expect(refunds.requestsOf(code)).toBe(1);
  });
});

test('a refund whose workflow is reset is not called unsent because its order is charged back since', async ({
  refunds,
  sandbox,
  stack,
}) => {
  const code = freshCode();
  await stack.working(async () => {
    const handle = await refunds.start(code);
    await refunds.untilStatus(handle, 'refund_processing');
    sandbox.setOrderStatus(code, 'chargeback');
    await stack.resetToStart(handle);
    const state = await refunds.untilStatus(handle, 'unconfirmed');
    expect(state.timeline.map(({ what }) => what).join('\n')).not.toContain('Nothing was sent');
    expect(refunds.requestsOf(code)).toBe(1);
  });
});

test('a refund that a reset stopped goes on in a fresh run, once an operator states that none is queued', async ({
  refunds,
  stack,
  sandbox,
}) => {
  const code = freshCode();
  sandbox.fault({ endpoint: 'PUT /v1/order/{id}/refund', partner_code: code, fault: '422' });
  await stack.working(async () => {
    const handle = await refunds.start(code);
    await refunds.untilStatus(handle, 'rejected');
    await stack.resetToStart(handle);
    await refunds.untilStatus(handle, 'unconfirmed');
    expect(refunds.requestsOf(code)).toBe(0);
    // The first ones may still come to the run that was reset, which sends nothing.
    const retry = () =>
      refunds
        .command(handle, 'retryRefund', { nothing_queued: true, by: 'ana', reason: 'a test' })
        .catch(refusalOf);
    const taken = await vi.waitUntil(async () => {
      const answer = await retry();
      return typeof answer !== 'string' && answer;
    }, waiting);
    expect(taken).toMatchObject({ status: 'requesting', attention: null });
    await refunds.untilStatus(handle, 'refund_processing');
    expect(refunds.requestsOf(code)).toBe(1);
  });
});

test('a refund with a long history continues as new with everything it knew', async ({
  refunds,
  stack,
  sandbox,
}) => {
  const code = freshCode();
  await stack.working(async () => {
    const handle = await refunds.start(code);
    await refunds.untilStatus(handle, 'refund_processing');
    const first = (await handle.describe()).runId;
    const postback = { received_at: new Date().toISOString(), content_type: null, body: '{}' };
    await stack.untilNextRun(handle, first, () => stack.current(handle).signal('postbackReceived', postback));
    sandbox.setOrderStatus(code, 'refunded');
    await stack.current(handle).signal('postbackReceived', postback);
    expect(await stack.current(handle).result()).toMatchObject({
      status: 'refunded',
      requests: 1,
      closed: true,
    });
    expect(refunds.requestsOf(code)).toBe(1);
  });
});
