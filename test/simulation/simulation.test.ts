import { describe, expect, test } from 'vitest';
import { ordersAndRefundsBefore } from './found/orders-and-refunds.js';
import { payoutsBefore } from './found/payouts.js';
import { plan } from './found/plan.js';
import { kinds, repeat, simulate } from './main.js';

const seed = 1;
const paymentsOfEach = 400;

describe('whatever happens to a simulated payment', () => {
  test.for(kinds)('every invariant of a %s holds after every step', async (kind) => {
    const { broken, payments } = await simulate(kind, paymentsOfEach, seed);
    expect(broken).toBeUndefined();
    expect(payments).toBe(paymentsOfEach);
  });
});

describe('what simulation has found before', () => {
  test.for(Object.entries(payoutsBefore))('%s', async ([, given]) => {
    expect((await repeat(plan('payout', given))).why).toBeUndefined();
  });

  test.for(Object.entries(ordersAndRefundsBefore))('%s', async ([, given]) => {
    expect((await repeat(plan(given.kind, given))).why).toBeUndefined();
  });
});
