import { expect, vi } from 'vitest';
import { test } from '../support/deployment.js';
import { freshCode, hostedCheckout } from '../support/requests.js';
import { waiting } from '../support/waiting.js';
import { call } from './call.js';

test('the refund of an order is taken while no worker runs, with its value, and requested once by the next one', async ({
  deployment,
  payments,
  sandbox,
}) => {
  const { apiKey: key, gateway } = deployment;
  const code = freshCode();
  const stop = await deployment.startWorker();
  const { order: ordered, customer } = hostedCheckout(code);
  const { payment_method: _, ...fields } = ordered;
  await payments.startHostedCheckout({ order: fields, customer }, { owner: 'oms' });
  await sandbox.until(({ orders }) => orders.some(({ partner_code: made }) => made === code));
  sandbox.payCheckout(code);
  sandbox.setOrderStatus(code, 'paid');
  const order = payments.order(code);
  await vi.waitUntil(async () => (await order.state()).status === 'paid', waiting);
  await vi.waitUntil(async () => (await order.execution()).serviceId !== null, waiting);
  const { value } = await order.state();
  await stop();

  const answer = await call(gateway.url, 'POST', `/v1/orders/${code}/refund`, { key, body: {} });
  expect(answer).toMatchObject({ status: 202, body: { status: 'requesting', value } });

  await deployment.startWorker();
  await sandbox.until(({ orders }) =>
    orders.some(({ partner_code: made, refunds_requested: times }) => made === code && times === 1),
  );
});
