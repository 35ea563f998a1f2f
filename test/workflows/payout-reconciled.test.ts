import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { freshCode, pixPayout } from '../support/requests.js';

let rig: PaymentRig;
beforeAll(async () => {
  rig = await startPaymentRig();
});
afterEach(() => rig.finish('all'));
afterAll(() => rig.close());

/** How often a payout that does not change is read in its first three hours. */
async function readsInThreeHours(more: object): Promise<number> {
  const code = freshCode();
  const reads = () => rig.sandbox.ledger().calls['GET /v1/payout/{id}'] ?? 0;
  const before = reads();
  const handle = await rig.start('payout', `payout-${code}`, pixPayout(code, '', more));
  await rig.until<PayoutState>(handle, ({ status }) => status === 'claimed', '1 second');
  await rig.env.sleep('3 hours');
  const { last_read } = await handle.query<PayoutState>('state');
  expect(last_read?.cause).toBe('cadence');
  const made = reads() - before;
  rig.sandbox.setPayoutStatus(code, 'done');
  await handle.signal('statusHint', { source: 'payoutReconciliation', status: 'done' });
  await rig.until<PayoutState>(handle, ({ status }) => status === 'done', '1 second');
  await handle.terminate();
  return made;
}

test('a payout that is reconciled reads hourly after its first minute, and at once when it is hinted', async () => {
  const alone = await readsInThreeHours({});
  const reconciled = await readsInThreeHours({ reconciled: true });
  expect(alone).toBeGreaterThan(20);
  expect(reconciled).toBeLessThanOrEqual(7);
  expect(reconciled).toBeGreaterThanOrEqual(5);
});
