import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished } from 'vitest';
import { Lingerers } from '../../activities/shared/lingerers.js';
import { dayMs } from '../../src/domain/cadence.js';
import { recordedAs } from '../support/keep-histories.js';
import { everyStage } from '../support/lifecycles/stages.js';
import { attentionIs, statusIs, timelineShows } from '../support/payment.js';
import { test as payments } from '../support/payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

// Rules are shown on the simulated `ctx`. Here each kind lives once on Temporal, and each stage leaves a history, by
// which newer code is judged.

/** Creating calls linger in one test alone: each would take a second and a half. */
let lingers = false;
class Lingering extends Lingerers {
  override enter() {
    return lingers ? super.enter() : undefined;
  }
}
const test = payments
  .extend('stackOptions', { scope: 'file' }, () => ({ lingerers: new Lingering() }))
  .extend('code', () => freshCode());

const decision = { reason: 'seen at the service', by: 'ana' };

describe('a whole life', () => {
  test('of a payout', recordedAs('payout-done-by-reads-alone'), async ({ code, payouts, sandbox }) => {
    const payout = await payouts.shownAs(code, 'processing');
    sandbox.setPayoutStatus(code, 'done');
    const result = await payout.result();
    expect(result).toMatchObject({ status: 'done', closed: true, attention: null, value: 150.25 });
    expect(payouts.made(code)).toMatchObject([{ times_created: 1 }]);
  });

  test(
    'of a card order, which is settled after 30 days and watched for 180',
    recordedAs('card-order-settled-by-reads-alone'),
    async ({ clock, code, orders, sandbox, stack }) => {
      const order = await orders.submitted(code);
      sandbox.setOrderStatus(code, 'paid');
      await order.until(statusIs('paid'));
      await clock.sleep('30 days');
      sandbox.setOrderStatus(code, 'compensated');
      const settled = await order.until(statusIs('compensated'), '6 hours');
      expect(settled).toMatchObject({ attention: null, service_id: orders.idOf(code), value: 99.9 });
      const result = await order.result('10 days');
      expect(result).toMatchObject({ status: 'compensated', closed: true, attention: null });
      const { closeTime } = await stack.handleOf(order).describe();
      const watchedMs = (closeTime?.getTime() ?? NaN) - Date.parse(settled.updated_at);
      expect(Math.round(watchedMs / dayMs)).toBe(180);
      expect(orders.made(code)).toMatchObject([{ times_created: 1, times_charged: 1 }]);
    },
  );

  test(
    'of a hosted checkout, which shows where the customer is sent',
    recordedAs('hosted-checkout-paid'),
    async ({ checkouts, clock, code, sandbox }) => {
      const checkout = await checkouts.opened(code);
      const id = checkouts.made(code)[0]?.id ?? '';
      const shown = {
        url: `${sandbox.url}/sandbox/checkout/${id}`,
        answer: { id, status: 'waiting_payment' },
      };
      expect((await checkout.state()).checkout).toMatchObject(shown);
      sandbox.setOrderStatus(code, 'paid');
      await checkout.until(statusIs('paid'));
      await clock.sleep('3 days');
      sandbox.setOrderStatus(code, 'compensated');
      expect(await checkout.until(statusIs('compensated'), '1 hour')).toMatchObject({ attention: null });
      expect(await checkout.result('10 days')).toMatchObject({ closed: true, status: 'compensated' });
      expect(checkouts.made(code)).toHaveLength(1);
    },
  );

  test(
    'of a hosted checkout that nobody pays, which expires after 48 hours and goes on in a new run',
    recordedAs('hosted-checkout-expired'),
    async ({ checkouts, code }) => {
      const checkout = await checkouts.opened(code);
      const before = await checkout.state();
      const expired = await checkout.until(statusIs('expired'), '1 hour', 60);
      const openMs = Date.parse(expired.updated_at) - Date.parse(before.updated_at);
      expect(Math.round(openMs / 3_600_000)).toBe(48);
      expect(expired).toMatchObject({
        attention: null,
        closed: false,
        last_read: { status: 'waiting_payment' },
      });
      expect(await checkout.result('10 days')).toMatchObject({ status: 'expired', closed: true });
    },
  );

  test(
    'of a 3D Secure order, which gives tokens to the browser and takes a card once',
    recordedAs('three-d-secure-completed'),
    async ({ code, sandbox, secureOrders }) => {
      const order = await secureOrders.opened(code);
      const tokens = await Promise.all([1, 2, 3].map(() => secureOrders.issueToken(order)));
      expect(new Set(tokens.map(({ token }) => token)).size).toBe(3);
      const taken = await secureOrders.complete(order, secureOrders.completion({ by: 'shop' }));
      expect(taken).toMatchObject({ status: 'submitting', attention: null });
      await order.until(statusIs('waiting_payment'), '1 second');
      expect(await secureOrders.issueToken(order).catch(refusalOf)).toBe('NotAwaitingAuthentication');
      sandbox.setOrderStatus(code, 'paid');
      await order.until(statusIs('paid'));
      sandbox.setOrderStatus(code, 'compensated');
      const result = await order.result('10 days');
      expect(result).toMatchObject({ status: 'compensated', closed: true, attention: null });
      expect(secureOrders.made(code)).toMatchObject([{ kind: '3ds', times_created: 1, times_submitted: 1 }]);
      for (const { token } of tokens) expect(JSON.stringify(result)).not.toContain(token);
    },
  );

  test('of a refund', recordedAs('refund-by-reads-alone'), async ({ code, refunds, sandbox }) => {
    const refund = await refunds.requested(code);
    expect(await refund.state()).toMatchObject({ requests: 1, attention: null, value: 99.9 });
    sandbox.setOrderStatus(code, 'refunded');
    const result = await refund.result('1 hour');
    expect(result).toMatchObject({ status: 'refunded', closed: true, attention: null, outcome: null });
    expect(result.timeline.find(({ by }) => by === 'shop')).toMatchObject({ reason: 'sold out' });
    expect(refunds.requestsOf(code)).toBe(1);
  });

  test(
    'of an account validation, which is answered two days later',
    recordedAs('account-validation-answered-by-postback'),
    async ({ clock, code, validations }) => {
      const validation = await validations.requested(code);
      await clock.sleep('2 days');
      await validation.postback({ status: 'valid', partner_code: code });
      expect(await validation.result('1 second')).toMatchObject({ answer: { source: 'postback' } });
      expect(validations.made(code)).toMatchObject([{ times_created: 1 }]);
    },
  );
});

