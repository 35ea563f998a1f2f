import { expect, test } from 'vitest';
import { selectFailedPayouts } from '../../activities/select-failed-payouts.js';
import type { PaymentListing } from '../../src/contract/http/lists.js';
import { firstDispatch } from './support.js';

const listed = (partner_code: string): PaymentListing => ({
  ...{ kind: 'payout', partner_code, workflow_id: `payout-${partner_code}`, service_id: null },
  ...{ status: 'error', attention: 'payout_failed', cause: 'service_error', value: 150.25 },
  ...{ started_at: '2026-05-02T12:00:00.000Z', updated_at: null, closed: false, closed_as: null },
  started_by: null,
});

/** Selects so many payouts, none of which answers. */
function selectSilent(count: number) {
  const payouts = Array.from({ length: count }, (_, index) => listed(`silent-${String(index)}`));
  const select = selectFailedPayouts({
    failedPayouts: () => Promise.resolve({ payouts, next_cursor: null }),
    payoutState: () => Promise.resolve(undefined),
  });
  return firstDispatch().run(select, { filter: {}, cursor: null });
}

test('a few payouts that do not answer are selected as such, and hold up no other bulk retry', async () => {
  const { payouts } = await selectSilent(3);
  expect(payouts).toHaveLength(3);
  expect(payouts[0]).toMatchObject({
    cause: 'unknown',
    attempt: null,
    words: 'Its workflow does not answer.',
  });
});

test('a whole part of payouts that do not answer is selected later', async () => {
  await expect(selectSilent(40)).rejects.toThrow('Our own payouts could not be read.');
});
