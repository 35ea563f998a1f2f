import { expect } from 'vitest';
import { payoutsOn } from '../support/lifecycles/payouts.js';
import { statusIs } from '../support/payment.js';
import { test } from '../support/payments.js';
import { freshCode } from '../support/requests.js';
import type { TestStack } from '../support/test-stack.js';

/** How often a payout that does not change is read in its first three hours. */
async function readsInThreeHours(stack: TestStack, more: object): Promise<number> {
  const code = freshCode();
  const { sandbox, clock } = stack;
  const reads = () => sandbox.ledger().calls['GET /v1/payout/{id}'] ?? 0;
  const before = reads();
  const payout = await payoutsOn(stack).start(code, '', more);
  await payout.until(statusIs('claimed'), '1 second');
  await clock.sleep('3 hours');
  const { last_read } = await payout.state();
  expect(last_read?.cause).toBe('cadence');
  const made = reads() - before;
  sandbox.setPayoutStatus(code, 'done');
  await payout.signal('statusHint', { source: 'payoutReconciliation', status: 'done' });
  await payout.until(statusIs('done'), '1 second');
  await stack.handleOf(payout).terminate();
  return made;
}

test('a payout that is reconciled reads hourly after its first minute, and at once when it is hinted', async ({
  stack,
}) => {
  const alone = await readsInThreeHours(stack, {});
  const reconciled = await readsInThreeHours(stack, { reconciled: true });
  expect(alone).toBeGreaterThan(20);
  expect(reconciled).toBeLessThanOrEqual(7);
  expect(reconciled).toBeGreaterThanOrEqual(5);
});
