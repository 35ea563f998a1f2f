import { describe, expect } from 'vitest';
import { statusIs } from '../support/payment.js';
import { test as payments } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

/** Starts an order that the service takes and answers with this identifier. */
const test = payments.extend('answeredAs', ({ order }) => async (id: string) => {
  order.service.answers('POST /v1/order', { status: 201, body: { id, status: 'waiting_payment' } });
  await order.start();
});

describe('an order that the service answered with a wrong identifier', () => {
  test.for([
    ['of no order', null],
    ['of another order', 'inconsistent_answer'],
  ] as const)(
    '%s is followed once an operator gives its own',
    async ([of, attention], { answeredAs, order, orders }) => {
      const other = freshCode();
      await orders.submitted(other, 'read-with-partner-code');
      await answeredAs(of === 'of no order' ? '999999' : orders.idOf(other));
      await order.until(({ last_read: read }) => read !== null, '1 second');
      expect(await order.refusal('resolveSubmission', { nothing_happened: true })).toBe('InvalidMessage');
      const service_id = order.id();
      const resolved = await order.command('resolveSubmission', { service_id });
      expect(resolved).toMatchObject({
        ...{ service_id, attention, status: 'waiting_payment' },
        last_read: { cause: 'command', status: 'waiting_payment' },
      });
      expect(resolved.commands).not.toContain('resolveSubmission');
      order.service.shows('paid');
      await order.until(statusIs('paid'), '1 hour');
      expect(order.made()).toHaveLength(1);
    },
  );

  test('and that no read has shown needs nobody once its own is given', async ({ answeredAs, order }) => {
    await answeredAs('999999');
    expect(await order.after('3 hours')).toMatchObject({ attention: 'unreadable' });
    const resolved = await order.command('resolveSubmission', { service_id: order.id() });
    expect(resolved).toMatchObject({ attention: null });
  });
});

test('a 3D Secure order that was completed, never read, and found does not expire', async ({
  secureOrder,
}) => {
  await secureOrder.opened();
  secureOrder.service.fails('GET /v1/order/{id}');
  await secureOrder.complete();
  await secureOrder.until(statusIs('waiting_payment'), '1 second');
  secureOrder.service.recovers();
  await secureOrder.command('resolveSubmission', { service_id: secureOrder.id() });
  expect(await secureOrder.after('2 hours')).toMatchObject({ status: 'waiting_payment' });
});
