import { test as base } from 'vitest';
import { accountValidationsOn } from './lifecycles/account-validations.js';
import { cardOrdersOn } from './lifecycles/card-orders.js';
import { hostedCheckoutsOn } from './lifecycles/hosted-checkouts.js';
import { payoutsOn } from './lifecycles/payouts.js';
import { threeDSecureOrdersOn } from './lifecycles/three-d-secure-orders.js';
import { startTestStack, type TestStackOptions } from './test-stack.js';

/**
 * Tests of payments on a server that skips time: one server, sandbox and workers a file; each test's histories are
 * replayed when it ends.
 */
export const test = base
  .extend('stackOptions', { scope: 'file' }, (): TestStackOptions => ({}))
  .extend('server', { scope: 'file' }, async ({ stackOptions }, { onCleanup }) => {
    const stack = await startTestStack(stackOptions);
    onCleanup(() => stack.close());
    return stack;
  })
  .extend('stack', async ({ server, task }, { onCleanup }) => {
    onCleanup(() => server.finish(task.meta.history));
    return Promise.resolve(server);
  })
  .extend('sandbox', ({ stack }) => stack.sandbox)
  .extend('clock', ({ stack }) => stack.clock)
  .extend('payouts', ({ stack }) => payoutsOn(stack))
  .extend('orders', ({ stack }) => cardOrdersOn(stack))
  .extend('checkouts', ({ stack }) => hostedCheckoutsOn(stack))
  .extend('secureOrders', ({ stack }) => threeDSecureOrdersOn(stack))
  .extend('validations', ({ stack }) => accountValidationsOn(stack));
