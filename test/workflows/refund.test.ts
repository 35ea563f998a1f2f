import { describe, expect } from 'vitest';
import { refundWorkflowId } from '../../src/domain/ids.js';
import { attentionIs, meanwhile, statusIs, timelineShows } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

describe('a refund that goes well', () => {
  test('long after settlement, of an order that nothing but its identifier is known of', async ({
    clock,
    code,
    refunds,
    service,
  }) => {
    const id = await refunds.paidOrder(code, '', 'compensated');
    await clock.sleep('300 days');
    const refund = await refunds.startAs(refundWorkflowId(id), { partner_code: code, service_id: id });
    await refund.until(statusIs('refund_processing'));
    service.shows('refunded');
    expect(await refund.result('1 hour')).toMatchObject({
      status: 'refunded',
      value: null,
    });
  });

  test('is seen by its order as soon as a read shows it, without a postback', async ({ order, refunds }) => {
    await order.settled();
    const refund = await refunds.start(order.code, order.id());
    await refund.until(statusIs('refund_processing'));
    order.service.shows('refunded');
    await refund.result('1 hour');
    await order.until(statusIs('refunded'), '1 minute');
  });

  test('a postback makes the next read due at once', async ({ refund }) => {
    await refund.requested();
    await refund.after('2 days');
    refund.service.shows('refunded');
    await refund.signal('postbackReceived', {
      received_at: new Date().toISOString(),
      content_type: null,
      body: '',
    });
    const result = await refund.result('1 second', 10);
    expect(result.last_read).toMatchObject({ cause: 'postback', status: 'refunded' });
  });

  test('that is answered "success: false" is not called taken, and its words are shown', async ({
    code,
    refunds,
    service,
  }) => {
    const id = await refunds.paidOrder(code);
    const body = { id, success: false, message: 'Saldo insuficiente' };
    service.answers('PUT /v1/order/{id}/refund', { effect: 'none', status: 200, body });
    const refund = await refunds.start(code, id);
    const asked = await refund.until(attentionIs('refund_unconfirmed'), '1 second');
    expect(asked).toMatchObject({ status: 'unconfirmed' });
    expect(asked.attention_detail).toContain('says that it failed');
    expect(asked.attention_detail).toContain('Saldo insuficiente');
  });

  test('of another value than its order is refused, for only the whole order can be refunded', async ({
    code,
    refunds,
  }) => {
    const refund = await refunds.start(code, await refunds.paidOrder(code), { value: 10 });
    expect(await refund.result()).toMatchObject({
      status: 'rejected',
      attention: 'invalid_input',
      attention_detail: expect.stringContaining(
        'value is not the value of the order, R$ 99.90: only the whole order can be refunded.',
      ) as unknown,
      requests: 0,
    });
    expect(refunds.requestsOf(code)).toBe(0);
  });

  test.for(['denied', 'waiting_payment'])(
    'is not requested of an order that reads as %s',
    async (status, { code, refunds }) => {
      const refund = await refunds.start(code, await refunds.paidOrder(code, '', status));
      const refused = await refund.until(attentionIs('refund_failed'));
      expect(refused.attention_detail).toContain('it was not charged');
      expect(refunds.requestsOf(code)).toBe(0);
    },
  );

  test('is not requested when the order is refunded already', async ({ code, refunds }) => {
    const refund = await refunds.start(code, await refunds.paidOrder(code, '', 'refunded'));
    expect(await refund.result('1 minute')).toMatchObject({
      status: 'refunded',
      requests: 0,
    });
    expect(refunds.requestsOf(code)).toBe(0);
  });

  test('is not requested when one made elsewhere is under way, which is followed', async ({
    code,
    refunds,
    service,
  }) => {
    const refund = await refunds.start(code, await refunds.paidOrder(code, '', 'refund_processing'));
    expect(await refund.until(statusIs('refund_processing'))).toMatchObject({ requests: 0 });
    service.shows('refunded');
    expect(await refund.result('1 hour')).toMatchObject({ status: 'refunded' });
    expect(refunds.requestsOf(code)).toBe(0);
  });

  test.for(['refund-401', 'refund-429', 'refund-401+refund-429'])(
    'is sent again after %s, which did nothing, and queued once',
    async (tags, { refund }) => {
      await refund.requested(tags);
      expect(refund.requests()).toBe(1);
    },
  );

  test.for(['refund-nested', 'refund-status-absent', 'refund-204', 'refund-202', 'refund-id-integer'])(
    'works with the answer %s as if it were usual',
    async (tags, { refund }) => {
      await refund.requested(tags);
      refund.service.shows('refunded');
      await refund.result('1 hour');
      expect(refund.requests()).toBe(1);
    },
  );
});

