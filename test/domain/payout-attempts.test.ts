import { describe, expect, test } from 'vitest';
import {
  mayHideAtService,
  payoutStage,
  payoutStatus,
  provenFailed,
  type Attempt,
} from '../../src/domain/payout-attempts.js';

const attempt = (change: Partial<Attempt>): Attempt => ({
  number: 1,
  partnerCode: 'a',
  phase: 'known',
  serviceId: '1',
  listId: null,
  status: null,
  error: null,
  wasDone: false,
  misfit: null,
  wasRead: true,
  decidedAt: 0,
  ...change,
});

describe('an attempt', () => {
  test.for([
    [{ phase: 'to_send' }, false, false],
    [{ phase: 'verifying' }, false, true],
    [{ phase: 'unknown' }, false, true],
    [{ phase: 'known', status: 'claimed' }, false, false],
    [{ phase: 'known', status: 'done' }, false, false],
    [{ phase: 'known', status: 'under_review' }, false, false],
    [{ phase: 'known', status: null }, false, false],
    [{ phase: 'known', status: 'error' }, true, false],
    [{ phase: 'refused' }, true, true],
    [{ phase: 'never_sent' }, true, true],
    [{ phase: 'not_paid' }, true, true],
  ] as const)('%j is proven failed: %s, may hide at the service: %s', ([change, failed, hidden]) => {
    expect(provenFailed(attempt(change))).toBe(failed);
    expect(mayHideAtService(attempt(change))).toBe(hidden);
  });
});

describe('the status of a payout', () => {
  const failed = attempt({ status: 'error' });
  const done = attempt({ status: 'done', wasDone: true });
  test.for([
    ['of one attempt is its own', [attempt({ status: 'processing' })], false, 'processing'],
    [
      'is submitting before the first read',
      [attempt({ phase: 'to_send', serviceId: null })],
      false,
      'submitting',
    ],
    ['is the latest attempt’s', [failed, attempt({ status: 'claimed' })], false, 'claimed'],
    ['is done when a former attempt is and the latest failed', [done, failed], false, 'done'],
    [
      'is the latest attempt’s while that one still moves',
      [done, attempt({ status: 'claimed' })],
      false,
      'claimed',
    ],
    ['is abandoned when given up', [failed], true, 'abandoned'],
    ['is done even when given up', [done], true, 'done'],
    ['is rejected when refused', [attempt({ phase: 'refused' })], false, 'rejected'],
    ['is rejected when a person found nothing', [attempt({ phase: 'not_paid' })], false, 'rejected'],
  ] as const)('%s', ([, attempts, abandoned, status]) => {
    expect(payoutStatus(attempts, abandoned)).toBe(status);
  });

  test('waits for a decision only while every attempt is proven failed', () => {
    expect(payoutStage([failed], false)).toBe('decide');
    expect(payoutStage([failed, failed], false)).toBe('decide');
    expect(payoutStage([failed], true)).toBe('watch');
    expect(payoutStage([done, failed], false)).toBe('watch');
    expect(payoutStage([failed, attempt({ status: 'processing' })], false)).toBe('follow');
  });
});
