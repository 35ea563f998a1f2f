import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

describe('the watch of a payout', () => {
  test('ends with a read: a return in its last hours is seen', async ({ payouts, sandbox, clock }) => {
    const code = freshCode();
    const payout = await payouts.shownAs(code, 'done');
    await clock.pass('13 days');
    await clock.pass('20 hours');
    sandbox.setPayoutStatus(code, 'error');
    const returned = await payout.until(attentionIs('payout_returned'), '1 hour', 8);
    expect(returned).toMatchObject({ closed: false });
  });

  test('is not blind in its second week', async ({ payouts, sandbox, clock }) => {
    const code = freshCode();
    const payout = await payouts.shownAs(code, 'done');
    await clock.pass('8 days');
    sandbox.setPayoutStatus(code, 'error');
    await payout.until(attentionIs('payout_returned'), '6 hours', 12);
  });

  test('of one that the reconciliation covers ends with a read as well', async ({
    payouts,
    sandbox,
    clock,
  }) => {
    const code = freshCode();
    const payout = await payouts.start(code, '', { reconciled: true });
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'done');
    await payout.signal('statusHint', { source: 'test' });
    await payout.until(statusIs('done'), '1 second');
    await clock.pass('13 days');
    sandbox.setPayoutStatus(code, 'error');
    await payout.until(attentionIs('payout_returned'), '6 hours', 6);
  });

  test('of one that the reconciliation covers is not blind beyond the two weeks of its list', async ({
    payouts,
    sandbox,
    clock,
  }) => {
    const code = freshCode();
    const payout = await payouts.start(code, '', { reconciled: true, watch_days: 60 });
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'done');
    await payout.signal('statusHint', { source: 'test' });
    await payout.until(statusIs('done'), '1 second');
    await clock.pass('16 days');
    sandbox.setPayoutStatus(code, 'error');
    await payout.until(attentionIs('payout_returned'), '1 day', 8);
  });

  test('does not end while no read works', async ({ payouts, sandbox, clock }) => {
    const code = freshCode();
    const payout = await payouts.shownAs(code, 'done');
    const endpoint = 'GET /v1/payout/{id}';
    const fault = { effect: 'none', status: 503 } as const;
    sandbox.fault({ endpoint, partner_code: code, times: 10_000, fault });
    await clock.pass('20 days');
    expect(await payout.state()).toMatchObject({ status: 'done', closed: false });
    sandbox.clearFaults();
    expect(await payout.result('1 day', 20)).toMatchObject({ status: 'done', closed: true });
  });
});

describe('a payout without a watch', () => {
  test('that is abandoned is read before it closes: one that moves after all is seen', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    const payout = await payouts.start(code, '', { watch_days: 0 });
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'error');
    await payout.until(attentionIs('payout_failed'));
    sandbox.setPayoutStatus(code, 'processing');
    await payout.command('abandonPayout', { reason: 'paid in cash', by: 'rui' });
    const moving = await payout.until(attentionIs('inconsistent_answer'), '1 minute', 10);
    expect(moving).toMatchObject({ closed: false });
  });

  test('does not close as done while a previous attempt was not read: both may be done', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    const payout = await payouts.start(code, '', { watch_days: 0 });
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'error');
    await payout.until(attentionIs('payout_failed'));
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
    const fault = { effect: 'none', status: 503 } as const;
    sandbox.fault({ endpoint: 'GET /v1/payout/{id}', partner_code: code, times: 10_000, fault });
    sandbox.setPayoutStatus(code, 'done');
    sandbox.setPayoutStatus(`${code}-r2`, 'done');
    await payout.until(statusIs('done'), '1 minute', 10);
    sandbox.clearFaults();
    const twice = await payout.until(attentionIs('paid_twice'), '10 minutes', 10);
    expect(twice).toMatchObject({ closed: false });
  });
});

describe('a refused payout without a watch', () => {
  test('does not close before a scan has shown that it was not made all the same', async ({
    payouts,
    sandbox,
    clock,
  }) => {
    const code = freshCode();
    const endpoint = 'POST /v1/payout/pix';
    sandbox.fault({ endpoint, partner_code: code, fault: { effect: 'done', status: 422 } });
    const down = { effect: 'none', status: 503 } as const;
    sandbox.fault({ endpoint: 'GET /v1/payouts', times: 10_000, fault: down });
    const payout = await payouts.start(code, '', { watch_days: 0 });
    await payout.until(statusIs('rejected'));
    await clock.pass('2 hours');
    expect(await payout.state()).toMatchObject({ status: 'rejected', closed: false });
    sandbox.clearFaults();
    expect(await payout.until(statusIs('claimed'), '1 hour', 40)).toMatchObject({ closed: false });
    expect(payouts.madeCodes(code)).toEqual([code]);
  });
});

