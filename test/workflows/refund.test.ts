import { describe, expect } from 'vitest';
import { refundWorkflowId } from '../../src/domain/ids.js';
import { attentionIs, statusIs, timelineShows } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

const endpoint = 'PUT /v1/order/{id}/refund';

describe('a refund that goes well', () => {
  test('of an order that nothing but its identifier is known of', async ({ clock, refund, refunds }) => {
    const service_id = await refund.paidOrder('', 'compensated');
    await clock.pass('300 days');
    await refunds.startAs(refundWorkflowId(service_id), { partner_code: refund.code, service_id });
    await refund.until(statusIs('refund_processing'));
    refund.service.shows('refunded');
    expect(await refund.result('1 hour')).toMatchObject({ status: 'refunded', value: null });
  });

  test('is seen by its order as soon as a read shows it, without a postback', async ({ order, refunds }) => {
    await order.settled();
    const refund = await refunds.start(order.code, order.id());
    await refund.until(statusIs('refund_processing'));
    order.service.shows('refunded');
    await refund.result('1 hour');
    await order.until(statusIs('refunded'), '1 minute');
  });

  test('is requested once for an order, whatever codes its refunds are started under', async ({
    refund,
    refunds,
  }) => {
    const other = freshCode();
    await refund.start('refund-never');
    const service_id = refund.orderId();
    await expect(refunds.start(other, service_id)).rejects.toThrow('already started');
    const bare = await refunds.startAs(`refund-${other}`, { partner_code: other, service_id });
    expect(await bare.result('1 second', 10)).toMatchObject({ attention: 'invalid_input', requests: 0 });
    await refund.after('2 days');
    expect(refund.requests()).toBe(1);
    expect(refundWorkflowId(service_id)).not.toContain(refund.code);
  });
});

describe('a refund is not requested', () => {
  test('when one made elsewhere is under way or done, which is followed', async ({ refund }) => {
    await refund.start('', { status: 'refund_processing' });
    const followed = await refund.until(statusIs('refund_processing'));
    expect(followed).toMatchObject({ requests: 0, last_read: { cause: 'command' } });
    refund.service.shows('refunded');
    expect(await refund.result('1 hour')).toMatchObject({ status: 'refunded', requests: 0 });
    expect(refund.requests()).toBe(0);
  });

  test('by what another payment is said to have: the identifier of a refund is its order’s', async ({
    refund,
  }) => {
    await refund.requested();
    await refund.signal('identifierShared', { service_id: refund.orderId(), workflow_id: 'order-another' });
    refund.service.shows('refunded');
    expect(await refund.result('1 hour')).toMatchObject({ status: 'refunded' });
  });

  test('when the identifier is of another order', async ({ code, refunds }) => {
    const other = freshCode();
    const refund = await refunds.start(code, await refunds.paidOrder(other, 'read-with-partner-code'));
    const stopped = await refund.until(statusIs('rejected'));
    expect(stopped.attention).toBe('inconsistent_answer');
    expect(await refund.refusal('retryRefund')).toBe('AlreadyMoving');
    expect(refunds.requestsOf(other)).toBe(0);
  });

  test('when the order can not be read for an hour, which needs attention', async ({ code, refunds }) => {
    const refund = await refunds.start(code, '999999999');
    const stopped = await refund.until(attentionIs('refund_failed'), '10 minutes', 20);
    expect(stopped).toMatchObject({ status: 'rejected', requests: 0 });
  });

  test.for(['refunded', 'chargeback'])(
    'after it has waited for an hour when the order reads as %s by then',
    async (status, { refund }) => {
      await refund.paidOrder();
      refund.service.throttles(endpoint, 1_800);
      await refund.begin();
      await refund.until(timelineShows('will be sent again'), '1 second', 20);
      refund.service.shows(status);
      expect(await refund.after('2 hours')).toMatchObject({ requests: 0 });
      expect(refund.requests()).toBe(0);
    },
  );
});

describe('a refund that fails', () => {
  test('because the service refuses it shows its words, and is retried on command', async ({ refund }) => {
    await refund.refused();
    const refused = await refund.state();
    expect(refused).toMatchObject({ status: 'rejected', requests: 1 });
    expect(refused.refusal).toContain('422');
    await refund.command('retryRefund');
    expect((await refund.until(statusIs('refund_processing'))).refusal).toBeNull();
    expect(refund.requests()).toBe(1);
  });

  test('by the status of its order needs attention, and is retried on command', async ({ refund }) => {
    await refund.requested();
    refund.service.shows('refund_failed');
    expect(await refund.until(attentionIs('refund_failed'))).toMatchObject({ status: 'rejected' });
    refund.service.shows('paid');
    await refund.command('retryRefund');
    await refund.until(statusIs('refund_processing'));
    expect(refund.requests()).toBe(2);
  });

  test('by answers 429 for all its time needs attention, and is not called unsent', async ({ refund }) => {
    await refund.start('refund-429-always');
    const given = await refund.until(attentionIs('refund_failed'), '5 minutes', 40);
    expect(given).toMatchObject({ status: 'rejected', requests: 0 });
    expect(given.attention_detail).toContain("By the service's answer no money goes back");
    expect(JSON.stringify(given.timeline)).not.toContain('Nothing was sent');
    expect(refund.requests()).toBe(0);
  });

  test('needs attention when the order is charged back while the refund is open', async ({ refund }) => {
    await refund.requested();
    refund.service.shows('chargeback');
    await refund.until(attentionIs('chargeback'));
    expect(await refund.command('acknowledgeAttention')).toMatchObject({ attention: null });
    refund.service.shows('refunded');
    expect(await refund.result('1 day')).toMatchObject({ status: 'refunded' });
  });
});
