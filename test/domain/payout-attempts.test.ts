import { describe, expect, test } from 'vitest';
import {
  attemptStatus,
  attemptView,
  failureCause,
  isSettled,
  mayHideAtService,
  newAttempt,
  payoutServiceId,
  payoutStatus,
  proofNeeded,
  provenFailed,
  unrecognisedStatuses,
  type Attempt,
} from '../../src/domain/payout-attempts.js';
import { isUnsent, payoutStage } from '../../src/domain/payout-stages.js';

const attempt = (change: Partial<Attempt>): Attempt => ({
  ...newAttempt(1, 'a', 0),
  phase: 'known',
  serviceId: '1',
  ...change,
});

describe('an attempt', () => {
  test.for([
    [{ phase: 'to_send' }, false, false],
    [{ phase: 'verifying' }, false, true],
    [{ phase: 'unknown' }, false, true],
    [{ phase: 'known', status: 'claimed' }, false, false],
    [{ phase: 'known', status: 'claimed', deniedAt: 1 }, false, true],
    [{ phase: 'known', status: 'done' }, false, false],
    [{ phase: 'known', status: 'under_review' }, false, false],
    [{ phase: 'known', status: null }, false, false],
    [{ phase: 'known', status: 'error' }, true, false],
    [{ phase: 'unknown', status: 'error' }, false, true],
    [{ phase: 'refused' }, true, true],
    [{ phase: 'never_sent' }, true, true],
    [{ phase: 'not_paid' }, true, true],
  ] as const)('%j is proven failed: %s, may hide at the service: %s', ([change, failed, hidden]) => {
    expect(provenFailed(attempt(change))).toBe(failed);
    expect(mayHideAtService(attempt(change))).toBe(hidden);
  });
});

describe('an attempt that failed', () => {
  test.for([
    [{ status: 'error' }, 'service_error'],
    [{ status: 'error', wasDone: true }, 'returned'],
    [{ phase: 'refused' }, 'refused'],
    [{ phase: 'not_paid' }, 'not_paid'],
    [{ phase: 'never_sent' }, 'never_sent'],
    [{ phase: 'never_sent', stopped: 'corrections' }, 'never_sent'],
    [{ phase: 'never_sent', stopped: 'account_invalid' }, 'account_invalid'],
    [{ status: 'claimed' }, null],
    [{ status: 'done', wasDone: true }, null],
    [{ phase: 'unknown' }, null],
  ] as const)('%j did so because of: %s', ([change, cause]) => {
    expect(failureCause(attempt(change))).toBe(cause);
  });

  test.for([
    [{ phase: 'to_send' }, 'submitting'],
    [{ phase: 'verifying' }, 'submitting'],
    [{ phase: 'unknown' }, 'submission_unknown'],
    [{ phase: 'refused' }, 'rejected'],
    [{ phase: 'never_sent' }, 'never_sent'],
    [{ phase: 'not_paid' }, 'not_paid'],
    [{ status: null }, 'submitting'],
    [{ status: 'under_review' }, 'under_review'],
  ] as const)('%j is shown as %s', ([change, status]) => {
    expect(attemptStatus(attempt(change))).toBe(status);
  });
});

describe('what has to be proven before an attempt is sent', () => {
  const freshMs = 60_000;
  const now = 10_000_000;
  const proof = (number: number, decided: number, proven: number, tries = 0) =>
    proofNeeded(attempt({ number, decidedAt: now - decided }), {
      ...{ now, freshMs, tries },
      provenAt: now - proven,
    });
  test.for([
    [1, 0, now, 0, false, false],
    [1, freshMs, now, 0, false, false],
    [1, freshMs + 1, now, 0, false, true],
    [1, freshMs + 1, freshMs, 0, false, false],
    [1, freshMs + 1, freshMs + 1, 0, false, true],
    [1, 0, now, 3, false, false],
    [2, 0, 0, 0, false, false],
    [2, 0, freshMs, 0, false, false],
    [2, 0, freshMs + 1, 0, true, false],
    [2, 0, 0, 1, true, false],
    [2, freshMs + 1, freshMs + 1, 1, true, true],
    [1, now, 0, 0, false, false],
    [1, now, 0, 1, false, true],
  ] as const)(
    'of attempt %s, decided %s ms and proven %s ms ago, tried %s times: previous failed %s, not listed %s',
    ([number, decided, proven, tries, previousFailed, notListed]) => {
      expect(proof(number, decided, proven, tries)).toEqual({ previousFailed, notListed });
    },
  );
});

test('a new attempt was neither sent nor read, and is shown so', () => {
  expect(newAttempt(2, 'a-r2', 7)).toMatchObject({
    phase: 'to_send',
    wasDone: false,
    wasRead: false,
    decidedAt: 7,
  });
  const view = { number: 2, partner_code: 'a-r2', service_id: null, list_id: null, cause: null, error: null };
  expect(attemptView(newAttempt(2, 'a-r2', 7))).toEqual({
    ...view,
    status: 'submitting',
    bulk_retry_id: null,
    payee: null,
  });
  expect(attemptView(attempt({ bulkRetryId: 'b', status: 'error', error: 'why' }))).toMatchObject({
    ...{ service_id: '1', status: 'error', cause: 'service_error', error: 'why', bulk_retry_id: 'b' },
  });
});