describe('without a watch, what the answer to the creating call shows is confirmed by a read before', () => {
  test('a payout that is done at once is shown as done, and closes', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const fault = { effect: 'none', status: 503 } as const;
    sandbox.fault({ endpoint: 'GET /v1/payout/{id}', partner_code: code, times: 10_000, fault });
    const payout = await payouts.start(code, 'done-at-once', { watch_days: 0 });
    const unread = await payout.until((state) => state.last_read !== null, '1 minute');
    expect(unread).toMatchObject({ status: 'submitting', closed: false });
    expect(unread.timeline.map(({ what }) => what).join()).toContain('"done"');
    sandbox.clearFaults();
    expect(await payout.result()).toMatchObject({ status: 'done', attention: null, closed: true });
  });

  test('an order that is denied at once is shown as denied, and closes', async ({ orders, sandbox }) => {
    const code = freshCode();
    const fault = { effect: 'none', status: 503 } as const;
    sandbox.fault({ endpoint: 'GET /v1/order/{id}', partner_code: code, times: 10_000, fault });
    const order = await orders.start(code, 'denied-at-once', { watch_days: 0 });
    const unread = await order.until((state) => state.last_read !== null, '1 minute');
    expect(unread).toMatchObject({ status: 'submitting', closed: false });
    sandbox.clearFaults();
    expect(await order.result()).toMatchObject({ status: 'denied', attention: null, closed: true });
  });
});

describe('the watch of an order', () => {
  test('ends with a read: a chargeback in its last hours is seen', async ({ orders, sandbox, clock }) => {
    const code = freshCode();
    const order = await orders.settled(code, { watch_days: 20 });
    await clock.pass('19 days');
    await clock.pass('12 hours');
    sandbox.setOrderStatus(code, 'chargeback');
    await order.until(attentionIs('chargeback'), '1 hour', 20);
  });

  test('does not end before an operator has seen a chargeback', async ({ orders, sandbox, clock }) => {
    const code = freshCode();
    const order = await orders.submitted(code, '', { watch_days: 2 });
    sandbox.setOrderStatus(code, 'chargeback');
    await order.until(attentionIs('chargeback'));
    await clock.pass('30 days');
    expect(await order.state()).toMatchObject({ attention: 'chargeback', closed: false });
    await order.command('acknowledgeAttention', { by: 'rui' });
    expect(await order.result()).toMatchObject({ status: 'chargeback', closed: true });
  });

  test('lasts a week after "nothing happened", whatever watch_days is: a later charge is followed', async ({
    orders,
    clock,
  }) => {
    const code = freshCode();
    const order = await orders.start(code, 'accepted-then-dropped+read-with-partner-code', { watch_days: 0 });
    await order.until(statusIs('submission_unknown'));
    await order.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    await clock.pass('6 days');
    expect(await order.state()).toMatchObject({ status: 'rejected', closed: false });
    await order.postback({ id: orders.idOf(code), status: 'paid' });
    const found = await order.until(statusIs('waiting_payment'), '1 minute', 5);
    expect(found).toMatchObject({ attention: 'inconsistent_answer', service_id: orders.idOf(code) });
  });

  test('lasts a week after it expired, whatever watch_days is: a later payment is followed', async ({
    checkouts,
    sandbox,
    clock,
  }) => {
    const code = freshCode();
    const checkout = await checkouts.opened(code, '', { watch_days: 0, expires_after_hours: 1 });
    await checkout.until(statusIs('expired'), '5 minutes', 20);
    await clock.pass('5 days');
    expect(await checkout.state()).toMatchObject({ closed: false });
    sandbox.setOrderStatus(code, 'paid');
    expect(await checkout.until(statusIs('paid'), '6 hours', 10)).toMatchObject({
      attention: 'inconsistent_answer',
    });
  });

  test('ends its week after it expired with a read, though watch_days is 0: a payment in its last hours is seen', async ({
    checkouts,
    sandbox,
    clock,
  }) => {
    const code = freshCode();
    const checkout = await checkouts.opened(code, '', { watch_days: 0, expires_after_hours: 1 });
    await checkout.until(statusIs('expired'), '5 minutes', 20);
    await clock.pass('6 days');
    await clock.pass('23 hours');
    sandbox.setOrderStatus(code, 'paid');
    expect(await checkout.until(statusIs('paid'), '1 hour', 10)).toMatchObject({
      attention: 'inconsistent_answer',
      closed: false,
    });
  });
});