describe('a payout', () => {
  test(
    'that is final within a moment is read by its creating call',
    recordedAs('payout-done-at-once'),
    async ({ code, payouts, sandbox }) => {
      lingers = true;
      onTestFinished(() => void (lingers = false));
      const payout = await payouts.start(code);
      await sandbox.until(() => payouts.made(code).length > 0);
      sandbox.setPayoutStatus(code, 'done');
      const done = await payout.until(statusIs('done'), '1 second');
      expect(done.last_read).toMatchObject({ cause: 'creation', status: 'done' });
      expect(payouts.madeCodes(code)).toEqual([code]);
    },
  );

  test(
    'that has its account validated is sent once the answer is in favour of it',
    recordedAs('payout-account-validated-first'),
    async ({ code, payouts, sandbox }) => {
      const payout = await payouts.startTransfer(code, { validate_account: true });
      await sandbox.until(({ validations }) => validations.some(({ partner_code: sent }) => sent === code));
      expect(payouts.made(code)).toHaveLength(0);
      await payout.postback({ status: 'valid', partner_code: code });
      await payout.until(statusIs('claimed'));
      expect(payouts.made(code)).toHaveLength(1);
    },
  );

  test(
    'that no scan finds is sent again once an operator has stated that nothing had happened',
    recordedAs('payout-never-found'),
    async ({ code, payouts }) => {
      const payout = await payouts.start(code, 'dropped-before');
      const unknown = await payout.until(statusIs('submission_unknown'));
      expect(unknown.attention).toBe('submission_unknown');
      expect(await payout.command('retryPayout').catch(refusalOf)).toBe('NotParked');
      const resolved = await payout.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
      expect(resolved).toMatchObject({ status: 'rejected', attention: 'payout_failed' });
      await payout.command('retryPayout', { corrections: { pix: 'maria.silva@example.com' } });
      await payout.until(statusIs('claimed'));
      expect(payouts.madeCodes(code)).toEqual([`${code}-r2`]);
    },
  );

  test('that is waited for answers five callers, and refuses the sixth', async ({
    code,
    payouts,
    sandbox,
  }) => {
    const payout = await payouts.shownAs(code);
    const wait = () =>
      payout.command('awaitStatus', { statuses: ['done'], timeout_seconds: 30 }).catch(refusalOf);
    const waits = Array.from({ length: 6 }, wait);
    expect(await Promise.race(waits)).toBe('TooManyWaiting');
    sandbox.setPayoutStatus(code, 'done');
    await payout.signal('statusHint', { source: 'test' });
    const answers = await Promise.all(waits);
    const answered = answers.flatMap((answer) => (typeof answer === 'string' ? [] : [answer.status]));
    expect(answered).toEqual(Array.from({ length: 5 }, () => 'done'));
  });
});

