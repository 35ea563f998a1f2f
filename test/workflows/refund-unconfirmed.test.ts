import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

describe('a refund that is not confirmed', () => {
  test('needs attention after ten days of an order that goes on reading as paid, and goes on being read', async ({
    refund,
  }) => {
    await refund.requested('refund-never');
    const late = await refund.until(statusIs('unconfirmed'), '1 day', 14);
    expect(late).toMatchObject({ attention: 'refund_unconfirmed', requests: 1 });
    refund.service.shows('refunded');
    expect(await refund.result('1 day')).toMatchObject({
      status: 'refunded',
      attention: null,
    });
    expect(refund.requests()).toBe(1);
  });

  test.for([
    'refund-accepted-then-dropped',
    'refund-500-after',
    'refund-html',
    'refund-307-after',
    'refund-409',
  ])('because the request ended with %s is never requested again by itself', async (tags, { refund }) => {
    await refund.unconfirmed(tags);
    expect(await refund.after('1 day')).toMatchObject({
      status: 'unconfirmed',
      attention: 'refund_unconfirmed',
      requests: 1,
    });
    expect(refund.requests()).toBeLessThan(2);
  });

  test('is confirmed by a read that shows it under way', async ({ code, refunds }) => {
    const tags = 'refund-accepted-then-dropped+refund-visible';
    const refund = await refunds.start(code, await refunds.paidOrder(code, tags));
    const state = await refund.until(
      ({ status, attention }) => status === 'refund_processing' && attention === null,
    );
    expect(state.timeline.some(({ what }) => what.includes('refund_unconfirmed'))).toBe(true);
  });

  test('is retried only when an operator states that none is queued, and after a fresh read', async ({
    refund,
  }) => {
    await refund.unconfirmed('refund-dropped-before');
    expect(await refund.command('retryRefund', { by: 'ana' }).catch(refusalOf)).toBe('DecisionNeeded');
    expect(refund.requests()).toBe(0);
    const retried = await refund.command('retryRefund', {
      nothing_queued: true,
      reason: 'support says so',
      by: 'ana',
    });
    expect(retried).toMatchObject({ status: 'requesting', attention: null });
    await refund.until(statusIs('refund_processing'));
    expect(refund.requests()).toBe(1);
  });

  test('is not retried when the fresh read shows the order as refunded, whatever the operator states', async ({
    refund,
  }) => {
    await refund.unconfirmed();
    refund.service.shows('refunded');
    const answer = await refund.command('retryRefund', { nothing_queued: true }).catch(refusalOf);
    expect(answer).toBe('AlreadyMoving');
    expect(await refund.result()).toMatchObject({ status: 'refunded' });
    expect(refund.requests()).toBe(1);
  });

  test('is not retried while a fresh read shows it under way, whatever the operator states', async ({
    refund,
  }) => {
    await refund.requested();
    await refund.until(statusIs('unconfirmed'), '1 day', 14);
    refund.service.shows('refund_processing');
    const answer = await refund.command('retryRefund', { nothing_queued: true }).catch(refusalOf);
    expect(answer).toBe('AlreadyMoving');
    expect(refund.requests()).toBe(1);
  });

  test('that is answered 429 for all its time needs attention, and is not called unsent', async ({
    code,
    refunds,
    sandbox,
    service,
  }) => {
    const id = await refunds.paidOrder(code);
    sandbox.fault({
      endpoint: 'PUT /v1/order/{id}/refund',
      times: 1_000,
      fault: { effect: 'none', status: 429 },
    });
    const refund = await refunds.start(code, id);
    const given = await refund.until(attentionIs('refund_failed'), '5 minutes', 40);
    expect(given).toMatchObject({ status: 'rejected', requests: 0 });
    expect(given.attention_detail).toContain("By the service's answer no money goes back");
    expect(JSON.stringify(given.timeline)).not.toContain('Nothing was sent');
    service.recovers();
    expect(refunds.requestsOf(code)).toBe(0);
  });

  test.for(['refunded', 'not_refunded'] as const)(
    'ends as an operator resolves it: %s',
    async (outcome, { refund }) => {
      await refund.unconfirmed();
      const resolved = await refund.command('resolveRefund', { outcome, reason: 'asked them', by: 'ana' });
      expect(resolved).toMatchObject({ status: 'resolved', outcome, attention: null });
      const result = await refund.result('182 days');
      expect(result).toMatchObject({ status: 'resolved', outcome, closed: true });
      expect(result.timeline.find(({ by }) => by === 'ana')).toMatchObject({ reason: 'asked them' });
    },
  );

  test('takes no resolution without an outcome, and no acknowledgement in place of one', async ({
    refunds,
  }) => {
    const refund = await refunds.unconfirmed(freshCode());
    expect(await refund.command('resolveRefund', { outcome: 'perhaps' }).catch(refusalOf)).toBe(
      'InvalidMessage',
    );
    expect(await refund.command('acknowledgeAttention').catch(refusalOf)).toBe('DecisionNeeded');
  });
});