describe('the identifier of an order', () => {
  test('that another order owns is refused, though a read shows nothing that speaks against it', async ({
    orders,
    refunds,
  }) => {
    const [code, other] = [freshCode(), freshCode()];
    await orders.submitted(other);
    const order = await orders.unknown(code);
    const message = { service_id: orders.idOf(other), by: 'ana' };
    expect(await order.command('resolveSubmission', message).catch(refusalOf)).toBe('InvalidMessage');
    expect(await order.state()).toMatchObject({ status: 'submission_unknown', service_id: null });
    expect(refunds.requestsOf(other)).toBe(0);
  });

  test('is found among all that a postback names', async ({ orders }) => {
    const code = freshCode();
    const order = await orders.unknown(code, 'accepted-then-dropped+read-with-partner-code');
    await order.postback({ id: 'evt_1', data: { request_id: 'req_2', order: { id: orders.idOf(code) } } });
    const found = await order.until(statusIs('waiting_payment'), '1 minute', 10);
    expect(found).toMatchObject({ service_id: orders.idOf(code), attention: null });
  });

  test('is found by a postback that is a form, and one that names nothing leaves a line in its timeline', async ({
    orders,
  }) => {
    const code = freshCode();
    const order = await orders.unknown(code, 'accepted-then-dropped+read-with-partner-code');
    const received = { received_at: '2026-11-01T00:00:00Z', content_type: 'text/plain' };
    await order.signal('postbackReceived', { ...received, body: 'your order is paid' });
    const { timeline } = await order.state();
    expect(timeline.at(-1)?.what).toContain('A postback came, and names no order that could be read.');
    await order.signal('postbackReceived', {
      ...received,
      body: `status=paid&order_id=${orders.idOf(code)}`,
    });
    const found = await order.until(statusIs('waiting_payment'), '1 minute', 10);
    expect(found).toMatchObject({ service_id: orders.idOf(code), attention: null });
  });

  test('that was refused has a line for a postback that names nothing: it may speak of a charge', async ({
    orders,
    sandbox,
  }) => {
    const code = freshCode();
    sandbox.fault({ endpoint: 'POST /v1/order', partner_code: code, fault: { effect: 'none', status: 422 } });
    const order = await orders.start(code);
    await order.until(statusIs('rejected'));
    const received = { received_at: '2026-11-01T00:00:00Z', content_type: 'text/plain' };
    await order.signal('postbackReceived', { ...received, body: 'your order is paid' });
    expect((await order.state()).timeline.at(-1)?.what).toContain('names no order that could be read');
  });

  test('that a postback names is asked about again after nothing had happened, though no read shows whose it is', async ({
    orders,
  }) => {
    const code = freshCode();
    const order = await orders.unknown(code);
    await order.command('resolveSubmission', { nothing_happened: true, by: 'ana', reason: 'not listed' });
    await order.postback({ id: orders.idOf(code), status: 'paid' });
    const asked = await order.until(attentionIs('submission_unknown'), '1 minute', 10);
    expect(asked).toMatchObject({
      status: 'submission_unknown',
      candidates: [orders.idOf(code)],
      closed: false,
    });
    const found = { service_id: orders.idOf(code), by: 'ana', reason: 'it is there' };
    expect(await order.command('resolveSubmission', found)).toMatchObject({
      service_id: orders.idOf(code),
      attention: null,
    });
  });

  test('that the service does not know at once is looked for again', async ({ orders, sandbox }) => {
    const code = freshCode();
    const order = await orders.unknown(code, 'accepted-then-dropped+read-with-partner-code');
    const fault = { effect: 'none', status: 404 } as const;
    sandbox.fault({ endpoint: 'GET /v1/order/{id}', partner_code: code, times: 2, fault });
    await order.postback({ id: orders.idOf(code) });
    const found = await order.until(statusIs('waiting_payment'), '5 minutes', 20);
    expect(found).toMatchObject({ service_id: orders.idOf(code), attention: null });
  });
});