describe('a payout that fails', () => {
  test(
    'is retried with a corrected key, and is done',
    recordedAs('payout-retried-with-a-correction'),
    async ({ code, payouts, sandbox }) => {
      const payout = await payouts.failed(code);
      expect((await payout.state()).attention_detail).toContain('retryPayout');
      const corrections = { pix: 'right@example.com' };
      const retry = { attempt: 1, corrections, reason: 'wrong key', by: 'ana' };
      expect(await payout.command('retryPayout', retry)).toMatchObject({
        ...{ attempts: [{}, {}], awaiting: 'the outcome of the step under way' },
      });
      await payout.until(statusIs('claimed'));
      sandbox.setPayoutStatus(`${code}-r2`, 'done');
      const done = await payout.until(statusIs('done'));
      expect(done).toMatchObject({ attention: null, attempts: [{ status: 'error' }, { status: 'done' }] });
      expect(done.timeline.find(({ by }) => by === 'ana')).toMatchObject({ reason: 'wrong key' });
      expect(JSON.stringify(done.timeline)).not.toContain('right@example.com');
      expect(await payout.result()).toMatchObject({ status: 'done', closed: true });
      expect(payouts.madeCodes(code)).toEqual([code, `${code}-r2`]);
    },
  );

  // Kept, since a Signal is checked again in each replay.
  test(
    'is retried by a Signal with texts as long as they may be, after one that is ignored',
    recordedAs('payout-retried-by-signal'),
    async ({ code, payouts, sandbox, stack }) => {
      const payout = await payouts.failed(code);
      const handle = stack.handleOf(payout);
      await handle.signal('retryPayout', { by: 'ana', reason: 'the bank\nwas down' });
      await handle.signal('retryPayout', { by: 'a'.repeat(128), reason: 'The bank was down. '.repeat(26) });
      await payout.until(statusIs('claimed'));
      sandbox.setPayoutStatus(`${code}-r2`, 'done');
      const done = await payout.until(statusIs('done'));
      expect(done.attempts).toHaveLength(2);
      expect(timelineShows('reason must not have control or format characters')(done)).toBe(true);
      await payout.result();
      expect(payouts.madeCodes(code)).toEqual([code, `${code}-r2`]);
    },
  );

  test(
    'and turns done before the retry is not paid again; the history says why in plain words',
    recordedAs('payout-done-before-its-retry'),
    async ({ code, payouts, sandbox, stack }) => {
      const payout = await payouts.failed(code);
      sandbox.setPayoutStatus(code, 'done');
      expect(await payout.command('retryPayout').catch(refusalOf)).toBe('AlreadyMoving');
      expect(await payout.state()).toMatchObject({ status: 'done', attention: null });
      const { events } = await stack.handleOf(payout).fetchHistory();
      const failures = (events ?? []).flatMap(
        ({ workflowExecutionUpdateCompletedEventAttributes: completed }) => completed?.outcome?.failure ?? [],
      );
      const message = 'A fresh read shows that a previous attempt did not fail: done. Nothing was sent.';
      expect(failures).toMatchObject([{ message, stackTrace: '', encodedAttributes: null }]);
      expect(payouts.madeCodes(code)).toEqual([code]);
    },
  );

  test(
    'and turns done while its next attempt waits to be sent again is not paid again',
    recordedAs('payout-proven-before-it-is-sent-again'),
    async ({ code, payouts, sandbox }) => {
      const payout = await payouts.shownAs(code, 'error');
      payouts.throttle(`${code}-r2`);
      await payout.command('retryPayout');
      await payout.until(timelineShows('is sent again'), '1 second');
      sandbox.setPayoutStatus(code, 'done');
      const done = await payout.until(statusIs('done'));
      expect(done.attempts).toMatchObject([{ status: 'done' }, { status: 'rejected' }]);
      expect(payouts.madeCodes(code)).toEqual([code]);
    },
  );

  test(
    'can be abandoned, and needs attention when it is done after all',
    recordedAs('payout-abandoned-then-done'),
    async ({ code, payouts, sandbox }) => {
      const payout = await payouts.failed(code);
      const abandoned = await payout.command('abandonPayout', { reason: 'paid in cash', by: 'rui' });
      expect(abandoned).toMatchObject({ status: 'abandoned', attention: null });
      sandbox.setPayoutStatus(code, 'done');
      await payout.until(attentionIs('inconsistent_answer'), '1 day');
      expect(await payout.command('acknowledgeAttention', { by: 'rui' })).toMatchObject({ attention: null });
      expect(await payout.result()).toMatchObject({ status: 'done' });
    },
  );

  test(
    'and that no read finds any more is followed by the identifier that it has moved to',
    recordedAs('payout-moved-to-another-identifier'),
    async ({ code, payouts, sandbox }) => {
      const payout = await payouts.failed(code);
      sandbox.movePayout(code);
      await payout.until(({ commands }) => commands.includes('resolveSubmission'), '6 hours');
      const service_id = payouts.idOf(code);
      await payout.command('resolveSubmission', { service_id, ...decision });
      sandbox.setPayoutStatus(code, 'done');
      expect(await payout.until(statusIs('done'), '1 hour')).toMatchObject({ attention: null, service_id });
    },
  );
});

