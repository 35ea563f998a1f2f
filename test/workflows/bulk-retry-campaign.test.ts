import { describe, expect, test } from 'vitest';
import type { Holder } from '../../activities/find-holders.js';
import type { BulkRetryInput, SelectedPayout } from '../../src/contract/bulk-retry.js';
import { bulkRetryLimits, noTallies } from '../../src/domain/bulk-retry.js';
import { Campaign } from '../../workflows/bulk-retry/campaign.js';
import { readPlan } from '../../workflows/bulk-retry/plan.js';
import { Selection } from '../../workflows/bulk-retry/selection.js';
import { begin } from '../../workflows/bulk-retry/snapshot.js';

const command = { reason: 'the bank says so', by: 'ana' };
const payout = { partner_code: 'rent-1', centavos: 15_025, cause: 'service_error', words: '', attempt: 1 };

function bulkRetryOf({ isReset = false, ...more }: Partial<BulkRetryInput> & { isReset?: boolean } = {}) {
  const plan = readPlan({ bulk_retry_id: 'again', ...command, ...more }, 0);
  return new Campaign(begin(plan, 0), null, () => 0, isReset);
}

const payoutsOf = (count: number, more: Partial<SelectedPayout> = {}) =>
  Array.from({ length: count }, (_, at) => ({ ...payout, partner_code: `rent-${String(at)}`, ...more }));

/** One that has selected payouts, on pages of so many. */
function selected(more: Partial<BulkRetryInput> = {}, ...sizes: number[]) {
  const bulkRetry = bulkRetryOf(more);
  for (const [index, size] of sizes.entries()) bulkRetry.startedPage(index + 1, payoutsOf(size));
  bulkRetry.selection.add([], null);
  bulkRetry.leaveSelection();
  return bulkRetry;
}

const progress = (page: number, allowed: number, idle: boolean) => ({
  ...{ page, allowed, idle, next: 0, over: false, unanswered: [], tallies: noTallies() },
});

describe('a pause of a bulk retry that was reset to its beginning', () => {
  test('is answered when its first page is started, for the pages of the run before end before that', () => {
    const bulkRetry = bulkRetryOf({ isReset: true });
    bulkRetry.pause(command);
    expect(bulkRetry.isIdle).toBe(false);
    bulkRetry.startedPage(1, [payout]);
    expect(bulkRetry.isIdle).toBe(true);
  });

  test('is answered when nothing was selected', () => {
    const bulkRetry = bulkRetryOf({ isReset: true });
    bulkRetry.pause(command);
    bulkRetry.selection.add([], null);
    bulkRetry.leaveSelection();
    expect(bulkRetry.isIdle).toBe(true);
  });

  test('waits for each page of the run before to confirm that it retries no more', () => {
    const bulkRetry = bulkRetryOf({ isReset: true });
    bulkRetry.pause(command);
    bulkRetry.applyProgress(progress(1, 4, false));
    bulkRetry.applyProgress(progress(2, 0, true));
    expect(bulkRetry.earlierPages()).toEqual([1, 2]);
    const [first = 0] = [1, 2].map((page) => bulkRetry.endEarlier(page).number);
    bulkRetry.startedPage(3, [payout]);
    expect(bulkRetry.isIdle).toBe(false);
    bulkRetry.applyProgress(progress(1, first, true));
    expect(bulkRetry.isIdle).toBe(false);
    bulkRetry.lost(2);
    expect(bulkRetry.isIdle).toBe(true);
  });
});

test('a pause of a bulk retry that was not reset is answered while it selects', () => {
  const bulkRetry = bulkRetryOf();
  bulkRetry.pause(command);
  expect(bulkRetry.isIdle).toBe(true);
});

