import { expect } from 'vitest';
import { refundWorkflowId } from '../../src/domain/ids.js';
import { timelineShows } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

const throttledForAnHour = { effect: 'none', status: 429, headers: { 'retry-after': '3600' } } as const;

test('one order is refunded once, whatever codes its refunds are started under', async ({
  clock,
  code,
  refunds,
}) => {
  const other = freshCode();
  const serviceId = await refunds.paidOrder(code, 'refund-never');
  await refunds.start(code, serviceId);
  await expect(refunds.start(other, serviceId)).rejects.toThrow('already started');
  const bare = await refunds.startAs(`refund-${other}`, { partner_code: other, service_id: serviceId });
  expect(await bare.result('1 second', 10)).toMatchObject({ attention: 'invalid_input', requests: 0 });
  await clock.pass('2 days');
  expect(refunds.requestsOf(code)).toBe(1);
  expect(refundWorkflowId(serviceId)).not.toContain(code);
});

test.for(['refunded', 'chargeback'])(
  'a refund that waits for an hour to be requested is not when the order reads as %s by then',
  async (status, { clock, code, refunds, service }) => {
    const serviceId = await refunds.paidOrder(code);
    service.answers('PUT /v1/order/{id}/refund', {
      ...throttledForAnHour,
      headers: { 'retry-after': '1800' },
    });
    const refund = await refunds.start(code, serviceId);
    await refund.until(timelineShows('will be sent again'), '1 second', 20);
    service.shows(status);
    await clock.pass('2 hours');
    expect(refunds.requestsOf(code)).toBe(0);
    expect(await refund.state()).toMatchObject({ requests: 0 });
  },
);

test('a retry whose fresh read is throttled is refused at once and has no effect later', async ({
  refund,
}) => {
  await refund.refused();
  refund.service.answers('GET /v1/order/{id}', throttledForAnHour, { times: 10_000 });
  // No time is skipped meanwhile: a command that waited for the hour would never be answered.
  expect(await refund.command('retryRefund').catch(refusalOf)).toBe('CouldNotRead');
  const message = { outcome: 'not_refunded', reason: 'paid back in cash', by: 'rui' };
  expect(await refund.command('resolveRefund', message)).toMatchObject({ status: 'resolved' });
  refund.service.recovers();
  await refund.after('2 days');
  expect(refund.requests()).toBe(0);
});

test('a failure that may be that of a request which was said not to be queued needs that statement again', async ({
  code,
  refunds,
  service,
}) => {
  const serviceId = await refunds.paidOrder(code, 'refund-never');
  const refund = await refunds.start(code, serviceId);
  await refund.until(({ status }) => status === 'unconfirmed', '11 days');
  await refund.command('retryRefund', { nothing_queued: true, reason: 'the service holds none' });
  await refund.until(({ requests }) => requests === 2);
  service.shows('refund_failed');
  await refund.until(({ attention }) => attention === 'refund_failed', '1 day');
  expect(await refund.command('retryRefund').catch(refusalOf)).toBe('DecisionNeeded');
  expect(refunds.requestsOf(code)).toBe(2);
  await refund.command('retryRefund', { nothing_queued: true, reason: 'the service holds none' });
  await refund.until(({ requests }) => requests === 3);
});
