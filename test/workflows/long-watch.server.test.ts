import { expect } from 'vitest';
import { dayMs } from '../../src/domain/cadence.js';
import type { PayoutState } from '../../src/contract/state.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { test as payments } from '../support/payments.js';
import { freshCode } from '../support/requests.js';

const test = payments.extend('leftOpen', 'none');

/** Its first weeks are read each day: two years by `npm run test:long-watch`. */
const payoutDays = Number(process.env.WATCH_DAYS ?? 20);
const ofPayoutWatch = (percent: number) => Math.floor((payoutDays * percent) / 100) * dayMs;

test('a payout that is watched for long goes on through continue-as-new, and misses no return', async ({
  payouts,
  sandbox,
  clock,
  stack,
}) => {
  const code = freshCode();
  const payout = await payouts.start(code, '', { watch_days: payoutDays });
  const until = (holds: (state: PayoutState) => boolean) => payout.until(holds, '7 days');
  await until(statusIs('claimed'));
  sandbox.setPayoutStatus(code, 'done');
  await until(statusIs('done'));
  await clock.sleep(ofPayoutWatch(25));

  // After 1,000 events a payment goes on in a new run; the server suggests it after 4,096 only.
  const { runId: firstRun } = await stack.handleOf(payout).describe();
  // A signal that is not usable adds to the history and has nothing read.
  const unusable = () => payout.signal('retryPayout', { by: 7 });
  for (let sent = 0; sent < 1_024; sent += 64) await Promise.all(Array.from({ length: 64 }, unusable));
  await expect.poll(async () => (await stack.handleOf(payout).describe()).runId).not.toBe(firstRun);
  await clock.sleep(ofPayoutWatch(35));

  sandbox.setPayoutStatus(code, 'error');
  await until(attentionIs('payout_returned'));
  sandbox.setPayoutStatus(code, 'done');
  await until(({ attention, status }) => attention === null && status === 'done');
  expect(await payout.result('30 days')).toMatchObject({ status: 'done', closed: true });
  expect(sandbox.ledger(code).payouts).toMatchObject([{ times_created: 1 }]);
});