/** Stages that no whole life comes to: an operator decides, and the order goes on. */
const decided = [
  ['cardOrder', 'await_card', recordedAs('card-order-with-a-second-card')],
  ['hostedCheckout', 'resolve', recordedAs('hosted-checkout-resolved-by-an-operator')],
  ['threeDSecureOrder', 'resolve', recordedAs('three-d-secure-resolved-by-an-operator')],
  ['threeDSecureOrder', 'await_card', recordedAs('three-d-secure-with-a-second-card')],
  [
    ...(['threeDSecureOrder', 'resolve_completion'] as const),
    recordedAs('three-d-secure-completion-resolved-by-an-operator'),
  ],
] as const;

describe('an order', () => {
  for (const [lifecycle, stage, history] of decided)
    test(
      `(${lifecycle}) in ${stage} goes on as an operator decides, and is sent once`,
      history,
      async ({ orders, sandbox, secureOrders, stack }) => {
        const found = everyStage.find((each) => each.lifecycle === lifecycle && each.stage === stage);
        if (found === undefined) throw new Error('There is no such stage.');
        const order = await found.bring(stack);
        const { partner_code: code } = await order.state();
        const service_id = sandbox.ledger(code).orders[0]?.id;
        const decided =
          stage === 'await_card'
            ? await order.command('provideCard', orders.cards.stored())
            : await order.command('resolveSubmission', { service_id, ...decision });
        expect(decided).toMatchObject({ attention: null });
        if (decided.status === 'awaiting_authentication')
          await order.command('completeThreeDSecure', secureOrders.completion());
        if (lifecycle === 'hostedCheckout') sandbox.payCheckout(code);
        if (stage !== 'await_card') sandbox.setOrderStatus(code, 'paid');
        const status = stage === 'await_card' ? 'waiting_payment' : 'paid';
        await order.until(statusIs(status), stage === 'await_card' ? '1 second' : '1 hour');
        expect(sandbox.ledger(code).orders).toMatchObject([{ times_created: 1, times_submitted: 1 }]);
      },
    );

  test(
    'that was answered with a wrong identifier is followed, and found, by the one that an operator gives',
    recordedAs('card-order-with-a-wrong-identifier'),
    async ({ code, orders, sandbox, stack }) => {
      const body = { id: '999999', status: 'waiting_payment' };
      const fault = { effect: 'done', status: 201, body } as const;
      sandbox.fault({ endpoint: 'POST /v1/order', partner_code: code, fault });
      const order = await orders.start(code);
      await order.until(({ commands }) => commands.includes('resolveSubmission'), '1 second');
      const service_id = orders.idOf(code);
      const resolved = await order.command('resolveSubmission', { service_id, ...decision });
      expect(resolved).toMatchObject({ service_id, status: 'waiting_payment' });
      const { searchAttributes } = await stack.handleOf(order).describe();
      expect(searchAttributes.PaymentServiceId).toEqual([service_id]);
      sandbox.setOrderStatus(code, 'paid');
      await order.until(statusIs('paid'), '1 hour');
      expect(orders.made(code)).toMatchObject([{ times_created: 1 }]);
    },
  );
});

