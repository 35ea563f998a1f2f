import { expect } from 'vitest';
import type { OrderState } from '../../src/contract/state.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { test as payments } from '../support/plain-payments.js';

const test = payments.extend('leftOpen', 'none');

test('an order that is watched for two years misses no chargeback, and no reversal', async ({ order }) => {
  await order.submitted('', { watch_days: 730 });
  const until = (holds: (state: OrderState) => boolean) => order.until(holds, '7 days');
  order.service.shows('compensated');
  await until(statusIs('compensated'));
  await order.after('700 days');
  order.service.shows('chargeback');
  await until(attentionIs('chargeback'));
  order.service.shows('compensated');
  await until(({ attention, status }) => attention === null && status === 'compensated');
  expect(await order.result('30 days')).toMatchObject({ status: 'compensated', closed: true });
});

test('a payout that is watched for two years misses no return, and is made once', async ({ payout }) => {
  await payout.start('', { watch_days: 730 });
  await payout.until(statusIs('claimed'));
  payout.service.shows('done');
  await payout.until(statusIs('done'));
  await payout.after('600 days');
  payout.service.shows('error');
  await payout.until(attentionIs('payout_returned'), '7 days');
  payout.service.shows('done');
  await payout.until(({ attention, status }) => attention === null && status === 'done', '7 days');
  expect(await payout.result('30 days')).toMatchObject({ status: 'done', closed: true });
  expect(payout.made()).toMatchObject([{ times_created: 1 }]);
});
