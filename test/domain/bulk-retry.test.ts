import { describe, expect, test } from 'vitest';
import {
  awaitedByBulkRetry,
  bulkRetryStatus,
  firstBulkRetryStatus,
} from '../../src/domain/bulk-retry-status.js';
import {
  endOfRetry,
  failsTooOften,
  matchesFilter,
  nextOutcomeReadMs,
  noTallies,
  retriedAttempt,
  retryOutcomes,
  totalOf,
  wasRetriedBy,
} from '../../src/domain/bulk-retry.js';

describe('a bulk retry stops by itself', () => {
  test.each<[string, [number, number], [number, number], boolean, boolean]>([
    ['no outcome says nothing', [0, 0], [0, 0], true, false],
    ['2 of 10 are not more than a fifth', [8, 2], [0, 0], false, false],
    ['3 of 10 are', [7, 3], [0, 0], false, true],
    ['few outcomes say nothing while others are under way', [0, 3], [0, 0], false, false],
    ['nine outcomes are few, also when all failed', [0, 9], [0, 0], false, false],
    ['a fifth of a canary is not more than a fifth', [4, 1], [0, 0], true, false],
    ['what was done before it was resumed does not count either', [20, 3], [15, 0], true, true],
    ['outcomes since it was resumed are few', [9, 6], [9, 0], false, false],
    ['few are enough when they are all of the canary', [0, 1], [0, 0], true, true],
    ['what ended before it was resumed does not count', [7, 6], [0, 5], true, false],
  ])('%s', (_what, now, after, isWhole, stops) => {
    const endsOf = ([done, failedAgain]: [number, number]) => ({ done, failedAgain });
    expect(failsTooOften(endsOf(now), endsOf(after), 0.2, isWhole)).toBe(stops);
  });
});

describe('whether a failed payout matches a filter:', () => {
  const payout = {
    ...{ partner_code: 'rent-1', method: 'pix', status: 'error', cause: 'service_error', closed: false },
    ...{ started_by: 'shop', value: 150.25 },
    ...{ changed_at: '2026-05-02T12:00:00.000Z', updated_at: '2026-05-09T00:00:00.000Z' },
  };
  const rejected = { status: 'rejected', cause: 'refused' };

  type Given = Parameters<typeof matchesFilter>;
  test.for<[string, Given[0], Partial<Given[1]>, boolean]>([
    ['it matches an empty one', {}, {}, true],
    ['a refused one does not match an empty one', {}, rejected, false],
    ['it matches its cause', { cause: ['never_sent', 'refused'] }, rejected, true],
    ['not another cause', { cause: ['never_sent'] }, {}, false],
    ['not when it is closed', {}, { closed: true }, false],
    ['not when it has not failed', {}, { status: 'claimed', cause: null }, false],
    ['not the other method', { method: 'transfer' }, {}, false],
    ['not another owner', { owner: 'other' }, {}, false],
    ['it matches its owner', { owner: 'shop' }, {}, true],
    ['it matches failures from its moment on', { failed_after: '2026-05-02T12:00:00Z' }, {}, true],
    ['not later failures', { failed_after: '2026-05-02T12:00:01Z' }, {}, false],
    ['it matches failures up to its moment', { failed_before: '2026-05-02T12:00:00Z' }, {}, true],
    ['not earlier failures', { failed_before: '2026-05-02T11:59:59Z' }, {}, false],
    ['it failed when its status changed, not later', { failed_before: '2026-05-08T00:00:00Z' }, {}, true],
    ['it matches its value as both bounds', { value_from: 150.25, value_to: 150.25 }, {}, true],
    ['not a higher value', { value_from: 150.26 }, {}, false],
    ['not a lower value', { value_to: 150.24 }, {}, false],
    ['it matches its code', { partner_codes: ['rent-2', 'rent-1'] }, {}, true],
    ['not other codes', { partner_codes: ['rent-2'] }, {}, false],
  ])('%s', ([, filter, more, isMatch]) => {
    expect(matchesFilter(filter, { ...payout, ...more })).toBe(isMatch);
  });
});

describe('the outcome of a retry', () => {
  const attempt = (number: number, status: string, more: object = {}) => ({
    ...{ number, status, cause: null, error: null, bulk_retry_id: number === 2 ? 'b' : null },
    ...(status === 'error' && { cause: 'service_error', error: 'It failed.' }),
    ...more,
  });
  const [failed, second] = [attempt(1, 'error'), attempt(2, 'error')];
  const done = { outcome: 'done', detail: null };
  const failedAgain = { outcome: 'failed_again', detail: 'It failed.' };
  const paidByTheFirst = { outcome: 'done', detail: 'Attempt 1 is done.' };
  const byAnother = attempt(2, 'done', { bulk_retry_id: 'c' });
  const processing = attempt(2, 'processing');
  const withoutCause = attempt(2, 'error', { cause: null });

  test.each([
    ['is not known before there is one', 'error', [failed], undefined],
    ['is not known while it moves', 'claimed', [failed, attempt(2, 'claimed')], undefined],
    ['is done', 'done', [failed, attempt(2, 'done')], done],
    ['is done when the attempt before has paid', 'done', [attempt(1, 'done'), second], paidByTheFirst],
    ['is done when the payout is, whatever its attempts say', 'done', [failed, processing], done],
    ['is failed again', 'error', [failed, second], failedAgain],
    ['is not known of an attempt that another made', 'done', [failed, byAnother], undefined],
    ['is not known while it has failed for no reason yet', 'error', [failed, withoutCause], undefined],
    ['is its own, whatever a later one is', 'claimed', [failed, second, attempt(3, 'claimed')], failedAgain],
  ])('%s', (_what, status, attempts, end) => {
    expect(endOfRetry({ status, closed: false, attempts }, 1, 'b')).toEqual(end);
  });
});

