import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPaymentsClient, type PaymentsClient } from '../../src/client.js';
import { payoutStarter } from '../../src/client/payout-starter.js';
import { cardOrder, newCode, pixPayout } from '../gateway/requests.js';
import { connectDevServer, type DevServer } from '../support/temporal-dev-server.js';

let server: DevServer;
let payments: PaymentsClient;
beforeAll(async () => {
  server = await connectDevServer();
  payments = createPaymentsClient({ client: server.client, taskQueue: server.taskQueue });
});
afterAll(() => server.close());

test('an order goes before a payout, and a payout before those of batches', async () => {
  const [order, payout, ofBatch] = [newCode(), newCode(), newCode()];
  await payoutStarter(server.client, server.taskQueue)({ method: 'pix', ...pixPayout(ofBatch) });
  await payments.startPayout({ method: 'pix', ...pixPayout(payout) });
  const { credit_card: _card, ...checkout } = cardOrder(order);
  const redirect = { redirect_url: 'https://shop.example.com/paid' };
  await payments.startHostedCheckout({ ...checkout, order: { ...checkout.order, ...redirect } });
  const priorityOf = async (workflowId: string) => {
    const { raw } = await server.client.workflow.getHandle(workflowId).describe();
    return raw.workflowExecutionInfo?.priority?.priorityKey;
  };
  const ids = [`order-${order}`, `payout-${payout}`, `payout-${ofBatch}`];
  expect(await Promise.all(ids.map(priorityOf))).toEqual([2, 3, 4]);
});
