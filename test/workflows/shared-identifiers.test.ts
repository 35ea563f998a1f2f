import { describe, expect } from 'vitest';
import { attentionIs, statusIs, type Payment } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
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
  const endpoint = 'POST /v1/order';

  test('need an operator, who names which of them has it, and are not shown as paid until then', async ({
    orders,
    sandbox,
  }) => {
    const [code, otherCode] = [freshCode(), freshCode()];
    const order = await orders.submitted(code);
    const id = orders.idOf(code);
    const body = { id, status: 'waiting_payment' };
    sandbox.fault({ endpoint, partner_code: otherCode, fault: { effect: 'none', status: 200, body } });
    const other = await orders.submitted(otherCode);
    sandbox.setOrderStatus(code, 'paid');
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
    const named = other.command('resolveSubmission', { service_id: id });
    expect(await named.catch(refusalOf)).toBe('InvalidMessage');
    await other.command('resolveSubmission', { nothing_happened: true });
    expect(await other.state()).toMatchObject({ status: 'rejected' });
  });

  test('are not both unknown: one keeps it when the service shows its code', async ({ orders, sandbox }) => {
    const code = freshCode();
    const order = await orders.submitted(code);
    const id = orders.idOf(code);
    const fault = { reshape: ['with-partner-code' as const] };
    sandbox.fault({ endpoint: 'GET /v1/order/{id}', partner_code: code, times: 1_000, fault });
    expect(await signalShared(order, id)).toMatchObject({ status: 'waiting_payment', service_id: id });
    sandbox.setOrderStatus(code, 'paid');
    await order.until(statusIs('paid'));
    sandbox.clearFaults();
  });
});

test('an order for which an operator names another identifier is read by that one', async ({
  orders,
  sandbox,
}) => {
  const code = freshCode();
  const body = { id: 'wrong', status: 'waiting_payment' };
  sandbox.fault({ endpoint: 'POST /v1/order', partner_code: code, fault: { status: 200, body } });
  const order = await orders.submitted(code);
  await signalShared(order, 'wrong');
  await order.command('resolveSubmission', { service_id: orders.idOf(code) });
  sandbox.setOrderStatus(code, 'paid');
  expect(await order.until(statusIs('paid'), '1 hour')).toMatchObject({ service_id: orders.idOf(code) });
});

describe('two payouts to which the service gave one identifier', () => {
  const endpoint = 'POST /v1/payout/pix';

  test('need an operator; the one whose code the list shows keeps it, the other is paid by a retry', async ({
    payouts,
    sandbox,
  }) => {
    const [code, otherCode] = [freshCode(), freshCode()];
    const payout = await payouts.shownAs(code);
    const id = payouts.idOf(code);
    const fault = { effect: 'none', status: 200, body: { id, status: 'claimed' } } as const;
    sandbox.fault({ endpoint, partner_code: otherCode, fault });
    const other = await payouts.start(otherCode);
    sandbox.setPayoutStatus(code, 'done');
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
    sandbox.fault({ endpoint, partner_code: `${otherCode}-r2`, fault });
    await retryUnpaid();
    await other.until(statusIs('done'));
    await signalShared(other, id, payout.workflowId);
    await retryUnpaid();
    await other.until(statusIs('claimed'));
    expect(payouts.madeCodes(otherCode)).toEqual([`${otherCode}-r3`]);
  });

  test('are checked again when the list could not be read', async ({ clock, payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.shownAs(code);
    const id = payouts.idOf(code);
    const fault = { effect: 'none', status: 503 } as const;
    sandbox.fault({ endpoint: 'GET /v1/payouts', times: 1_000, fault });
    await signalShared(payout, id);
    sandbox.setPayoutStatus(code, 'done');
    await clock.pass('1 hour');
    expect(await payout.state()).toMatchObject({ status: 'claimed', service_id: id });
    sandbox.clearFaults();
    await payout.until(statusIs('done'), '2 hours');
  });

  test('need an operator, and keep it while the list does not show whose it is', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    const payout = await payouts.start(code, 'unlisted');
    await payout.until(statusIs('claimed'));
    const service_id = payouts.idOf(code);
    expect(await signalShared(payout, service_id)).toMatchObject({ status: 'claimed', service_id });
    sandbox.setPayoutStatus(code, 'done');
    await payout.until(statusIs('done'), '2 hours');
  });

  test('ignore an identifier that is not theirs, and a signal that comes again', async ({ payouts }) => {
    const code = freshCode();
    const payout = await payouts.shownAs(code);
    await payout.signal('identifierShared', { service_id: 'other', workflow_id: 'another' });
    expect(await payout.state()).toMatchObject({ attention: null });
    const service_id = payouts.idOf(code);
    await signalShared(payout, service_id);
    await payout.command('acknowledgeAttention', { attention: 'inconsistent_answer' });
    await payout.signal('identifierShared', { service_id, workflow_id: 'another' });
    expect(await payout.state()).toMatchObject({ attention: null });
  });
});