describe('a bulk retry knows the attempt that it has made', () => {
  test.each([
    ['the next one, by its own id', 2, 'b', true],
    ['not one that another bulk retry made', 2, 'c', false],
    ['not one that an operator made', 2, null, false],
    ['not one that an older worker made', 2, undefined, false],
    ['not the one after the next', 3, 'b', false],
    ['not the failed one itself', 1, 'b', false],
  ])('%s', (_what, number, by, isIts) => {
    const made = { number, status: 'claimed', cause: null, error: null, bulk_retry_id: by };
    expect(wasRetriedBy({ status: 'claimed', closed: false, attempts: [made] }, 1, 'b')).toBe(isIts);
  });
});

test('the attempt that a bulk retry has retried is the one before its own', () => {
  const made = (number: number, by: string | null) => ({
    ...{ number, status: 'claimed', cause: null, error: null, bulk_retry_id: by },
  });
  const payout = { status: 'claimed', closed: false, attempts: [made(1, null), made(2, 'c'), made(3, 'b')] };
  expect(['b', 'c', 'd'].map((id) => retriedAttempt(payout, id))).toEqual([2, 1, undefined]);
});

test('outcomes are looked for each 5 seconds at first, and ever more rarely', () => {
  const hour = 3_600_000;
  expect([0, 59_999, 60_000, 900_000, 24 * hour - 1, 24 * hour, 48 * hour].map(nextOutcomeReadMs)).toEqual([
    5_000, 5_000, 30_000, 300_000, 300_000, 1_800_000, 1_800_000,
  ]);
});

test('sums of pages are kept apart by outcome, and pages without any come to nothing', () => {
  const page = noTallies();
  for (const [index, outcome] of retryOutcomes.entries())
    page[outcome] = { count: index, centavos: 10 * index };
  const total = totalOf([page, page]);
  expect(retryOutcomes.map((outcome) => total[outcome].count)).toEqual([0, 2, 4, 6, 8]);
  expect(retryOutcomes.map((outcome) => total[outcome].centavos)).toEqual([0, 20, 40, 60, 80]);
  expect(totalOf([])).toEqual(noTallies());
});

const course = { isDryRun: false, stage: 'running', held: null, stopped: false } as const;

test.for([
  [{ stage: 'selecting' }, 'canary', 'the selection of the failed payouts'],
  [{ stage: 'canary' }, 'canary', 'the outcomes of the canary, 15 minutes at most'],
  [{ stage: 'running' }, 'running', 'the retries, in pace'],
  [{ stage: 'following' }, 'running', 'the outcomes of what was retried'],
  [{ stage: 'ended' }, 'finished', 'nothing: it is over'],
  [{ isDryRun: true, stage: 'selecting' }, 'dry_run', 'the selection of the failed payouts'],
  [{ isDryRun: true, stage: 'ended' }, 'finished', 'nothing: it is over'],
  [{ held: 'by_operator', stage: 'canary' }, 'paused', 'resume or stop by an operator'],
  [{ held: 'by_itself', stage: 'canary' }, 'stopped', 'resume or stop by an operator'],
  [{ held: 'by_itself' }, 'stopped', 'resume or stop by an operator'],
  [{ stopped: true, stage: 'following' }, 'stopped', 'the outcomes of what was retried'],
  [{ stopped: true, stage: 'ended' }, 'stopped', 'nothing: it is over'],
] as const)('a bulk retry that is %j is %s and awaits: %s', ([is, status, awaiting]) => {
  expect(bulkRetryStatus({ ...course, ...is })).toBe(status);
  expect(awaitedByBulkRetry({ ...course, ...is }, true)).toBe(awaiting);
});

test('one that was paused while payouts are retried awaits the end of that first', () => {
  const paused = { ...course, held: 'by_operator' } as const;
  expect(awaitedByBulkRetry(paused, false)).toBe('the retries under way; then resume or stop');
});

test.for([
  [{}, 'canary'],
  [{ dry_run: false }, 'canary'],
  [{ dry_run: true }, 'dry_run'],
] as const)('one that begins with %j is %s', ([input, status]) => {
  expect(firstBulkRetryStatus(input)).toBe(status);
});
