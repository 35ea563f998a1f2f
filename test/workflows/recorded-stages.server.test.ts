import { describe, expect } from 'vitest';
import { recordedAs } from '../support/keep-histories.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { test as base } from '../support/payments.js';
import { freshCode } from '../support/requests.js';

// Stages whose rules are shown on the simulated `ctx`: here they leave histories, by which newer code is judged.
const test = base.extend('stackOptions', { scope: 'file' }, () => ({ lingers: true }));

const decision = { reason: 'seen at the service', by: 'ana' };

describe('a payout', () => {
  test(
    'that is final within a moment is read by its creating call',
    recordedAs('payout-done-at-once'),
    async ({ payouts, sandbox }) => {
      const code = freshCode();
      const payout = await payouts.start(code);
      await sandbox.until(({ payouts: made }) => made.some(({ partner_code: sent }) => sent === code));
      sandbox.setPayoutStatus(code, 'done');
      const done = await payout.until(statusIs('done'), '1 second');
      expect(done.last_read).toMatchObject({ cause: 'creation', status: 'done' });
      expect(payouts.madeCodes(code)).toEqual([code]);
    },
  );

  test(
    'that was answered with a wrong identifier is followed by the one that an operator gives',
    recordedAs('payout-with-a-wrong-identifier'),
    async ({ payouts, sandbox }) => {
      const code = freshCode();
      sandbox.fault({
        ...{ endpoint: 'POST /v1/payout/pix', partner_code: code },
        fault: { effect: 'done', status: 201, body: { id: '999999', status: 'claimed' } },
      });
      const payout = await payouts.start(code);
      await payout.until(({ commands }) => commands.includes('resolveSubmission'), '1 second');
      const service_id = payouts.made(code)[0]?.id ?? '';
      const resolved = await payout.command('resolveSubmission', { service_id, ...decision });
      expect(resolved).toMatchObject({ service_id, status: 'claimed' });
      sandbox.setPayoutStatus(code, 'done');
      await payout.until(statusIs('done'), '1 hour');
      expect(payouts.madeCodes(code)).toEqual([code]);
    },
  );

  test(
    'that had failed, and that no read finds any more, is followed by the identifier that it has moved to',
    recordedAs('payout-moved-to-another-identifier'),
    async ({ payouts, sandbox }) => {
      const code = freshCode();
      const payout = await payouts.failed(code);
      sandbox.movePayout(code);
      await payout.until(({ commands }) => commands.includes('resolveSubmission'), '6 hours');
      const service_id = payouts.idOf(code);
      await payout.command('resolveSubmission', { service_id, ...decision });
      sandbox.setPayoutStatus(code, 'done');
      const done = await payout.until(statusIs('done'), '1 hour');
      expect(done).toMatchObject({ attention: null, service_id });
    },
  );
});

