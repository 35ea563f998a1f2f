import { describe, expect, test } from 'vitest';
import { kinds, simulate } from './main.js';
import { ordersAndRefundsBefore } from './found/orders-and-refunds.js';
import { payoutsBefore } from './found/payouts.js';
import { repeat } from './main.js';

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
  test.for(Object.entries({ ...payoutsBefore, ...ordersAndRefundsBefore }))('%s', async ([, plan]) => {
    expect((await repeat(plan)).why).toBeUndefined();
  });
});
