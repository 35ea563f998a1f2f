import { Client, Connection } from '@temporalio/client';
import { expect, test } from 'vitest';
import { withoutEarlierRuns } from '../../src/client/without-earlier-runs.js';
import type { PaymentListing } from '../../src/contract/http/lists.js';

/** Nobody listens there: a call of Temporal would fail the test. */
const calls = {
  client: new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) }),
  callTimeoutMs: 1_000,
};

const open: PaymentListing = {
  ...{ kind: 'payout', partner_code: 'P-1', workflow_id: 'payout-P-1', service_id: null },
  ...{ status: 'submitting', attention: null, cause: null, value: 150, updated_at: null },
  ...{ started_at: '2026-03-02T10:00:00.000Z', closed: false, closed_as: null, started_by: 'shop' },
};
const later: PaymentListing = { ...open, started_at: '2026-03-02T10:00:00.250Z', status: 'processing' };
const other: PaymentListing = { ...open, workflow_id: 'payout-P-2', partner_code: 'P-2' };

test.each([
  ['the earlier one first', [open, other, later], [other, later]],
  ['the later one first', [later, other, open], [later, other]],
])(
  'of two runs of one payment that a search shows as open, the later one is listed: %s',
  async (_, found, listed) => {
    expect(await withoutEarlierRuns(calls, found)).toEqual(listed);
  },
);

test('a run that was ended is not listed beside the open one that took over, without a call of Temporal', async () => {
  const ended: PaymentListing = { ...open, closed: true, closed_as: 'terminated' };
  expect(await withoutEarlierRuns(calls, [later, ended])).toEqual([later]);
});
