import { setTimeout as sleep } from 'node:timers/promises';
import { cardOrder } from '../../drills/requests.mjs';
import { inFlight } from '../../in-flight.mjs';
import { atOnce, closing, firstReadMs, silent } from './throughput.mjs';

/** Of orders that have settled before: the refund alone. */
const ofSettledOrders = (name, title, settle, once) => ({
  name,
  title,
  prepare: async (bench, { payments }) => (await inFlight(payments, atOnce, () => settle(bench))).answers,
  run: async (bench, { payments }, orders) => {
    const { answers } = await inFlight(payments, atOnce, (at) => once(bench, orders[at]));
    return { count: payments, workflowIds: answers };
  },
});

export const refunds = ofSettledOrders(
  'refund',
  'refund by gateway, no postback',
  settledByGateway,
  async (bench, order) => {
    const { service_id, partner_code } = order;
    const body = { service_id, reason: 'sent back' };
    await bench.http('quick', 'POST', `/v1/orders/${partner_code}/refund`, body);
    await bench.ended(`refund-${service_id}`, 'refunded');
    return `refund-${service_id}`;
  },
);

export const refundsByClient = ofSettledOrders(
  'refund-client',
  'refund by client, no postback',
  settledByGateway,
  async (bench, order) => {
    await bench.quick.startRefund({ ...order, value: 150, reason: 'sent back' });
    await bench.ended(`refund-${order.service_id}`, 'refunded');
    return `refund-${order.service_id}`;
  },
);

/** No postback comes, neither for the order nor for its refund. */
async function settledByGateway(bench) {
  const code = bench.freshCode();
  await bench.http('quick', 'POST', '/v1/orders/card', cardOrder(code, { tags: silent, ...closing }));
  let isOpen = true;
  const ended = bench.ended(`order-${code}`, 'compensated').finally(() => {
    isOpen = false;
  });
  while (isOpen) {
    await bench.quick
      .order(code)
      .hint('bench')
      .catch(() => undefined);
    await Promise.race([ended, sleep(100)]);
  }
  const { service_id, partner_code } = await ended;
  return { service_id, partner_code };
}

export const bareRefunds = ofSettledOrders(
  'bare-refund',
  'bare refund',
  settledByGateway,
  async (bench, { service_id }) => {
    const handle = await bench.bareWorkflow('bareRefund', [service_id, firstReadMs]);
    await handle.result();
    return handle.workflowId;
  },
);
