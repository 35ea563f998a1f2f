import { describe, expect } from 'vitest';
import { attentionIs, statusIs, type Payment } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

/** Signals a payment, as the check of identifiers does, that another one has this identifier of it; it then needs an operator. */
async function signalShared<State extends { readonly attention: string | null }>(
  payment: Payment<State>,
  service_id: string,
  workflow_id = 'order-another',
): Promise<State> {
  await payment.signal('identifierShared', { service_id, workflow_id });
  return payment.until(attentionIs('inconsistent_answer'), '1 minute');
}

describe('two orders to which the service gave one identifier', () => {
  test('need an operator, who names which of them has it', async ({ order, orders }) => {
    const otherCode = freshCode();
    await order.submitted();
    const id = order.id();
    const body = { id, status: 'waiting_payment' };
    order.service.answers('POST /v1/order', { effect: 'none', status: 200, body }, { of: otherCode });
    const other = await orders.submitted(otherCode);
    order.service.shows('paid');
    await order.until(statusIs('paid'));
    await other.until(statusIs('paid'));
    for (const [payment, { workflowId }] of [
      [order, other],
      [other, order],
    ] as const) {
      const state = await signalShared(payment, id, workflowId);
      expect(state).toMatchObject({ status: 'submission_unknown', service_id: null });
      expect(state.attention_detail).toContain(workflowId);
    }
    expect(await order.command('resolveSubmission', { service_id: id })).toMatchObject({ service_id: id });
    await order.until(statusIs('paid'));
    expect(await other.refusal('resolveSubmission', { service_id: id })).toBe('InvalidMessage');
    await other.command('resolveSubmission', { nothing_happened: true });
    expect(await other.state()).toMatchObject({ status: 'rejected' });
  });

  test('need one also when that turns out while one of them is read: what the read shows is not believed', async ({
    order,
    sandbox,
  }) => {
    await order.submitted();
    const read = 'GET /v1/order/{id}';
    order.service.answers(read, { delay_ms: 60_000 });
    order.service.shows('paid');
    const before = sandbox.ledger().calls[read] ?? 0;
    const hinted = order.signal('statusHint', { source: 'test' });
    await sandbox.until(({ calls }) => (calls[read] ?? 0) > before);
    const shared = signalShared(order, order.id());
    sandbox.hurry();
    await Promise.all([hinted, shared]);
    const { status, timeline } = await order.after('1 minute');
    expect(status).toBe('submission_unknown');
    expect(timeline.filter(({ what }) => what.includes('paid'))).toEqual([]);
  });

  test('are not both unknown: one keeps it when the service shows its code', async ({ order }) => {
    await order.submitted();
    const id = order.id();
    order.service.answers('GET /v1/order/{id}', { reshape: ['with-partner-code'] }, { times: 1_000 });
    expect(await signalShared(order, id)).toMatchObject({ status: 'waiting_payment', service_id: id });
    order.service.shows('paid');
    await order.until(statusIs('paid'));
  });
});

test('an order for which an operator names another identifier is read by that one', async ({ order }) => {
  const body = { id: 'wrong', status: 'waiting_payment' };
  order.service.answers('POST /v1/order', { status: 200, body });
  await order.submitted();
  await signalShared(order, 'wrong');
  await order.command('resolveSubmission', { service_id: order.id() });
  order.service.shows('paid');
  expect(await order.until(statusIs('paid'), '1 hour')).toMatchObject({ service_id: order.id() });
});

describe('two payouts to which the service gave one identifier', () => {
  test('need an operator; the one whose code the list shows keeps it, the other is paid by a retry', async ({
    payout,
    payouts,
  }) => {
    const otherCode = freshCode();
    await payout.shownAs();
    const id = payout.id();
    const answersTheSame = (of: string) => {
      const body = { id, status: 'claimed' };
      payout.service.answers('POST /v1/payout/pix', { effect: 'none', status: 200, body }, { of });
    };
    answersTheSame(otherCode);
    const other = await payouts.start(otherCode);
    payout.service.shows('done');
    await payout.until(statusIs('done'));
    await other.until(statusIs('done'));
    const kept = await signalShared(payout, id, other.workflowId);
    expect(kept).toMatchObject({ status: 'done', service_id: id });
    const retryUnpaid = async () => {
      await other.until(statusIs('submission_unknown'), '2 hours');
      await other.command('resolveSubmission', { nothing_happened: true });
      await other.command('acknowledgeAttention', { attention: 'inconsistent_answer' });
      await other.command('retryPayout');
    };
    const released = await signalShared(other, id, payout.workflowId);
    expect(released).toMatchObject({ status: 'submitting', service_id: null });
    answersTheSame(`${otherCode}-r2`);
    await retryUnpaid();
    await other.until(statusIs('done'));
    await signalShared(other, id, payout.workflowId);
    await retryUnpaid();
    await other.until(statusIs('claimed'));
    expect(payouts.madeCodes(otherCode)).toEqual([`${otherCode}-r3`]);
  });

  test('are checked again when the list could not be read', async ({ payout }) => {
    await payout.shownAs();
    const id = payout.id();
    payout.service.fails('GET /v1/payouts');
    await signalShared(payout, id);
    payout.service.shows('done');
    expect(await payout.after('1 hour')).toMatchObject({ status: 'claimed', service_id: id });
    payout.service.recovers();
    await payout.until(statusIs('done'), '2 hours');
  });

  test('need an operator, and keep it while the list does not show whose it is', async ({ payout }) => {
    await payout.start('unlisted');
    await payout.until(statusIs('claimed'));
    const service_id = payout.id();
    expect(await signalShared(payout, service_id)).toMatchObject({ status: 'claimed', service_id });
    payout.service.shows('done');
    await payout.until(statusIs('done'), '2 hours');
  });

  test('ignore an identifier that is not theirs, and a signal that comes again', async ({ payout }) => {
    await payout.shownAs();
    await payout.signal('identifierShared', { service_id: 'other', workflow_id: 'another' });
    expect(await payout.state()).toMatchObject({ attention: null });
    const service_id = payout.id();
    await signalShared(payout, service_id);
    await payout.command('acknowledgeAttention', { attention: 'inconsistent_answer' });
    await payout.signal('identifierShared', { service_id, workflow_id: 'another' });
    expect(await payout.state()).toMatchObject({ attention: null });
  });
});