test('a payout without attempts is submitted first', () => {
  expect([payoutStatus([], false), payoutStage([])]).toEqual(['submitting', 'submit']);
});

test('attempts are settled when each is done or failed, and unrecognised by the words of the service', () => {
  const error = attempt({ status: 'error' });
  expect(isSettled([error, attempt({ status: 'done' })])).toBe(true);
  expect(isSettled([error, attempt({ status: 'claimed' })])).toBe(false);
  expect(isSettled([attempt({ phase: 'unknown' }), error])).toBe(false);
  expect(unrecognisedStatuses([error, attempt({ status: null }), attempt({ status: 'held' })])).toEqual([
    'held',
  ]);
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
    ['is done when a previous attempt is and the latest failed', [done, failed], false, 'done'],
    [
      'is done as soon as one attempt is, while another one still moves',
      [done, attempt({ status: 'claimed' })],
      false,
      'done',
    ],
    [
      'is the one of what moves after it was given up',
      [attempt({ status: 'processing' })],
      true,
      'processing',
    ],
    [
      'is done when given up, and a previous attempt is done while the latest moves',
      [done, attempt({ status: 'claimed' })],
      true,
      'done',
    ],
    ['is abandoned when given up', [failed], true, 'abandoned'],
    ['is done even when given up', [done], true, 'done'],
    [
      'is that of the previous attempt that moves when the latest failed',
      [attempt({ status: 'processing' }), failed],
      false,
      'processing',
    ],
    ['is error when all failed', [failed, failed], false, 'error'],
    [
      'is rejected when the latest was never sent',
      [failed, attempt({ phase: 'never_sent' })],
      false,
      'rejected',
    ],
    ['is done when both are', [done, done], false, 'done'],
    [
      'is unknown when the latest is, though one is done',
      [done, attempt({ phase: 'unknown' })],
      false,
      'submission_unknown',
    ],
    ['is rejected when refused', [attempt({ phase: 'refused' })], false, 'rejected'],
    ['is rejected when an operator found nothing', [attempt({ phase: 'not_paid' })], false, 'rejected'],
  ] as const)('%s', ([, attempts, abandoned, status]) => {
    expect(payoutStatus(attempts, abandoned)).toBe(status);
  });

  const one = attempt({ serviceId: 'one', status: 'error' });
  test.for([
    ['of the only attempt', [one], 'one'],
    ['of an attempt that is done, when the latest failed', [{ ...one, status: 'done' }, failed], 'one'],
    ['of an attempt that moves, when the latest failed', [{ ...one, status: 'processing' }, failed], 'one'],
    ['not of a previous attempt while the latest is sent', [one, newAttempt(2, 'a-r2', 7)], null],
    [
      'not of a previous attempt while the outcome of the latest is unknown',
      [one, { ...newAttempt(2, 'a-r2', 7), phase: 'unknown' }],
      null,
    ],
    [
      'what was known, when the latest was refused',
      [one, { ...newAttempt(2, 'a-r2', 7), phase: 'refused' }],
      'known',
    ],
  ] as const)('has the identifier %s', ([, attempts, id]) => {
    expect(payoutServiceId(attempts, 'known')).toBe(id);
  });

  test('awaits a decision only while every attempt is proven failed', () => {
    expect(payoutStage([failed])).toBe('decide');
    expect(payoutStage([failed, failed])).toBe('decide');
    expect(payoutStage([failed], { abandoned: true })).toBe('watch');
    expect(payoutStage([done, failed])).toBe('watch');
    expect(payoutStage([failed, attempt({ status: 'processing', wasRead: true })])).toBe('follow');
    expect(payoutStage([attempt({ status: 'processing' }), failed])).toBe('follow');
    expect(payoutStage([failed, attempt({ phase: 'to_send' })])).toBe('submit');
    expect(payoutStage([failed, attempt({ phase: 'verifying' })])).toBe('verify');
    expect(payoutStage([attempt({ phase: 'unknown' })])).toBe('resolve');
  });

  test('has to be found while no read has ever shown its latest attempt by its identifier', () => {
    const answered = attempt({ status: 'processing', wasRead: false });
    expect(payoutStage([answered])).toBe('find');
    expect(payoutStage([failed, answered])).toBe('find');
    expect(payoutStage([answered, failed])).toBe('follow');
    expect(payoutStage([{ ...answered, wasRead: true }])).toBe('follow');
  });

  test('awaits the validation of an account before its latest attempt is sent, and not after', () => {
    const toSend = attempt({ phase: 'to_send' });
    expect(payoutStage([toSend], { awaitsAccount: true })).toBe('validate');
    expect(payoutStage([failed], { awaitsAccount: true })).toBe('decide');
    expect([isUnsent('validate'), isUnsent('submit'), isUnsent('verify')]).toEqual([true, true, false]);
  });

  test('that is closed is in no other stage', () => {
    for (const phase of ['to_send', 'unknown', 'known'] as const) {
      expect(payoutStage([attempt({ phase })], { closed: true, awaitsAccount: true })).toBe('closed');
    }
  });
});
