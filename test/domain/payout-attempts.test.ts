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

// Each: whether it is proven failed, whether it may hide at the service, how it is shown, and why it failed.
test.for([
  [{ phase: 'to_send' }, false, false, 'submitting', null],
  [{ phase: 'verifying' }, false, true, 'submitting', null],
  [{ phase: 'unknown' }, false, true, 'submission_unknown', null],
  [{ phase: 'unknown', status: 'error' }, false, true, 'submission_unknown', null],
  [{ status: 'claimed' }, false, false, 'claimed', null],
  [{ status: 'claimed', deniedAt: 1 }, false, true, 'claimed', null],
  [{ status: 'done', wasDone: true }, false, false, 'done', null],
  [{ status: 'under_review' }, false, false, 'under_review', null],
  [{ status: null }, false, false, 'submitting', null],
  [{ status: 'error' }, true, false, 'error', 'service_error'],
  [{ status: 'error', wasDone: true }, true, false, 'error', 'returned'],
  [{ phase: 'refused' }, true, true, 'rejected', 'refused'],
  [{ phase: 'never_sent' }, true, true, 'never_sent', 'never_sent'],
  [{ phase: 'never_sent', stopped: 'corrections' }, true, true, 'never_sent', 'never_sent'],
  [{ phase: 'never_sent', stopped: 'account_invalid' }, true, true, 'never_sent', 'account_invalid'],
  [{ phase: 'not_paid' }, true, true, 'not_paid', 'not_paid'],
] as const)(
  'an attempt with %j is proven failed: %s, may hide: %s, is shown as %s, failed because of: %s',
  ([change, failed, hidden, status, cause]) => {
    expect(provenFailed(attempt(change))).toBe(failed);
    expect(mayHideAtService(attempt(change))).toBe(hidden);
    expect(attemptStatus(attempt(change))).toBe(status);
    expect(failureCause(attempt(change))).toBe(cause);
  },
);

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
  const fresh = newAttempt(2, 'a-r2', 7);
  expect(fresh).toMatchObject({ phase: 'to_send', wasDone: false, wasRead: false, decidedAt: 7 });
  expect(attemptView(fresh)).toEqual({
    ...{ number: 2, partner_code: 'a-r2', service_id: null, list_id: null, cause: null, error: null },
    ...{ status: 'submitting', bulk_retry_id: null, payee: null },
  });
  expect(attemptView(attempt({ bulkRetryId: 'b', status: 'error', error: 'why' }))).toMatchObject({
    ...{ service_id: '1', status: 'error', cause: 'service_error', error: 'why', bulk_retry_id: 'b' },
  });
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
  const [moves, claimed] = [attempt({ status: 'processing' }), attempt({ status: 'claimed' })];
  const [toSend, unknown] = [attempt({ phase: 'to_send', serviceId: null }), attempt({ phase: 'unknown' })];
  const [refused, notPaid] = [attempt({ phase: 'refused' }), attempt({ phase: 'not_paid' })];
  test.for<[string, Attempt[], string, string?]>([
    ['of one attempt is its own', [moves], 'processing', 'processing'],
    ['is submitting before the first attempt', [], 'submitting'],
    ['is submitting before the first read', [toSend], 'submitting'],
    ['is the latest attempt’s', [failed, claimed], 'claimed'],
    ['is done when a previous attempt is and the latest failed', [done, failed], 'done'],
    ['is done as soon as one attempt is, while another one still moves', [done, claimed], 'done', 'done'],
    ['is error when all failed, or abandoned', [failed, failed], 'error', 'abandoned'],
    ['is done even when given up', [done], 'done', 'done'],
    ['is that of the previous attempt that moves when the latest failed', [moves, failed], 'processing'],
    ['is rejected when the latest was never sent', [failed, attempt({ phase: 'never_sent' })], 'rejected'],
    ['is done when both are', [done, done], 'done'],
    ['is unknown when the latest is, though one is done', [done, unknown], 'submission_unknown'],
    ['is rejected when refused', [refused], 'rejected'],
    ['is rejected when an operator found nothing', [notPaid], 'rejected'],
  ])('%s', ([, attempts, status, onceGivenUp]) => {
    expect(payoutStatus(attempts, false)).toBe(status);
    if (onceGivenUp !== undefined) expect(payoutStatus(attempts, true)).toBe(onceGivenUp);
  });

  const one = attempt({ serviceId: 'one', status: 'error' });
  const second = newAttempt(2, 'a-r2', 7);
  test.for<[string, Attempt[], string | null]>([
    ['of the only attempt', [one], 'one'],
    ['of an attempt that is done, when the latest failed', [{ ...one, status: 'done' }, failed], 'one'],
    ['of an attempt that moves, when the latest failed', [{ ...one, status: 'processing' }, failed], 'one'],
    ['not of a previous attempt while the latest is sent', [one, second], null],
    ['nor while the outcome of the latest is unknown', [one, { ...second, phase: 'unknown' }], null],
    ['what was known, when the latest was refused', [one, { ...second, phase: 'refused' }], 'known'],
  ])('has the identifier %s', ([, attempts, id]) => {
    expect(payoutServiceId(attempts, 'known')).toBe(id);
  });

  const verifying = attempt({ phase: 'verifying' });
  const all = { failed, done, moves, read: { ...moves, wasRead: true }, toSend, verifying, unknown };
  test.for<[(keyof typeof all)[], string, Parameters<typeof payoutStage>[1]?]>([
    [[], 'submit'],
    [['failed', 'toSend'], 'submit'],
    // A decision is awaited only while every attempt is proven failed.
    [['failed'], 'decide'],
    [['failed', 'failed'], 'decide'],
    [['failed'], 'watch', { abandoned: true }],
    [['done', 'failed'], 'watch'],
    [['failed', 'read'], 'follow'],
    [['moves', 'failed'], 'follow'],
    [['failed', 'verifying'], 'verify'],
    [['unknown'], 'resolve'],
    // No read has ever shown the latest attempt by its identifier.
    [['moves'], 'find'],
    [['failed', 'moves'], 'find'],
    // Nor can a decided one be read by its identifier.
    [['done'], 'find', { unread: true }],
    [['failed'], 'find', { abandoned: true, unread: true }],
    [['read'], 'follow'],
    // The validation of an account is awaited before the latest attempt is sent, and not after.
    [['toSend'], 'validate', { awaitsAccount: true }],
    [['failed'], 'decide', { awaitsAccount: true }],
    [['toSend'], 'closed', { closed: true, awaitsAccount: true }],
    [['unknown'], 'closed', { closed: true, awaitsAccount: true }],
    [['moves'], 'closed', { closed: true }],
  ])('with the attempts %j puts it into the stage %s', ([names, stage, more]) => {
    expect(
      payoutStage(
        names.map((name) => all[name]),
        more,
      ),
    ).toBe(stage);
  });

  test('is of a payout that was not sent while its account is validated and until it is submitted', () => {
    expect([isUnsent('validate'), isUnsent('submit'), isUnsent('verify')]).toEqual([true, true, false]);
  });
});
