import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

describe('the watch of a payout', () => {
  test('ends with a read: a return in its last hours is seen', async ({ payout }) => {
    await payout.shownAs('done');
    await payout.after('13 days');
    await payout.after('20 hours');
    payout.service.shows('error');
    const returned = await payout.until(attentionIs('payout_returned'), '1 hour', 8);
    expect(returned).toMatchObject({ closed: false });
  });

  test('is not blind in its second week', async ({ payout }) => {
    await payout.shownAs('done');
    await payout.after('8 days');
    payout.service.shows('error');
    await payout.until(attentionIs('payout_returned'), '6 hours', 12);
  });

  test('of one that the reconciliation covers ends with a read as well', async ({ payout }) => {
    await payout.start('', { reconciled: true });
    await payout.until(statusIs('claimed'));
    payout.service.shows('done');
    await payout.signal('statusHint', { source: 'test' });
    await payout.until(statusIs('done'), '1 second');
    await payout.after('13 days');
    payout.service.shows('error');
    await payout.until(attentionIs('payout_returned'), '6 hours', 6);
  });

  test('of one that the reconciliation covers is not blind beyond the two weeks of its list', async ({
    payout,
  }) => {
    await payout.start('', { reconciled: true, watch_days: 60 });
    await payout.until(statusIs('claimed'));
    payout.service.shows('done');
    await payout.signal('statusHint', { source: 'test' });
    await payout.until(statusIs('done'), '1 second');
    await payout.after('16 days');
    payout.service.shows('error');
    await payout.until(attentionIs('payout_returned'), '1 day', 8);
  });

  test('does not end while no read works', async ({ payout }) => {
    await payout.shownAs('done');
    payout.service.fails('GET /v1/payout/{id}');
    expect(await payout.after('20 days')).toMatchObject({ status: 'done', closed: false });
    payout.service.recovers();
    expect(await payout.result('1 day', 20)).toMatchObject({ status: 'done', closed: true });
  });
});

describe('a payout without a watch', () => {
  test('that is abandoned is read before it closes: one that moves after all is seen', async ({ payout }) => {
    await payout.start('', { watch_days: 0 });
    await payout.until(statusIs('claimed'));
    payout.service.shows('error');
    await payout.until(attentionIs('payout_failed'));
    payout.service.shows('processing');
    await payout.command('abandonPayout', { reason: 'paid in cash', by: 'rui' });
    const moving = await payout.until(attentionIs('inconsistent_answer'), '1 minute', 10);
    expect(moving).toMatchObject({ closed: false });
  });

  test('does not close as done while a previous attempt was not read: both may be done', async ({
    payout,
  }) => {
    await payout.start('', { watch_days: 0 });
    await payout.until(statusIs('claimed'));
    payout.service.shows('error');
    await payout.until(attentionIs('payout_failed'));
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
    payout.service.fails('GET /v1/payout/{id}');
    payout.service.shows('done');
    payout.service.shows('done', `${payout.code}-r2`);
    await payout.until(statusIs('done'), '1 minute', 10);
    payout.service.recovers();
    const twice = await payout.until(attentionIs('paid_twice'), '10 minutes', 10);
    expect(twice).toMatchObject({ closed: false });
  });
});

