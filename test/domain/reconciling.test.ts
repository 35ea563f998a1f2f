import { describe, expect, test } from 'vitest';
import { longestTurnMs, strideOf } from '../../src/domain/batch-limits.js';
import { closings, earlyClosingText, isEarly } from '../../src/domain/closings.js';
import {
  isAsListed,
  isUnfollowed,
  listCoversUntil,
  missedRuns,
  payoutOfAttempt,
} from '../../src/domain/reconciling.js';

test.for([
  [false, 10, false],
  [false, 20, false],
  [false, 21, true],
  [true, 24 * 60, false],
  [true, 2 * 24 * 60, false],
  [true, 2 * 24 * 60 + 1, true],
] as const)(
  'a reconciliation (all: %s) that starts %i minutes after the last has missed runs: %s',
  ([full, minutes, missed]) => {
    const lastEndedAt = Date.UTC(2026, 0);
    expect(missedRuns(full, lastEndedAt, lastEndedAt + minutes * 60_000)).toBe(missed);
  },
);

test('a payout is covered by the full reconciliations for two weeks, the last of which is a day later', () => {
  const decidedAt = Date.UTC(2031, 6, 1);
  expect(new Date(listCoversUntil(decidedAt)).toISOString()).toBe('2031-07-16T00:00:00.000Z');
});

describe('what the service lists of a payout', () => {
  test.for([
    ['claimed', 'claimed', true],
    ['claimed', 'done', false],
    ['done', 'error', false],
    ['error', 'processing', false],
    ['submitting', 'claimed', true],
    ['submission_unknown', 'claimed', false],
    ['abandoned', 'error', true],
    ['abandoned', 'done', false],
    ['rejected', 'error', true],
    ['claimed', null, true],
    [null, 'claimed', false],
  ] as const)('being %s here and %s there is as it should be: %s', ([here, there, expected]) => {
    expect(isAsListed(here, there)).toBe(expected);
  });

  test.for([
    ['p-1', 'p-1'],
    ['p-1-r2', 'p-1'],
    ['p-1-r12', 'p-1'],
    ['p-1-r2-b', 'p-1-r2-b'],
    ['-r2', undefined],
    [`x' OR 1`, undefined],
    ['', undefined],
  ] as const)('under the partner_code %s is of payout %s', ([code, expected]) => {
    expect(payoutOfAttempt(code)).toBe(expected);
  });
});

describe('a page of a batch', () => {
  test.for([
    [0.1, 1, 0.25, 6_000],
    [0.2, 1, 0.25, 1_000],
    [0.25, 1, 0.25, 0],
    [1, 4, 1, 0],
    [25, 50, 25, 0],
    [200, 50, 200, 0],
  ] as const)(
    'at %s starts a second starts %s rows in an activity, at %s a second, after a wait of %s ms',
    ([pace, rows, perSecond, waitMs]) => {
      expect(strideOf(pace)).toEqual({ rows, perSecond, waitMs });
    },
  );

  test.for([0.1, 0.13, 0.2, 0.3, 0.7, 1, 3, 12, 50, 200])(
    'at %s starts a second has a slot for six seconds at most',
    (pace) => {
      const { perSecond, rows } = strideOf(pace);
      expect(rows / perSecond).toBeLessThanOrEqual(6);
    },
  );

  test('waits twice as long as the rows before it take, and a minute', () => {
    expect(longestTurnMs(500, 25)).toBe(100_000);
  });
});

describe('a payout is followed by nobody', () => {
  test.for([
    [null, 'claimed', 'claimed', false],
    [null, 'rejected', 'done', false],
    ['completed', 'done', 'done', false],
    ['completed', 'rejected', 'error', false],
    ['completed', 'rejected', 'done', true],
    ['completed', 'done', 'error', true],
    ['completed', 'cancelled', 'processing', true],
    ['terminated', 'claimed', 'claimed', true],
    ['terminated', 'processing', 'under_review', true],
    ['terminated', 'claimed', 'done', true],
    ['terminated', 'done', 'done', false],
    ['terminated', 'error', 'error', false],
    ['timed_out', 'submitting', 'claimed', true],
    ['terminated', 'claimed', null, false],
  ] as const)('closed as %s with %s, and listed as %s: %s', ([closedAs, status, listed, expected]) => {
    expect(isUnfollowed({ closedAs, status }, listed)).toBe(expected);
  });
});

test('only a workflow that ended by itself is closed in time', () => {
  expect(closings.filter(isEarly)).toEqual(['terminated', 'timed_out', 'failed', 'cancelled']);
  expect([isEarly(null), isEarly(undefined)]).toEqual([false, false]);
});

test.for([
  ['terminated', 'was terminated'],
  ['timed_out', 'has timed out'],
  ['failed', 'has failed'],
  ['cancelled', 'was cancelled by force'],
] as const)('one that is %s says what that means for the money', ([closing, how]) => {
  expect(earlyClosingText(closing)).toContain(`The workflow of this payment ${how}, so nobody follows it`);
  expect(earlyClosingText(closing)).toContain('the money may still move');
});
