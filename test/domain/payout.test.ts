import { expect, test } from 'vitest';
import { newAttempt, payoutStatus } from '../../src/domain/payout-attempts.js';
import { nextAttempt } from '../../src/domain/payout-proofs.js';
import {
  accepted,
  atDeadline,
  cancelled,
  failed,
  givenUp,
  newPayout,
  notPaid,
  operatorAsked,
  undecided,
  unknown,
  unusable,
  type Payout,
  type PayoutChange,
} from '../../src/domain/payout.js';

const start = newPayout('P', 0);
const known: Payout = { ...start, ...accepted(start, '7', 'claimed') };
const refused: Payout = { ...start, ...failed(start, 'refused', '422') };
const lost: Payout = { ...start, ...unknown(start, 'no answer', 5) };

const stopped = 'account_invalid' as const;
const refusal = { phase: 'refused' };
const unlisted = 'It is not listed.';

test.for<[string, Payout, (payout: Payout) => PayoutChange, object, string]>([
  ['was taken', start, (it) => accepted(it, '7', null), { phase: 'known', serviceId: '7' }, 'submitting'],
  ['was taken with a status', start, (it) => accepted(it, '7', 'claimed'), { status: 'claimed' }, 'claimed'],
  ['was refused', start, (it) => failed(it, 'refused', '422'), { ...refusal, error: '422' }, 'rejected'],
  ['was stopped', start, (it) => failed(it, 'never_sent', 'no', { stopped }), { stopped }, 'rejected'],
  ['got no answer', start, (it) => unknown(it, 'no answer', 5), { phase: 'verifying' }, 'submitting'],
  ['was not found', lost, (it) => operatorAsked(it, unlisted), { phase: 'unknown' }, 'submission_unknown'],
  ['is found to have come to nothing', lost, notPaid, { phase: 'not_paid' }, 'rejected'],
  ['is given up', refused, givenUp, refusal, 'abandoned'],
  ['has to be looked for first', start, undecided, { decidedAt: 0 }, 'submitting'],
])('an attempt that %s', ([, payout, change, latest, status]) => {
  const after: Payout = { ...payout, ...change(payout) };
  expect(after.attempts.at(-1)).toMatchObject(latest);
  expect(payoutStatus(after.attempts, after.abandoned)).toBe(status);
});

test('an attempt that scans have not found says so beside what was known', () => {
  expect(operatorAsked(lost, unlisted).attempts).toMatchObject([{ error: `no answer ${unlisted}` }]);
});

test('a further attempt has a code of its own, and leaves the one before as it was', () => {
  const further = {
    corrections: { pix: 'ana@example.com' },
    input: { pix: '+5511987654321', document: '529.982.247-25' },
    bulkRetryId: 'b',
    ...{ now: 9, provenAt: 7, scale: 1 },
  };
  const after: Payout = { ...refused, overdue: 'late', ...nextAttempt(refused, 'P', further) };
  expect(after.attempts).toMatchObject([
    { number: 1, phase: 'refused' },
    { number: 2, partnerCode: 'P-r2', phase: 'to_send', decidedAt: 9, bulkRetryId: 'b' },
  ]);
  expect(after).toMatchObject({ provenAt: 7, overdue: null, submission: { tries: 0, at: 9 } });
  expect(nextAttempt(refused, 'P', further).news).toEqual([
    'Attempt 2 begun, corrected: pix. It pays pix …a@example.com, document …982247…' +
      ', not pix …4321, document …982247…',
  ]);
  const more = { corrections: { document: '1' }, input: {}, now: 10, provenAt: 10, scale: 1 };
  const third = { ...after, ...nextAttempt(after, 'P', more) };
  expect(third.corrections).toEqual({
    previous: { pix: 'ana@example.com' },
    latest: { pix: 'ana@example.com', document: '1' },
  });
});

const problems = 'value is missing';

test.for([
  ['cancelled', () => cancelled(start), { end: 'cancelled', closed: true, problems: null }],
  ['not usable', () => unusable(start, problems), { end: 'rejected', closed: true, problems }],
] as const)('one that is %s has ended, and was never sent', ([, change, ended]) => {
  expect({ ...start, ...change() }).toMatchObject({
    ...ended,
    attempts: [{ phase: 'never_sent', error: ended.problems }],
  });
});

const overdueFrom = 10;
const overdue = 'The payout is still claimed after its deadline.';
const attempts = [{ ...newAttempt(1, 'P', 0), isContradicted: true }];
const why = "A read shows attempt 1 as failed, the service's list as moving: it counts as moving.";

test.for<[string, Partial<Payout>, boolean, number, object]>([
  ['is overdue once its deadline has passed', { overdueFrom }, true, 10, { overdueFrom: null, overdue }],
  ['says what the list contradicts', { overdueFrom, attempts }, true, 10, { overdue: `${overdue} ${why}` }],
  ['is not before', { overdueFrom }, true, 9, { overdueFrom, overdue: null }],
  ['is reported as late once', { overdueFrom: null, overdue: 'late' }, true, 11, { overdue: 'late' }],
  ['is not any more once nothing is under way', { overdue: 'late' }, false, 11, { overdue: null }],
])('a payout %s', ([, given, isMoving, now, expected]) => {
  const payout = { ...known, ...given };
  expect({ ...payout, ...atDeadline(payout, { isMoving, now, status: 'claimed' }) }).toMatchObject(expected);
});
