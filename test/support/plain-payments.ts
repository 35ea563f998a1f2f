import { test as base } from 'vitest';
import { accountValidationsOn } from './lifecycles/account-validations.js';
import { cardOrdersOn } from './lifecycles/card-orders.js';
import { payoutsOn } from './lifecycles/payouts.js';
import { refundsOn } from './lifecycles/refunds.js';
import {
  ownCheckout,
  ownOrder,
  ownPayout,
  ownRefund,
  ownSecureOrder,
  ownValidation,
} from './plain/own-payments.js';
import { serviceOf } from './plain/service.js';
import { startPlainStack } from './plain/stack.js';
import { freshCode } from './requests.js';

/** Tests of the rules of payments, without Temporal: one sandbox a file, and time that passes at once. */
export const test = base
  // eslint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures from the pattern
  .extend('plain', { scope: 'file' }, async ({}, { onCleanup }) => {
    const stack = await startPlainStack();
    onCleanup(() => stack.close());
    return stack;
  })
  .extend('stack', async ({ plain }, { onCleanup }) => {
    onCleanup(() => plain.finish());
    return Promise.resolve(plain);
  })
  .extend('slowList', ({ stack }) => stack.slowList)
  .extend('sandbox', ({ stack }) => stack.sandbox)
  .extend('clock', ({ stack }) => stack.clock)
  /** That of the payment of a test. */
  .extend('code', () => freshCode())
  .extend('service', ({ code, sandbox }) => serviceOf(sandbox, code))
  .extend('payouts', ({ stack }) => payoutsOn(stack))
  .extend('orders', ({ stack }) => cardOrdersOn(stack))
  .extend('refunds', ({ stack }) => refundsOn(stack))
  .extend('validations', ({ stack }) => accountValidationsOn(stack))
  /** Of each kind that of a test, of which most need no more. */
  .extend('payout', ({ code, stack }) => ownPayout(stack, code))
  .extend('order', ({ code, stack }) => ownOrder(stack, code))
  .extend('checkout', ({ code, stack }) => ownCheckout(stack, code))
  .extend('secureOrder', ({ code, stack }) => ownSecureOrder(stack, code))
  .extend('refund', ({ code, stack }) => ownRefund(stack, code))
  .extend('validation', ({ code, stack }) => ownValidation(stack, code));
