import { expect, test } from 'vitest';
import { reconcilePayouts } from '../../activities/reconcile-payouts.js';
import type { ReconciliationDeps } from '../../activities/shared/deps.js';
import type { PaymentListing } from '../../src/contract/http/lists.js';
import { answers, startRawServer } from '../payments-service/raw-server.js';
import { depsFor, firstDispatch, listOf } from './support.js';

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

const own = (change: Partial<PaymentListing> = {}): PaymentListing => ({
  ...{ kind: 'payout', partner_code: 'rent-1', workflow_id: 'payout-rent-1', service_id: '7' },
  ...{ status: 'claimed', attention: null, cause: null, value: 25, started_by: 'oms' },
  ...{ started_at: hoursAgo(3), updated_at: hoursAgo(2), closed: false, closed_as: null },
  ...change,
});

/** Records by identifier, partner_code and age in hours. */
type Listed = readonly (readonly [string, string | null, number?])[];
type List = { full?: boolean; records?: Listed; pages?: readonly Listed[]; answer?: number };

/** Compares records of the service with the runs that search shows; answers the report, and who was hinted. */
async function reconciled(
  status: string,
  runs: readonly PaymentListing[],
  { full = true, records = [['7', 'rent-1']], pages = [records], answer = 200 }: List = {},
) {
  const { url } = await startRawServer((socket, request) => {
    const wanted = new URL(request.split(' ')[1] ?? '', 'http://service').searchParams.get('status');
    const listed = [null, status].includes(wanted) ? pages : [[]];
    const records = listed.map((page) =>
      page.map(([id, partner_code, hours = 3]) => ({
        ...{ id, partner_code, status, value: 25, claimed_at: hoursAgo(hours) },
      })),
    );
    if (answer === 200) listOf(records)(socket, request);
    else answers(answer, '')(socket, request);
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

test('pages are read instead of payouts, and those that are listed otherwise are hinted alone', async () => {
  const same = Array.from({ length: 110 }, (_, at) => {
    const code = `same-${String(at)}`;
    return own({ partner_code: code, workflow_id: `payout-${code}`, service_id: `of-${code}` });
  });
  const records = same.map(({ partner_code, service_id }) => [service_id ?? '', partner_code] as const);
  const pages = [records.slice(0, 100), records.slice(100)];
  const { hinted, report } = await reconciled('claimed', [...same, own()], { full: false, pages });
  expect(hinted).toEqual(['payout-rent-1']);
  // With the list of those that are processing.
  expect(report).toMatchObject({ compared: 111, records: 110, reads: 3, hinted: 1, changed: orphan });
});

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

test('a record with another value than was asked for is reported, and its payout reads it', async () => {
  const { hinted, report } = await reconciled('claimed', [own({ value: 99 })]);
  expect(report).toMatchObject({ mismatches: orphan, changed: none });
  expect(hinted).toEqual(['payout-rent-1']);
});

test('a payout that is listed as it is here, under another identifier, is left alone', async () => {
  const listed = { full: false, records: [['77', 'rent-1']] as const };
  const { hinted, report } = await reconciled('claimed', [own({})], listed);
  expect([hinted, report.changed]).toEqual([[], none]);
});

test('of two records for one payout the one that it does not have is reported as followed by nobody', async () => {
  for (const records of [twice(['7', 'rent-1'], ['8', 'rent-1']), twice(['8', 'rent-1'], ['7', 'rent-1'])]) {
    const { orphans } = (await reconciled('claimed', [own({})], { records })).report;
    expect(orphans).toEqual({ count: 1, payouts: [{ partner_code: 'rent-1', service_id: '8' }] });
  }
});

test('a list that has the oldest first is read to its end', async () => {
  const day = 24;
  const pages: Listed[] = [
    [
      ['5', 'rent-0', 40 * day],
      ['6', 'rent-0-r2', 30 * day],
    ],
    [['7', 'rent-1', 1]],
  ];
  const { report } = await reconciled('done', [], { pages });
  expect(report).toMatchObject({ reads: 2, orphans: orphan });
});

test('a comparison fails as a whole when a page of the list can not be read', async () => {
  const comparison = reconciled('claimed', [own({})], { answer: 500 });
  await expect(comparison).rejects.toMatchObject({ name: 'ApplicationFailure', nonRetryable: false });
});

const small = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';
const capitals = small.toUpperCase();

test.for([
  [true, small, capitals],
  [true, capitals, small],
  [false, small, capitals],
  [false, capitals, small],
] as const)('all compared: %s, a payout %s is the same that the list calls %s', async ([full, ours, id]) => {
  // By its identifier alone: the list shows no code.
  const listed = { full, records: [[id, null]] as const };
  const { hinted, report } = await reconciled('claimed', [own({ service_id: ours })], listed);
  expect(hinted).toEqual([]);
  expect(report).toMatchObject({ changed: none, missing: none, orphans: none, mismatches: none });
});

const twice = (...records: [string, string][]): Listed => records;

const second = own({ partner_code: 'rent-2', workflow_id: 'payout-rent-2' });
const two = ['rent-1', 'rent-2'];

test.for<[string, Listed, PaymentListing[], (string | null)[]]>([
  ['two of ours have its identifier', [['7', 'rent-1']], [own(), second], two],
  ['two of ours have it, and no code is listed', [['7', null]], [own(), second], [null, ...two]],
  ['it is listed under another code', [['7', 'another']], [own()], ['another', 'rent-1']],
  ['another of ours has its identifier', [['7', 'rent-2']], [own(), { ...second, service_id: '8' }], two],
  ['it is listed under two codes', twice(['7', 'rent-1'], ['7', 'rent-2']), [own()], two],
  ['its code is listed twice', twice(['7', 'rent-1'], ['8', 'rent-1']), [own()], ['rent-1']],
])('a record is reported as ambiguous where %s', async ([, records, runs, codes]) => {
  for (const full of [true, false]) {
    const { report } = await reconciled('claimed', runs, { full, records });
    const named = report.ambiguous.payouts.map(({ partner_code }) => partner_code);
    expect(new Set(named)).toEqual(new Set(codes));
  }
});

test('what could be a card number is taken out of the codes and identifiers of a report', async () => {
  const card = '5555555555554444';
  const records = twice([card, `to-${card}`], ['8', card]);
  const { report } = await reconciled('claimed', [], { records });
  expect(report.orphans).toMatchObject({ count: 2 });
  expect(JSON.stringify(report)).not.toContain(card);
});

test('of our own payouts a report names code and identifier in full', async () => {
  const ours = { partner_code: 'p4539578763621486', service_id: '6011111111111117' };
  const { report } = await reconciled('claimed', [own(ours)], { records: [] });
  expect(report.missing).toEqual({ count: 1, payouts: [ours] });
});

test('all of ours that have one identifier read their status now', async () => {
  for (const full of [true, false]) {
    const { hinted } = await reconciled('claimed', [own(), second], { full });
    expect(hinted.sort()).toEqual(['payout-rent-1', 'payout-rent-2']);
  }
});

test('records that come twice, as pages shift, are not ambiguous', async () => {
  const records = twice(['7', 'rent-1'], ['7', 'rent-1']);
  for (const full of [true, false]) {
    expect((await reconciled('claimed', [own()], { full, records })).report.ambiguous).toEqual(none);
  }
});