describe('an order', () => {
  test(
    'that was answered with a wrong identifier is followed by the one that an operator gives',
    recordedAs('card-order-with-a-wrong-identifier'),
    async ({ orders, sandbox }) => {
      const code = freshCode();
      sandbox.fault({
        ...{ endpoint: 'POST /v1/order', partner_code: code },
        fault: { effect: 'done', status: 201, body: { id: '999999', status: 'waiting_payment' } },
      });
      const order = await orders.start(code);
      await order.until(({ commands }) => commands.includes('resolveSubmission'), '1 second');
      const service_id = orders.idOf(code);
      const resolved = await order.command('resolveSubmission', { service_id, ...decision });
      expect(resolved).toMatchObject({ service_id, status: 'waiting_payment' });
      sandbox.setOrderStatus(code, 'paid');
      await order.until(statusIs('paid'), '1 hour');
      expect(orders.made(code)).toHaveLength(1);
    },
  );

  test(
    'at a hosted checkout of unknown outcome is followed once an operator has found it',
    recordedAs('hosted-checkout-resolved-by-an-operator'),
    async ({ checkouts, sandbox }) => {
      const code = freshCode();
      const checkout = await checkouts.start(code, 'accepted-then-dropped');
      await checkout.until(attentionIs('submission_unknown'), '1 second');
      const service_id = sandbox.ledger(code).orders[0]?.id ?? '';
      const resolved = await checkout.command('resolveSubmission', { service_id, ...decision });
      expect(resolved).toMatchObject({ service_id, status: 'waiting_payment', attention: null });
      sandbox.payCheckout(code);
      sandbox.setOrderStatus(code, 'paid');
      await checkout.until(statusIs('paid'), '1 hour');
      expect(sandbox.ledger(code).orders).toMatchObject([{ times_charged: 1 }]);
    },
  );

  test(
    'of 3D Secure whose opening has an unknown outcome awaits its customer once an operator has found it',
    recordedAs('three-d-secure-resolved-by-an-operator'),
    async ({ secureOrders, sandbox }) => {
      const code = freshCode();
      const order = await secureOrders.start(code, 'accepted-then-dropped');
      await order.until(attentionIs('submission_unknown'), '1 second');
      const service_id = secureOrders.made(code)[0]?.id ?? '';
      await order.command('resolveSubmission', { service_id, ...decision });
      await order.until(statusIs('awaiting_authentication'), '1 second');
      await secureOrders.complete(order);
      sandbox.setOrderStatus(code, 'paid');
      await order.until(statusIs('paid'), '1 hour');
      expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
    },
  );

  test(
    'whose completion has an unknown outcome is followed once an operator has found it taken',
    recordedAs('three-d-secure-completion-resolved-by-an-operator'),
    async ({ secureOrders, sandbox }) => {
      const code = freshCode();
      const order = await secureOrders.unknownCompletion(code);
      const { service_id } = await order.state();
      const resolved = await order.command('resolveSubmission', { service_id, ...decision });
      expect(resolved).toMatchObject({ attention: null });
      sandbox.setOrderStatus(code, 'paid');
      await order.until(statusIs('paid'), '1 hour');
      expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
    },
  );

  test(
    'whose customer was authenticated with a card that is lost is completed with another',
    recordedAs('three-d-secure-with-a-second-card'),
    async ({ secureOrders }) => {
      const code = freshCode();
      const order = await secureOrders.opened(code);
      await secureOrders.complete(order, secureOrders.completion({ card: secureOrders.cards.lost() }));
      await order.until(statusIs('awaiting_card'), '1 second');
      await order.command('provideCard', secureOrders.cards.stored());
      await order.until(statusIs('waiting_payment'), '1 second');
      expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
    },
  );
});

describe('a refund', () => {
  test(
    'of unknown outcome is requested again when an operator states that none is queued',
    recordedAs('refund-requested-again'),
    async ({ refunds, sandbox }) => {
      const code = freshCode();
      const refund = await refunds.unconfirmed(code, 'refund-dropped-before');
      await refund.command('retryRefund', { nothing_queued: true, ...decision });
      await refund.until(statusIs('refund_processing'), '1 second');
      sandbox.setOrderStatus(code, 'refunded');
      expect(await refund.result('1 hour')).toMatchObject({ status: 'refunded', attention: null });
      expect(refunds.requestsOf(code)).toBe(1);
    },
  );

  test(
    'that an operator has resolved is watched to the end',
    recordedAs('refund-resolved-by-an-operator'),
    async ({ refunds }) => {
      const refund = await refunds.unconfirmed(freshCode(), 'refund-dropped-before');
      await refund.command('resolveRefund', { outcome: 'not_refunded', ...decision });
      expect(await refund.result('10 days')).toMatchObject({ status: 'resolved', outcome: 'not_refunded' });
    },
  );

  test('that the service refuses waits for a decision', recordedAs('refund-refused'), async ({ refunds }) => {
    const refund = await refunds.refused(freshCode());
    await refund.until(attentionIs('refund_failed'));
    expect((await refund.state()).commands).toContain('retryRefund');
  });

  test(
    'that the service answered for another order waits to be acknowledged once it is done',
    recordedAs('refund-acknowledged'),
    async ({ refunds, sandbox }) => {
      const code = freshCode();
      sandbox.fault({
        ...{ endpoint: 'PUT /v1/order/{id}/refund', partner_code: code },
        fault: { effect: 'done', status: 200, body: { id: '999999' } },
      });
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

describe('an account validation', () => {
  test(
    'that is answered days later by postback is over then',
    recordedAs('account-validation-answered-by-postback'),
    async ({ clock, validations }) => {
      const code = freshCode();
      const validation = await validations.requested(code);
      await clock.sleep('2 days');
      await validation.postback({ status: 'valid', partner_code: code });
      expect(await validation.result('1 second')).toMatchObject({ answer: { source: 'postback' } });
      expect(validations.made(code)).toMatchObject([{ times_created: 1 }]);
    },
  );
});