describe('what a bulk retry allows its pages', () => {
  /** Of a page of four both payouts of the canary have this outcome. */
  const canaryOf = (outcome: 'done' | 'failed_again', allowed: number) => ({
    ...{ ...progress(1, allowed, true), next: 2 },
    tallies: { ...noTallies(), pending: { count: 2, centavos: 2 }, [outcome]: { count: 2, centavos: 2 } },
  });
  const allowed = (bulkRetry: Campaign) =>
    bulkRetry.allowances().map(({ allow }) => [allow.up_to, allow.last]);

  test('is all of one page after the other, until each is through', () => {
    const bulkRetry = selected({ canary: 0 }, 2, 3, 1);
    bulkRetry.checked([]);
    bulkRetry.leaveCanary();
    const byPage = () => bulkRetry.allowances().map(({ allow, page }) => [page, allow.up_to]);
    const through = (page: number, next: number) => {
      bulkRetry.applyProgress({ ...progress(page, 1, false), next });
      bulkRetry.leaveRunning();
      return bulkRetry.stage;
    };
    expect(byPage()).toEqual([[1, 2]]);
    expect(through(1, 1)).toBe('running');
    expect(byPage()).toEqual([]);
    expect(through(1, 2)).toBe('running');
    expect(byPage()).toEqual([
      [1, 0],
      [2, 3],
    ]);
    expect(through(2, 3)).toBe('running');
    expect(byPage()).toEqual([
      [2, 0],
      [3, 1],
    ]);
    expect(through(3, 1)).toBe('following');
  });

  test('is nothing more during a pause, though the canary is through, and the others when it is resumed', () => {
    const bulkRetry = selected({ canary: 2 }, 4);
    bulkRetry.checked([]);
    expect(allowed(bulkRetry)).toEqual([[2, false]]);
    bulkRetry.pause(command);
    expect(allowed(bulkRetry)).toEqual([[0, false]]);
    expect(bulkRetry.isIdle).toBe(false);
    bulkRetry.applyProgress(canaryOf('done', 2));
    expect(bulkRetry.isIdle).toBe(true);
    bulkRetry.leaveCanary();
    expect(allowed(bulkRetry)).toEqual([]);
    bulkRetry.resume(command);
    bulkRetry.leaveCanary();
    expect(allowed(bulkRetry)).toEqual([[4, false]]);
  });

  test('is nothing more when the canary has failed again, until an operator resumes it', () => {
    const bulkRetry = selected({ canary: 2 }, 4);
    bulkRetry.checked([]);
    bulkRetry.applyProgress(canaryOf('failed_again', 0));
    bulkRetry.leaveCanary();
    expect(allowed(bulkRetry)).toEqual([]);
    expect(bulkRetry.state()).toMatchObject({ status: 'stopped', attention: 'bulk_retry_stopped' });
    expect(bulkRetry.state().attention_detail).toContain('2 of 2 failed again');
    bulkRetry.resume(command);
    bulkRetry.leaveCanary();
    expect(allowed(bulkRetry)).toEqual([[4, false]]);
  });

  test.each([true, false])(
    'is nothing ever more once it is stopped for good, or of a dry run: %s',
    (isDryRun) => {
      const bulkRetry = selected({ dry_run: isDryRun }, 4);
      bulkRetry.checked([]);
      if (!isDryRun) bulkRetry.stop(command);
      expect(allowed(bulkRetry)).toEqual([[0, true]]);
    },
  );
});

test('all that is selected is shared out to pages, each of payouts that failed for different reasons in turn', () => {
  const selection = new Selection(Selection.begin());
  const { pagePayouts } = bulkRetryLimits;
  const pages: SelectedPayout[][] = [];
  const takeAll = () => {
    for (let page = selection.takePage(); page !== undefined; page = selection.takePage()) pages.push(page);
  };
  selection.add(payoutsOf(pagePayouts + 1), 'more');
  takeAll();
  expect(pages).toHaveLength(1);
  selection.add([...payoutsOf(2, { cause: 'refused' }), ...payoutsOf(pagePayouts)], null);
  takeAll();
  expect(pages.map(({ length }) => length)).toEqual([pagePayouts, pagePayouts, 3]);
  expect(pages[1]?.slice(0, 5).map(({ cause }) => cause)).toEqual([
    ...['service_error', 'refused', 'service_error', 'refused', 'service_error'],
  ]);
  expect(selection.groups().map(({ cause, count }) => [cause, count])).toEqual([
    ['service_error', 2 * pagePayouts + 1],
    ['refused', 2],
  ]);
});

describe('the check of other bulk retries', () => {
  const silent: Holder = { bulk_retry_id: 'nov-1', status: null, count: 0, partner_codes: [] };
  const holder: Holder = { bulk_retry_id: 'nov-2', status: 'paused', count: 1, partner_codes: ['rent-1'] };

  test('continues while one is not known to hold payouts, and names that one', () => {
    const bulkRetry = selected({}, 1);
    bulkRetry.checked([silent]);
    expect(bulkRetry.awaitsCheck).toBe(true);
    expect(bulkRetry.state()).toMatchObject({ status: 'canary', attention_detail: null });
    expect(bulkRetry.state().awaiting).toContain('bulk retry nov-1,');
    bulkRetry.checked([]);
    expect(bulkRetry.awaitsCheck).toBe(false);
    expect(bulkRetry.state().awaiting).toContain('the canary');
  });

  test('ends with the one that holds payouts, though another does not answer', () => {
    const bulkRetry = selected({}, 1);
    bulkRetry.checked([silent, holder]);
    expect(bulkRetry.stopped).toBe(true);
    expect(bulkRetry.state().attention_detail).toContain('Bulk retry nov-2, which is paused');
    expect(bulkRetry.state().attention_detail).not.toContain('nov-1');
  });
});