describe('a refund that fails', () => {
  test('because the service refuses it needs attention with its words, and is retried on command', async ({
    refund,
  }) => {
    await refund.refused();
    expect(await refund.state()).toMatchObject({ status: 'rejected', requests: 1 });
    expect((await refund.state()).refusal).toContain('422');
    await refund.command('retryRefund', { reason: 'balance is there', by: 'ana' });
    expect((await refund.until(statusIs('refund_processing'))).refusal).toBeNull();
    expect(refund.requests()).toBe(1);
  });

  test('by the status of its order needs attention', async ({ refund }) => {
    await refund.requested();
    refund.service.shows('refund_failed');
    const failed = await refund.until(attentionIs('refund_failed'));
    expect(failed.status).toBe('rejected');
    refund.service.shows('paid');
    await refund.command('retryRefund');
    await refund.until(statusIs('refund_processing'));
    expect(refund.requests()).toBe(2);
  });

  test('does not fail again by the status that the previous request left behind', async ({
    refund,
    refunds,
  }) => {
    await refund.requested();
    refund.service.shows('refund_failed');
    await refund.until(attentionIs('refund_failed'));
    refund.service.answers('PUT /v1/order/{id}/refund', {
      effect: 'none',
      status: 200,
      body: { id: refunds.orders.idOf(refund.code), status: 'refund_processing' },
    });
    await refund.command('retryRefund');
    expect(await refund.after('3 days')).toMatchObject({ status: 'refund_processing', attention: null });
    refund.service.shows('refund_processing');
    await refund.after('1 day');
    refund.service.shows('refund_failed');
    await refund.until(attentionIs('refund_failed'), '1 hour');
  });

  test('is retried once by two commands at the same time', async ({ refund }) => {
    await refund.refused();
    const answers = await Promise.all([
      refund.command('retryRefund').catch(refusalOf),
      refund.command('retryRefund').catch(refusalOf),
    ]);
    expect(answers).toContain('NotParked');
    await refund.until(statusIs('refund_processing'));
    expect(refund.requests()).toBe(1);
  });

  test('is not retried while the order can not be read', async ({ clock, refund }) => {
    await refund.refused();
    refund.service.answers('GET /v1/order/{id}', { effect: 'none', status: 503 }, { times: 5 });
    expect(await meanwhile(clock, refund.command('retryRefund').catch(refusalOf))).toBe('CouldNotRead');
    expect(refund.requests()).toBe(0);
  });

  test('is not requested while the order reads as charged back: the money would go back twice', async ({
    code,
    refunds,
  }) => {
    const refund = await refunds.start(code, await refunds.paidOrder(code, '', 'chargeback'));
    await refund.until(attentionIs('refund_failed'));
    expect(await refund.command('retryRefund').catch(refusalOf)).toBe('AlreadyMoving');
    expect(refunds.requestsOf(code)).toBe(0);
  });

  test('needs attention when the order is charged back while the refund is open', async ({ refund }) => {
    await refund.requested();
    refund.service.shows('chargeback');
    await refund.until(attentionIs('chargeback'));
    expect(await refund.command('acknowledgeAttention', { by: 'ana' })).toMatchObject({ attention: null });
    refund.service.shows('refunded');
    expect(await refund.result('1 day')).toMatchObject({ status: 'refunded' });
  });

  test('is not requested when the identifier is of another order', async ({ code, refunds }) => {
    const other = freshCode();
    const refund = await refunds.start(code, await refunds.paidOrder(other, 'read-with-partner-code'));
    const stopped = await refund.until(statusIs('rejected'));
    expect(stopped.attention).toBe('inconsistent_answer');
    expect(refunds.requestsOf(other)).toBe(0);
  });

  test('needs attention when the order can not be read for an hour: nothing was sent', async ({
    refunds,
  }) => {
    const refund = await refunds.start(freshCode(), '999999999');
    const stopped = await refund.until(attentionIs('refund_failed'), '10 minutes', 20);
    expect(stopped).toMatchObject({ status: 'rejected', requests: 0 });
  });

  test('refuses commands while it needs no attention', async ({ refunds }) => {
    const refund = await refunds.requested(freshCode());
    expect(await refund.command('retryRefund', { nothing_queued: true }).catch(refusalOf)).toBe('NotParked');
    expect(await refund.command('resolveRefund', { outcome: 'refunded' }).catch(refusalOf)).toBe('NotParked');
  });
});

describe('a cancel request', () => {
  test('before anything was sent ends the refund as cancelled, whether or not its order can be read', async ({
    refunds,
  }) => {
    const refund = await refunds.start(freshCode(), '999999999');
    await refund.until(({ timeline }) => timeline.length > 0, '1 second');
    await refund.cancel();
    await refund.until(statusIs('cancelled'), '1 second');
    const result = await refund.result('182 days');
    expect(result).toMatchObject({ status: 'cancelled', closed: true, attention: null, requests: 0 });
  });

  test('after the service has answered 429 waits for a decision, and nothing is requested', async ({
    refund,
  }) => {
    await refund.start('refund-429-always');
    await refund.until(timelineShows('429'), '1 second');
    await refund.cancel();
    const state = await refund.until(attentionIs('refund_failed'), '1 second');
    expect(state).toMatchObject({ status: 'rejected', closed: false });
    expect(state.attention_detail).toContain("By the service's answer no money goes back");
    refund.service.recovers();
    await refund.after('3 days');
    expect(refund.requests()).toBe(0);
  });
});

test.for([
  ['without the identifier of the order', (code: string) => ({ partner_code: code })],
  [
    'with a field that is not known',
    (code: string) => ({ partner_code: code, service_id: code, value: 1.001 }),
  ],
] as const)('a refund that is started %s is refused', async ([, input], { code, refunds }) => {
  const refund = await refunds.startAs(refundWorkflowId(code), input(code));
  const result = await refund.result();
  expect(result).toMatchObject({ status: 'rejected', attention: 'invalid_input', closed: true });
});
