import { card, cardOrder, checkout, order } from '../../drills/requests.mjs';
import { closing, firstReadMs, silent, throughput } from './throughput.mjs';

const authentication = { callback: 'authenticated', eci: '05' };
/** The customer pays without anyone clicking. */
const paid = ['checkout-paid'];

const byGateway = async (bench, kind, code, request) => {
  const started = await bench.http('usual', 'POST', `/v1/orders/${kind}`, request);
  return { id: `order-${code}`, started };
};

export const cardOrders = throughput('order', 'card order by gateway, two postbacks', async (bench) => {
  const code = bench.freshCode();
  const { id } = await byGateway(bench, 'card', code, cardOrder(code, closing));
  await bench.ended(id, 'compensated');
  return id;
});

export const bareCardOrders = throughput('bare-order', 'bare card order', async (bench) => {
  const request = cardOrder(bench.freshCode(), { tags: silent });
  const handle = await bench.bareWorkflow('bareOrder', [request, firstReadMs]);
  await handle.result();
  return handle.workflowId;
});

export const checkouts = throughput(
  'checkout',
  'hosted checkout by gateway, two postbacks',
  async (bench) => {
    const code = bench.freshCode();
    const { id } = await byGateway(bench, 'checkout', code, checkout(code, { tags: paid, ...closing }));
    await bench.ended(id, 'compensated');
    return id;
  },
);

export const bareCheckouts = throughput('bare-checkout', 'bare hosted checkout', async (bench) => {
  const request = checkout(bench.freshCode(), { tags: [...paid, ...silent] });
  const handle = await bench.bareWorkflow('bareCheckout', [request, firstReadMs]);
  await handle.result();
  return handle.workflowId;
});

export const secureOrders = throughput('3ds', '3D Secure order by gateway, two postbacks', async (bench) => {
  const code = bench.freshCode();
  const { id, started } = await byGateway(bench, '3ds', code, order(code, closing));
  if (started.status !== 'awaiting_authentication') {
    await bench.usual.order(code).awaitStatus({ until: ['awaiting_authentication'], timeout_seconds: 30 });
  }
  const completion = { ...authentication, credit_card: card };
  await bench.http('usual', 'POST', `/v1/orders/${code}/3ds-completion`, completion);
  await bench.ended(id, 'compensated');
  return id;
});

/** As for ours, the customer is authenticated when the order is open, and somebody waits for the completion. */
export const bareSecureOrders = throughput('bare-3ds', 'bare 3D Secure order', async (bench) => {
  const request = order(bench.freshCode(), { tags: silent });
  const handle = await bench.bareWorkflow('bareSecureOrder', [request, firstReadMs]);
  await handle.executeUpdate('opened');
  await handle.executeUpdate('complete', { args: [{ credit_card: card, credentials: authentication }] });
  await handle.result();
  return handle.workflowId;
});
