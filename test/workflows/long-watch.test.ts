import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderState, PayoutState } from '../../src/contract/state.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { cardOrder, freshCode, pixPayout, testCard } from '../support/requests.js';

let rig: PaymentRig;
beforeAll(async () => {
  rig = await startPaymentRig();
});
afterAll(() => rig.close());

test('an order that is watched for two years misses no chargeback, and no reversal', async () => {
  const code = freshCode();
  const { card_ref, task_queue } = rig.cardStore.put(testCard);
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
  const handle = await rig.start('payout', `payout-${code}`, pixPayout(code, '', { watch_days: 730 }));
  const until = (holds: (state: PayoutState) => boolean) => rig.until(handle, holds, '7 days');
  await rig.until<PayoutState>(handle, ({ status }) => status === 'claimed');
  rig.sandbox.setPayoutStatus(code, 'done');
  await until(({ status }) => status === 'done');
  await rig.env.sleep('300 days');

  // The server suggests continue-as-new after 4,096 events.
  const { runId: firstRun } = await handle.describe();
  const hint = () => handle.signal('statusHint', { source: 'test' });
  for (let sent = 0; sent < 4_096; sent += 64) await Promise.all(Array.from({ length: 64 }, hint));
  while ((await handle.describe()).runId === firstRun);
  await rig.env.sleep('400 days');

  rig.sandbox.setPayoutStatus(code, 'error');
  await until(({ attention }) => attention === 'payout_returned');
  rig.sandbox.setPayoutStatus(code, 'done');
  await until(({ attention, status }) => attention === null && status === 'done');
  expect(await rig.result<PayoutState>(handle)).toMatchObject({ status: 'done', closed: true });
  expect(rig.sandbox.ledger(code).payouts).toMatchObject([{ times_created: 1 }]);
  await rig.finish();
});
