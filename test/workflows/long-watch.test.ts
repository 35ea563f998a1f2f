import { expect } from 'vitest';
import type { OrderState } from '../../src/contract/state.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { test as payments } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

const test = payments.extend('leftOpen', 'none');

test('an order that is watched for two years misses no chargeback, and no reversal', async ({
  orders,
  sandbox,
  clock,
}) => {
  const code = freshCode();
  const order = await orders.submitted(code, '', { watch_days: 730 });
  const until = (holds: (state: OrderState) => boolean) => order.until(holds, '7 days');
  sandbox.setOrderStatus(code, 'compensated');
  await until(statusIs('compensated'));
  await clock.sleep('700 days');
  sandbox.setOrderStatus(code, 'chargeback');
  await until(attentionIs('chargeback'));
  sandbox.setOrderStatus(code, 'compensated');
  await until(({ attention, status }) => attention === null && status === 'compensated');
  expect(await order.result('30 days')).toMatchObject({ status: 'compensated', closed: true });
});

test('a payout that is watched for two years misses no return, and is made once', async ({
  payouts,
  sandbox,
  clock,
}) => {
  const code = freshCode();
  const payout = await payouts.start(code, '', { watch_days: 730 });
  await payout.until(statusIs('claimed'));
  sandbox.setPayoutStatus(code, 'done');
  await payout.until(statusIs('done'));
  await clock.sleep('600 days');
  sandbox.setPayoutStatus(code, 'error');
  await payout.until(attentionIs('payout_returned'), '7 days');
  sandbox.setPayoutStatus(code, 'done');
  await payout.until(({ attention, status }) => attention === null && status === 'done', '7 days');
  expect(await payout.result('30 days')).toMatchObject({ status: 'done', closed: true });
  expect(payouts.made(code)).toMatchObject([{ times_created: 1 }]);
});
