import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

describe('the watch of a payout', () => {
  test.for([
    ['of two weeks ends with a read', {}, '332 hours', '1 hour', 8],
    ['of two years ends with a read', { watch_days: 730 }, '17516 hours', '1 hour', 8],
    ['is not blind in its second week', {}, '8 days', '6 hours', 12],
    ['of one that is reconciled ends with a read', { reconciled: true }, '13 days', '6 hours', 6],
    [
      'of one that is reconciled is not blind beyond the two weeks of its list',
      { reconciled: true, watch_days: 60 },
      ...(['16 days', '1 day', 8] as const),
    ],
  ] as const)(
    '%s: a return is seen, and its reversal',
    async ([, more, returnedAfter, step, limit], { payout }) => {
      await payout.start('', more);
      await payout.until(statusIs('claimed'));
      payout.service.shows('done');
      await payout.signal('statusHint', { source: 'test' });
      await payout.until(statusIs('done'), '1 second');
      await payout.after(returnedAfter);
      payout.service.shows('error');
      const returned = await payout.until(attentionIs('payout_returned'), step, limit);
      expect(returned).toMatchObject({ closed: false });
      payout.service.shows('done');
      await payout.until(({ attention, status }) => attention === null && status === 'done', '7 days');
      expect(payout.made()).toMatchObject([{ times_created: 1 }]);
    },
  );

  test.for([
    ['no read works', 'unreadable', { effect: 'none', status: 503 }],
    ['reads show another value', 'inconsistent_answer', { status: 200, body: { status: 'done', value: 99 } }],
  ] as const)(
    'does not end while %s, though an operator has seen that',
    async ([, attention, answer], { payout }) => {
      await payout.shownAs('done');
      payout.service.answers('GET /v1/payout/{id}', answer, { times: 1_000_000 });
      await payout.until(attentionIs(attention), '1 hour');
      await payout.command('acknowledgeAttention');
      expect(await payout.after('20 days')).toMatchObject({ status: 'done', attention: null, closed: false });
      payout.service.recovers();
      expect(await payout.result('1 day', 20)).toMatchObject({ status: 'done', closed: true });
    },
  );
});

describe('a payout without a watch', () => {
  test.for(['', ' at the moment of a read'])(
    'that is abandoned%s is read before it closes: one that moves after all is seen',
    async (atRead, { payout }) => {
      await payout.failed('', { watch_days: 0 });
      if (atRead !== '') await payout.signal('statusHint', { source: 'test' });
      payout.service.shows('processing');
      await payout.command('abandonPayout');
      const moving = await payout.until(attentionIs('inconsistent_answer'), '1 hour', 30);
      expect(moving).toMatchObject({ closed: false });
    },
  );

  test('does not close as done while a previous attempt was not read', async ({ payout }) => {
    await payout.failed('', { watch_days: 0 });
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

  test('that is refused does not close before a scan has shown it was not made', async ({ payout }) => {
    payout.service.answers('POST /v1/payout/pix', { status: 422 });
    payout.service.fails('GET /v1/payouts');
    await payout.start('', { watch_days: 0 });
    await payout.until(statusIs('rejected'));
    expect(await payout.after('2 hours')).toMatchObject({ status: 'rejected', closed: false });
    payout.service.recovers();
    expect(await payout.until(statusIs('claimed'), '1 hour', 40)).toMatchObject({ closed: false });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});

describe('the watch of an order', () => {
  test.for([20, 730])(
    'of %i days ends with a read: a chargeback in its last hours is seen, and its reversal',
    async (days, { order }) => {
      await order.settled({ watch_days: days });
      await order.after(`${days * 24 - 12} hours`);
      order.service.shows('chargeback');
      await order.until(attentionIs('chargeback'), '1 hour', 20);
      order.service.shows('compensated');
      await order.until(({ attention, status }) => attention === null && status === 'compensated', '7 days');
    },
  );

  test('lasts 180 days when nobody says how long', async ({ order }) => {
    await order.settled();
    expect(await order.after('179 days')).toMatchObject({ closed: false });
    expect(await order.after('2 days')).toMatchObject({ status: 'compensated', closed: true });
  });

  test('does not end before an operator has seen a chargeback', async ({ order }) => {
    await order.submitted('', { watch_days: 2 });
    order.service.shows('chargeback');
    await order.until(attentionIs('chargeback'));
    expect(await order.after('200 days')).toMatchObject({ attention: 'chargeback', closed: false });
    const seen = await order.command('acknowledgeAttention', { reason: 'accepted', by: 'rui' });
    expect(seen).toMatchObject({ attention: null, status: 'chargeback' });
    const result = await order.result();
    expect(result).toMatchObject({ status: 'chargeback', closed: true });
    expect(result.timeline.find(({ by }) => by === 'rui')).toMatchObject({ reason: 'accepted' });
  });

  test('of no days does not end by a read that failed, though an operator has seen a chargeback', async ({
    order,
  }) => {
    await order.submitted('', { watch_days: 0 });
    order.service.shows('chargeback');
    await order.until(attentionIs('chargeback'));
    order.service.fails('GET /v1/order/{id}');
    await order.signal('statusHint', { source: 'test' });
    await order.command('acknowledgeAttention');
    expect(await order.after('1 minute')).toMatchObject({ attention: null, closed: false });
    order.service.recovers();
    await order.result();
  });

  test('lasts a week after "nothing happened", whatever watch_days is: a later charge is followed', async ({
    order,
  }) => {
    await order.start('accepted-then-dropped+read-with-partner-code', { watch_days: 0 });
    await order.until(statusIs('submission_unknown'));
    await order.command('resolveSubmission', { nothing_happened: true });
    expect(await order.after('6 days')).toMatchObject({ status: 'rejected', closed: false });
    await order.postback({ id: order.id(), status: 'paid' });
    const found = await order.until(statusIs('waiting_payment'), '1 minute', 5);
    expect(found).toMatchObject({ attention: 'inconsistent_answer', service_id: order.id() });
  });
});
