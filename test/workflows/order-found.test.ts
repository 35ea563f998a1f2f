import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

describe('an order that the service answered with a wrong identifier', () => {
  test.for([
    ['of no order', () => '999999', null],
    ['of another order', (other: string) => other, 'inconsistent_answer'],
  ] as const)(
    '%s is followed once an operator gives its own',
    async ([, wrong, attention], { order, orders }) => {
      const other = freshCode();
      await orders.submitted(other, 'read-with-partner-code');
      order.service.answers('POST /v1/order', {
        effect: 'done',
        status: 201,
        body: { id: wrong(orders.idOf(other)), status: 'waiting_payment' },
      });
      await order.start();
      await order.until(({ last_read: read }) => read !== null, '1 second');
      expect(await order.command('resolveSubmission', { nothing_happened: true }).catch(refusalOf)).toBe(
        'InvalidMessage',
      );
      const service_id = order.id();
      expect(await order.command('resolveSubmission', { service_id })).toMatchObject({
        ...{ service_id, attention, status: 'waiting_payment' },
        last_read: { cause: 'command', status: 'waiting_payment' },
      });
      expect((await order.state()).commands).not.toContain('resolveSubmission');
      order.service.shows('paid');
      await order.until(statusIs('paid'), '1 hour');
      expect(order.made()).toHaveLength(1);
    },
  );

  test('and that no read has shown for hours needs nobody any more once its own is given', async ({
    order,
  }) => {
    const body = { id: '999999', status: 'waiting_payment' };
    order.service.answers('POST /v1/order', { effect: 'done', status: 201, body });
    await order.start();
    expect(await order.after('3 hours')).toMatchObject({ attention: 'unreadable' });
    const service_id = order.id();
    expect(await order.command('resolveSubmission', { service_id })).toMatchObject({ attention: null });
  });
});

test('a 3D Secure order that was completed and never read does not expire when an operator gives its identifier', async ({
  secureOrder,
}) => {
  await secureOrder.opened();
  secureOrder.service.fails('GET /v1/order/{id}');
  await secureOrder.complete();
  await secureOrder.until(statusIs('waiting_payment'), '1 second');
  secureOrder.service.recovers();
  await secureOrder.command('resolveSubmission', { service_id: secureOrder.made()[0]?.id });
  expect(await secureOrder.after('2 hours')).toMatchObject({ status: 'waiting_payment' });
});

test('an order that reads have shown, and then show under another identifier, needs nobody once that is acknowledged', async ({
  order,
}) => {
  await order.submitted();
  order.service.answers('GET /v1/order/{id}', { reshape: ['id-other' as const] }, { times: 1_000 });
  await order.until(attentionIs('inconsistent_answer'));
  await order.command('acknowledgeAttention');
  expect(await order.after('3 days')).toMatchObject({ status: 'waiting_payment', attention: null });
  order.service.recovers();
  order.service.shows('paid');
  await order.until(statusIs('paid'), '1 day');
});
