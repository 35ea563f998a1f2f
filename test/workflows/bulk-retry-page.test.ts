import { expect, test } from 'vitest';
import { PageList } from '../../workflows/bulk-retry/page-list.js';
import { RetryPage } from '../../workflows/bulk-retry/page.js';

const line = (code: string) => ({
  ...{ partner_code: code, attempt: 1, centavos: 15_025 },
  cause: 'service_error',
  words: '',
});

const retried = { outcome: 'retried', detail: null } as const;
const unanswered = { outcome: 'unanswered', detail: 'It has not answered in time.' } as const;
const minute = 60_000;
const day = 24 * 60 * minute;
const plan = {
  ...{ bulk_retry_id: 'again', page: 1, per_second: 50, reason: 'the bank is back', by: 'ana', scale: 1 },
  filter: {},
};

function pageOf(...codes: string[]) {
  const page = new RetryPage({ ...plan, payouts: codes.map(line) }, 0);
  page.allow({ number: 1, up_to: codes.length, last: false }, 0);
  return page;
}
const codesOf = (payouts: { partner_code: string }[]) => payouts.map(({ partner_code: code }) => code);

test('a payout that has not answered is named, and retried again after all others, every minute', () => {
  const page = pageOf('first', 'second', 'third');
  page.taken(page.take(2), [unanswered, retried], 0);
  expect(page.retryAt).toBe(0);
  expect(codesOf(page.take(2))).toEqual(['third']);
  page.taken(page.take(2), [retried], 1_000);
  expect(page.progress(1_000)).toMatchObject({ next: 3, unanswered: ['first'], idle: false, over: false });
  expect(page.report()[0]).toMatchObject({ outcome: 'pending', detail: unanswered.detail, at: null });
  expect(page.retryAt).toBe(1_000 + minute);
  page.taken(page.take(2), [unanswered], 1_000 + minute);
  expect(page.retryAt).toBe(1_000 + 2 * minute);
  expect(codesOf(page.take(2))).toEqual(['first']);
  page.taken(page.take(2), [retried], 2 * minute);
  expect(page.progress(2 * minute)).toMatchObject({ unanswered: [], tallies: { retried: { count: 3 } } });
  expect(page.retryAt).toBe(Infinity);
});

test('a payout that has not answered is retried again by a page that has fewer payouts than its canary', () => {
  const page = pageOf('first');
  page.allow({ number: 2, up_to: 20, last: false }, 0);
  page.taken(page.take(2), [unanswered], 0);
  expect(codesOf(page.take(2))).toEqual(['first']);
});

test('an interrupted retry is named, not made again during a pause, and its outcome is read after a stop', () => {
  const page = pageOf('first', 'second');
  const payouts = page.take(2);
  page.allow({ number: 2, up_to: 0, last: false }, 0);
  page.taken(payouts, [null], 0);
  expect(page.progress(0)).toMatchObject({ next: 1, unanswered: ['first'], idle: true });
  expect([page.retryAt, codesOf(page.unsettled)]).toEqual([Infinity, []]);
  page.allow({ number: 3, up_to: 0, last: true }, 0);
  expect([codesOf(page.unsettled), page.progress(0).over]).toEqual([['first'], false]);
  page.outcomesRead([{ partner_code: 'first', outcome: 'done', detail: null }], 5_000);
  expect(page.progress(5_000)).toMatchObject({ unanswered: [], tallies: { done: { count: 1 } } });
});

test('a page that has retried only some of the payouts it took goes on with the next one, or is idle when paused', () => {
  const page = pageOf('first', 'second', 'third');
  page.allow({ number: 1, up_to: 3, last: true }, 0);
  const codes = () => codesOf(page.take(50));
  expect(codes()).toEqual(['first', 'second', 'third']);
  page.taken(page.take(50), [retried], 0);
  expect(codes()).toEqual(['second', 'third']);
  page.taken(page.take(50), [], 0);
  expect(codes()).toEqual(['second', 'third']);
  expect(page.progress(0)).toMatchObject({ next: 1, idle: false });

  page.allow({ number: 2, up_to: 0, last: false }, 0);
  expect(page.progress(0)).toMatchObject({ next: 1, allowed: 2, idle: true, over: false });
});

test('a page with a payout that has not answered does not end during a pause of days, and then retries it again', () => {
  const page = pageOf('first');
  page.taken(page.take(1), [unanswered], 0);
  page.allow({ number: 2, up_to: 0, last: false }, minute);
  expect(page.progress(4 * day)).toMatchObject({ over: false, idle: true, unanswered: ['first'] });
  page.allow({ number: 3, up_to: 1, last: false }, 4 * day);
  expect(page.retryAt).toBeLessThanOrEqual(4 * day);
  page.taken(page.take(1), [unanswered], 4 * day);
  page.allow({ number: 4, up_to: 1, last: false }, 5 * day);
  expect(page.progress(7 * day - 1)).toMatchObject({ over: false });
  expect(page.progress(7 * day)).toMatchObject({ over: true, next: 1, unanswered: ['first'] });
  expect(page.report()[0]).toMatchObject({ outcome: 'pending', detail: unanswered.detail });
});

test('a payout that did not answer when it was selected is retried like the others, and its outcome is read', () => {
  const page = new RetryPage({ ...plan, payouts: [{ ...line('first'), attempt: null }] }, 0);
  page.allow({ number: 1, up_to: 1, last: false }, 0);
  const payouts = page.take(1);
  expect(payouts).toEqual([{ partner_code: 'first', attempt: null }]);
  page.taken(payouts, [unanswered], 0);
  expect(page.progress(0)).toMatchObject({ unanswered: ['first'], tallies: { refused: { count: 0 } } });
  page.taken(page.take(1), [retried], minute);
  expect(page.unsettled).toEqual([{ partner_code: 'first', attempt: null }]);
});

test.for([5, 0.1])(
  'payouts that have not answered are retried again at the pace of the bulk retry, %d a second, on however many pages',
  (perSecond) => {
    const list = new PageList([]);
    const payouts = Array.from({ length: 500 }, (_, index) => line(`rent-${String(index)}`));
    const pages = Array.from({ length: 20 }, (_, index) => {
      const page = new RetryPage({ ...plan, per_second: perSecond, payouts, page: index + 1 }, 0);
      page.allow({ number: 0, up_to: payouts.length, last: false }, 0);
      page.taken(
        page.take(payouts.length),
        payouts.map(() => unanswered),
        0,
      );
      list.add(index + 1, payouts);
      list.applyProgress(page.progress(0));
      return page;
    });
    for (const { allow, page } of list.instruct({ kind: 'in_turn' }, false)) pages[page - 1]?.allow(allow, 0);
    const withinMs = 60 * minute;
    let times = 0;
    for (const page of pages) {
      for (let now = page.retryAt; now < withinMs; now = page.retryAt) {
        const { perSecond: inActivity, rows } = page.stride;
        const some = page.take(rows);
        times += some.length;
        page.taken(
          some,
          some.map(() => unanswered),
          now + (some.length / inActivity) * 1_000,
        );
      }
    }
    expect(times).toBeGreaterThanOrEqual(pages.length);
    expect(times).toBeLessThanOrEqual((perSecond * withinMs) / 1_000);
  },
);