describe('a refused payout without a watch', () => {
  test('does not close before a scan has shown that it was not made all the same', async ({ payout }) => {
    payout.service.answers('POST /v1/payout/pix', { effect: 'done', status: 422 });
    payout.service.fails('GET /v1/payouts');
    await payout.start('', { watch_days: 0 });
    await payout.until(statusIs('rejected'));
    expect(await payout.after('2 hours')).toMatchObject({ status: 'rejected', closed: false });
    payout.service.recovers();
    expect(await payout.until(statusIs('claimed'), '1 hour', 40)).toMatchObject({ closed: false });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});

describe('without a watch, what the answer to the creating call shows is confirmed by a read before', () => {
  test('a payout that is done at once is shown as done, and closes', async ({ payout }) => {
    payout.service.fails('GET /v1/payout/{id}');
    await payout.start('done-at-once', { watch_days: 0 });
    const unread = await payout.until((state) => state.last_read !== null, '1 minute');
    expect(unread).toMatchObject({ status: 'submitting', closed: false });
    expect(unread.timeline.map(({ what }) => what).join()).toContain('"done"');
    payout.service.recovers();
    expect(await payout.result()).toMatchObject({ status: 'done', attention: null, closed: true });
  });

  test('an order that is denied at once is shown as denied, and closes', async ({ order }) => {
    order.service.fails('GET /v1/order/{id}');
    await order.start('denied-at-once', { watch_days: 0 });
    const unread = await order.until((state) => state.last_read !== null, '1 minute');
    expect(unread).toMatchObject({ status: 'submitting', closed: false });
    order.service.recovers();
    expect(await order.result()).toMatchObject({ status: 'denied', attention: null, closed: true });
  });
});

describe('the watch of an order', () => {
  test('ends with a read: a chargeback in its last hours is seen', async ({ order }) => {
    await order.settled({ watch_days: 20 });
    await order.after('19 days');
    await order.after('12 hours');
    order.service.shows('chargeback');
    await order.until(attentionIs('chargeback'), '1 hour', 20);
  });

  test('does not end before an operator has seen a chargeback', async ({ order }) => {
    await order.submitted('', { watch_days: 2 });
    order.service.shows('chargeback');
    await order.until(attentionIs('chargeback'));
    expect(await order.after('30 days')).toMatchObject({ attention: 'chargeback', closed: false });
    await order.command('acknowledgeAttention', { by: 'rui' });
    expect(await order.result()).toMatchObject({ status: 'chargeback', closed: true });
  });

  test('lasts a week after "nothing happened", whatever watch_days is: a later charge is followed', async ({
    order,
  }) => {
    await order.start('accepted-then-dropped+read-with-partner-code', { watch_days: 0 });
    await order.until(statusIs('submission_unknown'));
    await order.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    expect(await order.after('6 days')).toMatchObject({ status: 'rejected', closed: false });
    await order.postback({ id: order.id(), status: 'paid' });
    const found = await order.until(statusIs('waiting_payment'), '1 minute', 5);
    expect(found).toMatchObject({ attention: 'inconsistent_answer', service_id: order.id() });
  });

  test('lasts a week after it expired, whatever watch_days is: a later payment is followed', async ({
    checkout,
  }) => {
    await checkout.opened('', { watch_days: 0, expires_after_hours: 1 });
    await checkout.until(statusIs('expired'), '5 minutes', 20);
    expect(await checkout.after('5 days')).toMatchObject({ closed: false });
    checkout.service.shows('paid');
    expect(await checkout.until(statusIs('paid'), '6 hours', 10)).toMatchObject({
      attention: 'inconsistent_answer',
    });
  });

  test('ends its week after it expired with a read, though watch_days is 0: a payment in its last hours is seen', async ({
    checkout,
  }) => {
    await checkout.opened('', { watch_days: 0, expires_after_hours: 1 });
    await checkout.until(statusIs('expired'), '5 minutes', 20);
    await checkout.after('6 days');
    await checkout.after('23 hours');
    checkout.service.shows('paid');
    expect(await checkout.until(statusIs('paid'), '1 hour', 10)).toMatchObject({
      attention: 'inconsistent_answer',
      closed: false,
    });
  });
});

describe('the identifier of an order', () => {
  test('that another order owns is refused, though a read shows nothing that speaks against it', async ({
    order,
    orders,
    refunds,
  }) => {
    const other = freshCode();
    await orders.submitted(other);
    await order.unknown();
    const message = { service_id: orders.idOf(other), by: 'ana' };
    expect(await order.command('resolveSubmission', message).catch(refusalOf)).toBe('InvalidMessage');
    expect(await order.state()).toMatchObject({ status: 'submission_unknown', service_id: null });
    expect(refunds.requestsOf(other)).toBe(0);
  });

  test('is found among all that a postback names', async ({ order }) => {
    await order.unknown('accepted-then-dropped+read-with-partner-code');
    await order.postback({ id: 'evt_1', data: { request_id: 'req_2', order: { id: order.id() } } });
    const found = await order.until(statusIs('waiting_payment'), '1 minute', 10);
    expect(found).toMatchObject({ service_id: order.id(), attention: null });
  });

  test('is found by a postback that is a form, and one that names nothing leaves a line in its timeline', async ({
    order,
  }) => {
    await order.unknown('accepted-then-dropped+read-with-partner-code');
    const received = { received_at: '2026-11-01T00:00:00Z', content_type: 'text/plain' };
    await order.signal('postbackReceived', { ...received, body: 'your order is paid' });
    const { timeline } = await order.state();
    expect(timeline.at(-1)?.what).toContain('A postback came, and names no order that could be read.');
    await order.signal('postbackReceived', {
      ...received,
      body: `status=paid&order_id=${order.id()}`,
    });
    const found = await order.until(statusIs('waiting_payment'), '1 minute', 10);
    expect(found).toMatchObject({ service_id: order.id(), attention: null });
  });

  test('that was refused has a line for a postback that names nothing: it may speak of a charge', async ({
    order,
  }) => {
    order.service.answers('POST /v1/order', { effect: 'none', status: 422 });
    await order.start();
    await order.until(statusIs('rejected'));
    const received = { received_at: '2026-11-01T00:00:00Z', content_type: 'text/plain' };
    await order.signal('postbackReceived', { ...received, body: 'your order is paid' });
    expect((await order.state()).timeline.at(-1)?.what).toContain('names no order that could be read');
  });

  test('that a postback names is asked about again after nothing had happened, though no read shows whose it is', async ({
    order,
  }) => {
    await order.unknown();
    await order.command('resolveSubmission', { nothing_happened: true, by: 'ana', reason: 'not listed' });
    await order.postback({ id: order.id(), status: 'paid' });
    const asked = await order.until(attentionIs('submission_unknown'), '1 minute', 10);
    expect(asked).toMatchObject({
      status: 'submission_unknown',
      candidates: [order.id()],
      closed: false,
    });
    const found = { service_id: order.id(), by: 'ana', reason: 'it is there' };
    expect(await order.command('resolveSubmission', found)).toMatchObject({
      service_id: order.id(),
      attention: null,
    });
  });

  test('that the service does not know at once is looked for again', async ({ order }) => {
    await order.unknown('accepted-then-dropped+read-with-partner-code');
    order.service.answers('GET /v1/order/{id}', { effect: 'none', status: 404 }, { times: 2 });
    await order.postback({ id: order.id() });
    const found = await order.until(statusIs('waiting_payment'), '5 minutes', 20);
    expect(found).toMatchObject({ service_id: order.id(), attention: null });
  });
});
