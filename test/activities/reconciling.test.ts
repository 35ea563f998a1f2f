import { expect, test } from 'vitest';
import { reconcilePayouts } from '../../activities/reconcile-payouts.js';
import type { ReconciliationDeps } from '../../activities/shared/deps.js';
import type { PaymentListing } from '../../src/contract/http/lists.js';
import { answers, startRawServer } from '../payments-service/raw-server.js';
import { depsFor, firstDispatch } from './support.js';

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

const own = (change: Partial<PaymentListing>): PaymentListing => ({
  ...{
    kind: 'payout',
    partner_code: 'rent-1',
    workflow_id: 'payout-rent-1',
    service_id: '7',
    status: 'claimed',
  },
  ...{ attention: null, cause: null, value: 25, started_at: hoursAgo(3), updated_at: hoursAgo(2) },
  ...{ closed: false, closed_as: null, started_by: 'oms' },
  ...change,
});

/** Compares one record of the service with the runs that search shows; answers the report, and who was hinted. */
async function reconciled(
  status: string,
  runs: readonly PaymentListing[],
  { code = 'rent-1', full = true, id = '7' } = {},
) {
  const record = { id, partner_code: code, status, value: 25, claimed_at: hoursAgo(3) };
  const { url } = await startRawServer((socket, request) => {
    const wanted = /[?&]status=(\w+)/.exec(request)?.[1];
    const payouts = wanted === undefined || wanted === status ? [record] : [];
    answers(200, JSON.stringify({ payouts, total_pages: 1, current_page: 1, per_page: 200 }))(
      socket,
      request,
    );
  });
  const hinted: string[] = [];
  const deps: Omit<ReconciliationDeps, 'service' | 'tokens' | 'now'> = {
    payoutsOf: () => Promise.resolve(runs),
    async *openPayouts() {
      yield await Promise.resolve(runs.filter(({ closed }) => !closed));
    },
    hintPayout: (workflowId) => {
      hinted.push(workflowId);
      return Promise.resolve(true);
    },
  };
  const report = await firstDispatch().run(reconcilePayouts({ ...depsFor(url), ...deps }), { full });
  return { report, hinted };
}

const closed = (change: Partial<PaymentListing>) => own({ closed: true, closed_as: 'completed', ...change });
const orphan = { count: 1, payouts: [{ partner_code: 'rent-1', service_id: '7' }] };
const none = { count: 0, payouts: [] };

test('after a reset the run that goes on stands for its payout, in whichever order search lists the two', async () => {
  const ended = closed({ closed_as: 'terminated', started_at: hoursAgo(4) });
  const goesOn = own({ status: 'error', service_id: '7' });
  for (const runs of [
    [ended, goesOn],
    [goesOn, ended],
  ]) {
    const { hinted, report } = await reconciled('processing', runs);
    expect(hinted).toEqual(['payout-rent-1']);
    expect(report).toMatchObject({ changed: orphan, orphans: none });
  }
});

test('a payout that was refused, closed, and is done after all is reported as followed by nobody', async () => {
  const { hinted, report } = await reconciled('done', [closed({ status: 'rejected', service_id: null })]);
  expect(report.orphans).toEqual(orphan);
  expect(hinted).toEqual([]);
});

test('a payout whose workflow was terminated while its money moves is reported as followed by nobody', async () => {
  const { report } = await reconciled('claimed', [closed({ closed_as: 'terminated' })]);
  expect(report.orphans).toEqual(orphan);
});

test.for([
  ['done', { status: 'done' }],
  ['error', { status: 'rejected', service_id: null }],
  ['error', { status: 'done', service_id: '8' }],
] as const)('a record that is %s says nothing of a payout that closed as %j', async ([status, change]) => {
  const { report } = await reconciled(status, [closed(change)]);
  expect(report.orphans).toEqual(none);
});

const small = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';
const capitals = small.toUpperCase();

test.for([
  [true, small, capitals],
  [true, capitals, small],
  [false, small, capitals],
  [false, capitals, small],
] as const)('all compared: %s, a payout %s is the same that the list calls %s', async ([full, ours, id]) => {
  // By its identifier alone: the list shows another code.
  const listed = { full, id, code: 'another' };
  const { hinted, report } = await reconciled('claimed', [own({ service_id: ours })], listed);
  expect(hinted).toEqual([]);
  expect(report).toMatchObject({ changed: none, missing: none, orphans: none, mismatches: none });
});
