import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderState, PayoutState } from '../../src/contract/state.js';
import { startFleetRig, type FleetRig } from '../support/fleet-rig.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { cardOrder, freshCode, pixPayout, testCard } from '../support/requests.js';
import { replayAfter } from '../support/replay.js';
import { workflowBundle } from '../support/temporal-dev-server.js';

let rig: PaymentRig;
let fleet: FleetRig;
beforeAll(async () => {
  rig = await startPaymentRig();
  fleet = await startFleetRig();
});
afterAll(async () => {
  await rig.close();
  await fleet.close();
});

test('an order that is watched for two years misses no chargeback, and no reversal', async () => {
  const code = freshCode();
  const { card_ref, task_queue } = rig.desk.put(testCard);
  const card = { card_ref, task_queue };
  const handle = await rig.start('cardOrder', `order-${code}`, { ...cardOrder(code), card, watch_days: 730 });
  const until = (holds: (state: OrderState) => boolean) => rig.until(handle, holds, '7 days');
  await rig.until<OrderState>(handle, ({ status }) => status === 'waiting_payment');
  rig.sandbox.setOrderStatus(code, 'compensated');
  await until(({ status }) => status === 'compensated');
  await rig.env.sleep('700 days');
  rig.sandbox.setOrderStatus(code, 'chargeback');
  await until(({ attention }) => attention === 'chargeback');
  rig.sandbox.setOrderStatus(code, 'compensated');
  await until(({ attention, status }) => attention === null && status === 'compensated');
  const result = await rig.result<OrderState>(handle, '30 days');
  expect(result).toMatchObject({ status: 'compensated', closed: true });
  await rig.finish();
});

test('a payout that is watched for two years goes on through continue-as-new, and misses no return', async () => {
  const code = freshCode();
  const { client, started, taskQueue } = fleet.server;
  const stop = await fleet.startWorker();
  // Two years in about a quarter of a minute; the run's server suggests continue-as-new after 150 events.
  const handle = await client.workflow.start('payout', {
    workflowId: `payout-${code}`,
    taskQueue,
    args: [pixPayout(code, '', { watch_days: 730, poll_scale: 0.000_000_25 })],
  });
  const current = client.workflow.getHandle(handle.workflowId);
  const until = async (holds: (state: PayoutState) => boolean) => {
    while (!holds(await current.query<PayoutState>('state')));
  };
  await fleet.sandbox.until(({ payouts }) => payouts.some(({ partner_code: made }) => made === code));
  fleet.sandbox.setPayoutStatus(code, 'done');
  await until(({ status }) => status === 'done');
  const { runId: firstRun } = await current.describe();
  while ((await current.describe()).runId === firstRun);

  fleet.sandbox.setPayoutStatus(code, 'error');
  await until(({ attention }) => attention === 'payout_returned');
  fleet.sandbox.setPayoutStatus(code, 'done');
  await until(({ attention, status }) => attention === null && status === 'done');
  expect(await current.result()).toMatchObject({ status: 'done', closed: true });
  expect(fleet.sandbox.ledger(code).payouts).toMatchObject([{ times_created: 1 }]);
  await stop();
  await replayAfter(client, started, { workflowBundle: workflowBundle() });
});
