import { setTimeout as sleep } from 'node:timers/promises';
import { inFlight } from '../../in-flight.mjs';
import { quickScale } from '../processes.mjs';
import { cardOrder, pixPayout } from '../../drills/requests.mjs';

const atOnce = 60;
/** Closed as soon as it is done, so that its end can be waited for. */
const closing = { watch_days: 0 };
const firstReadMs = 5_000 * quickScale;
const silent = ['postback-silent'];

/** Runs one lifecycle many times at once; answers the workflow ids. */
const throughput = (name, title, once) => ({
  name,
  title,
  run: async (bench, { payments }) => {
    const { answers } = await inFlight(payments, atOnce, () => once(bench));
    return { count: payments, workflowIds: answers };
  },
});

const bareOf = (type, waitMs) => async (bench) => {
  const handle = await bench.bareWorkflow(type, [
    pixPayout(bench.freshCode(), { tags: silent }),
    ...(waitMs === undefined ? [] : [waitMs]),
  ]);
  // The first read may come a moment before it is done: whoever reads once ends then, too.
  await handle.result();
  return handle.workflowId;
};

async function byClient(bench, client, tags) {
  const code = bench.freshCode();
  await client.startPayout({ method: 'pix', ...pixPayout(code, { tags, ...closing }) });
  await bench.ended(`payout-${code}`);
  return `payout-${code}`;
}

async function byGateway(bench, gateway, tags) {
  const code = bench.freshCode();
  await bench.http(gateway, 'POST', '/v1/payouts/pix', pixPayout(code, { tags, ...closing }));
  await bench.ended(`payout-${code}`);
  return `payout-${code}`;
}

async function orderByGateway(bench) {
  const code = bench.freshCode();
  await bench.http('usual', 'POST', '/v1/orders/card', cardOrder(code, closing));
  await bench.ended(`order-${code}`, 'compensated');
  return `order-${code}`;
}

export const empty = throughput('empty', 'empty workflow', bareOf('empty'));
export const bare = throughput('bare', 'bare, reads by activities', bareOf('bareLifecycle', firstReadMs));
export const bareLocal = throughput('bare-local', 'bare, local reads', bareOf('bareLocalReads', firstReadMs));
export const bareUpserts = throughput(
  'bare-upserts',
  'bare, local reads, two upserts',
  bareOf('bareUpserts', firstReadMs),
);
export const naive = throughput(
  'naive',
  'bare, read each second',
  bareOf('naivePolling', 1_000 * quickScale),
);
export const payout = throughput('payout', 'payout by client, no postback', (bench) =>
  byClient(bench, bench.quick, silent),
);
export const payoutDirect = throughput('payout-direct', 'payout by client, two postbacks', (bench) =>
  byClient(bench, bench.direct, []),
);
export const gateway0 = throughput('gateway-0', 'payout by gateway, no postback', (bench) =>
  byGateway(bench, 'quick', silent),
);
export const gateway1 = throughput('gateway-1', 'payout by gateway, one postback', (bench) =>
  byGateway(bench, 'usual', ['done-directly']),
);
export const gateway2 = throughput('gateway-2', 'payout by gateway, two postbacks', (bench) =>
  byGateway(bench, 'usual', []),
);
export const order = throughput('order', 'card order by gateway, two postbacks', orderByGateway);

export const bareOrder = throughput('bare-order', 'bare card order, local reads', async (bench) => {
  const order = cardOrder(bench.freshCode(), { tags: silent });
  const handle = await bench.bareWorkflow('bareOrder', [order, firstReadMs]);
  await handle.result();
  return handle.workflowId;
});

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

export const refund = ofSettledOrders(
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

export const refundByClient = ofSettledOrders(
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

export const bareRefund = ofSettledOrders(
  'bare-refund',
  'bare refund, local reads',
  settledByGateway,
  async (bench, { service_id }) => {
    const handle = await bench.bareWorkflow('bareRefund', [service_id, firstReadMs]);
    await handle.result();
    return handle.workflowId;
  },
);
