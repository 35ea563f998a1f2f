import { expect, vi } from 'vitest';
import type { RefundState } from '../../src/contract/state.js';
import { refundWorkflowId } from '../../src/domain/ids.js';
import { refusalOf } from '../support/refusal.js';
import { cardOrder, freshCode, testCard } from '../support/requests.js';
import { test as resets } from '../support/resets.js';
import { waiting } from '../support/waiting.js';

/** Starts the refund of an order that is paid at the service, and reads so for ever. */
const test = resets.extend('startRefund', ({ sandbox, stack }) => async (code: string) => {
  const { order, customer } = cardOrder(code, 'Two tickets sandbox:refund-never');
  const { token } = await stack.tokens.current();
  await stack.service.createCardOrder(
    { order: { ...order, notification_url: 'http://127.0.0.1:9/x' }, customer, credit_card: testCard },
    { token, tokenIsNew: false, refusal: () => undefined },
  );
  sandbox.setOrderStatus(code, 'paid');
  const service_id = String(sandbox.ledger(code).orders[0]?.id);
  const input = { partner_code: code, service_id, poll_scale: 0.01 };
  return stack.start('refund', refundWorkflowId(service_id), input);
});

// That a reset run is not called unsent, whatever its order reads as: `test/activities/refund-request.test.ts`.
test('a refund whose workflow is reset is not requested again, but in a fresh run once an operator states that none is queued', async ({
  sandbox,
  stack,
  startRefund,
}) => {
  const code = freshCode();
  const requests = () => sandbox.ledger(code).refunds.length;
  await stack.working(async () => {
    const refund = stack.current(await startRefund(code));
    await stack.untilStatus<RefundState>(refund, 'refund_processing');
    await stack.resetToStart(refund);
    const { attention, timeline } = await stack.untilStatus<RefundState>(refund, 'unconfirmed');
    expect(attention).toBe('refund_unconfirmed');
    expect(timeline.map(({ what }) => what).join('\n')).toContain('This run of the workflow is a reset');
    expect(requests()).toBe(1);

    const decision = { nothing_queued: true, by: 'ana', reason: 'a test' };
    // The first ones may still come to the run that was reset, which sends nothing.
    const retried = await vi.waitUntil(async () => {
      const answer = await refund
        .executeUpdate<RefundState, [object]>('retryRefund', { args: [decision] })
        .catch(refusalOf);
      return typeof answer !== 'string' && answer;
    }, waiting);
    expect(retried).toMatchObject({ status: 'requesting', attention: null });
    await stack.untilStatus<RefundState>(refund, 'refund_processing');
    expect(requests()).toBe(2);
  });
});
