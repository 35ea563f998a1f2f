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
    async ([, wrong, attention], { orders, sandbox }) => {
      const other = freshCode();
      await orders.submitted(other, 'read-with-partner-code');
      const code = freshCode();
      sandbox.fault({
        endpoint: 'POST /v1/order',
        partner_code: code,
        fault: {
          effect: 'done',
          status: 201,
          body: { id: wrong(orders.idOf(other)), status: 'waiting_payment' },
        },
      });
      const order = await orders.start(code);
      await order.until(({ last_read: read }) => read !== null, '1 second');
      expect(await order.command('resolveSubmission', { nothing_happened: true }).catch(refusalOf)).toBe(
        'InvalidMessage',
      );
      const service_id = orders.idOf(code);
      expect(await order.command('resolveSubmission', { service_id })).toMatchObject({
        ...{ service_id, attention, status: 'waiting_payment' },
        last_read: { cause: 'command', status: 'waiting_payment' },
      });
      expect((await order.state()).commands).not.toContain('resolveSubmission');
      sandbox.setOrderStatus(code, 'paid');
      await order.until(statusIs('paid'), '1 hour');
      expect(orders.made(code)).toHaveLength(1);
    },
  );

  test('and that no read has shown for hours needs nobody any more once its own is given', async ({
    orders,
    sandbox,
    clock,
  }) => {
    const code = freshCode();
    const body = { id: '999999', status: 'waiting_payment' };
    sandbox.fault({
      endpoint: 'POST /v1/order',
      partner_code: code,
      fault: { effect: 'done', status: 201, body },
    });
    const order = await orders.start(code);
    await clock.pass('3 hours');
    expect(await order.state()).toMatchObject({ attention: 'unreadable' });
    const service_id = orders.idOf(code);
    expect(await order.command('resolveSubmission', { service_id })).toMatchObject({ attention: null });
  });
});

test('a 3D Secure order that was completed and never read does not expire when an operator gives its identifier', async ({
  secureOrders,
  sandbox,
  clock,
}) => {
  const code = freshCode();
  const order = await secureOrders.opened(code);
  const fault = { effect: 'none', status: 503 } as const;
  sandbox.fault({ endpoint: 'GET /v1/order/{id}', partner_code: code, times: 1_000, fault });
  await secureOrders.complete(order);
  await order.until(statusIs('waiting_payment'), '1 second');
  sandbox.clearFaults();
  await order.command('resolveSubmission', { service_id: secureOrders.made(code)[0]?.id });
  await clock.pass('2 hours');
  expect(await order.state()).toMatchObject({ status: 'waiting_payment' });
});

test('an order that reads have shown, and then show under another identifier, needs nobody once that is acknowledged', async ({
  orders,
  sandbox,
  clock,
}) => {
  const code = freshCode();
  const order = await orders.submitted(code);
  const fault = { reshape: ['id-other' as const] };
  sandbox.fault({ endpoint: 'GET /v1/order/{id}', partner_code: code, times: 1_000, fault });
  await order.until(attentionIs('inconsistent_answer'));
  await order.command('acknowledgeAttention');
  await clock.pass('3 days');
  expect(await order.state()).toMatchObject({ status: 'waiting_payment', attention: null });
  sandbox.clearFaults();
  sandbox.setOrderStatus(code, 'paid');
  await order.until(statusIs('paid'), '1 day');
});