describe('a refund', () => {
  test(
    'that an operator has resolved is watched to the end',
    recordedAs('refund-resolved-by-an-operator'),
    async ({ code, refunds }) => {
      const refund = await refunds.unconfirmed(code, 'refund-dropped-before');
      await refund.command('resolveRefund', { outcome: 'not_refunded', ...decision });
      expect(await refund.result('10 days')).toMatchObject({ status: 'resolved', outcome: 'not_refunded' });
    },
  );

  test(
    'that the service answered for another order waits to be acknowledged once it is done',
    recordedAs('refund-acknowledged'),
    async ({ code, refunds, sandbox }) => {
      const fault = { effect: 'done', status: 200, body: { id: '999999' } } as const;
      sandbox.fault({ endpoint: 'PUT /v1/order/{id}/refund', partner_code: code, fault });
      const refund = await refunds.requested(code);
      sandbox.setOrderStatus(code, 'refunded');
      const done = await refund.until(statusIs('refunded'), '1 hour');
      expect(done).toMatchObject({ attention: 'inconsistent_answer', closed: false });
      const seen = { attention: 'inconsistent_answer', ...decision };
      // The server that skips time forgets the answer to an Update that ends its workflow.
      await refund.command('acknowledgeAttention', seen).catch(() => undefined);
      expect(await refund.result('1 second')).toMatchObject({ status: 'refunded', attention: null });
      expect(refunds.requestsOf(code)).toBe(1);
    },
  );
});

// Last: the server holds its clock for a task that nobody takes.
test('a card whose gateway is gone is awaited again: nothing was sent', async ({
  clock,
  code,
  orders,
  stack,
}) => {
  const gone = { card_ref: randomUUID(), task_queue: `card-store-${randomUUID()}` };
  const order = await orders.start(code, '', { card: gone });
  const pending = async () => (await stack.handleOf(order).describe()).raw.pendingActivities ?? [];
  await expect.poll(async () => (await pending()).length).toBe(1);
  // Two sleeps at once let go of the clock for that task as well. The last of its half minute really passes.
  await Promise.all([clock.sleep('25 seconds'), clock.sleep('25 seconds')]);
  await order.until(statusIs('awaiting_card'), '5 seconds', 20);
  await order.command('provideCard', orders.cards.stored());
  await order.until(statusIs('waiting_payment'), '1 second');
  expect(orders.made(code)).toHaveLength(1);
});
