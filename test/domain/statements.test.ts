import { describe, expect, test } from 'vitest';
import { newAttempt, type Attempt } from '../../src/domain/payout-attempts.js';
import {
  payoutStatement,
  payoutStatements,
  refundStatement,
  refundStatements,
} from '../../src/domain/statements.js';
import { cancelled, givenUp, newPayout, notPaid, unknown, type Payout } from '../../src/domain/payout.js';
import { newRefund, type Refund } from '../../src/domain/refund.js';

const attempt = (more: Partial<Attempt>): Attempt => ({ ...newAttempt(1, 'a', 0), ...more });
const [refused, unsent] = [attempt({ phase: 'refused' }), attempt({ phase: 'never_sent' })];
const notFound = attempt({ phase: 'not_paid' });
const error = attempt({ phase: 'known', status: 'error' });
const moves = { ...error, status: 'processing' };
const returned = { ...error, wasDone: true };

describe('of the money of a payout', () => {
  test.for<[string, Attempt[], boolean, keyof typeof payoutStatements]>([
    ['failed by a read', [error], false, 'unpaid'],
    ['was refused', [refused], false, 'refused'],
    ['was refused, and failed after that', [refused, error], false, 'refused'],
    ['was never sent', [unsent], false, 'unpaid'],
    ['was done, and came back', [returned], false, 'returned'],
    ['was done, came back, and was not sent again', [returned, unsent], false, 'returned'],
    ['was done, came back, and nobody knows the next', [returned, notFound], false, 'returned'],
    ['came to nothing by an operator', [notFound], false, 'found'],
    ['came to nothing by an operator, and failed after that', [notFound, error], false, 'found'],
    ['failed, and may have other attempts after a reset', [error], true, 'unknown'],
    ['came to nothing by an operator after a reset', [notFound], true, 'unknown'],
    ['moves by another attempt', [moves, error], false, 'unknown'],
    ['may have been sent', [attempt({ phase: 'verifying' })], false, 'unknown'],
  ])('that %s no more is stated than is proven', ([, attempts, owesScan, expected]) => {
    expect(payoutStatement({ attempts, owesScan })).toBe(payoutStatements[expected]);
  });

  const start = newPayout('a', 0);
  const lost: Payout = { ...start, ...unknown(start, 'no answer', 0) };
  const whenGivenUp = (latest: Attempt) => givenUp({ ...start, attempts: [latest] }).what;
  test.for<[string, string | undefined, keyof typeof payoutStatements]>([
    ['an operator states that nothing had happened', notPaid(lost).what, 'found'],
    ['the same after a reset', notPaid({ ...lost, owesScan: true }).what, 'unknown'],
    ['it is given up', whenGivenUp(refused), 'refused'],
    ['it is given up after it had come back', whenGivenUp(returned), 'returned'],
    ['it is given up after an operator had stated that', whenGivenUp(notFound), 'found'],
  ])('its timeline says no more than is proven when %s', ([, what, expected]) => {
    expect(what).toContain(payoutStatements[expected]);
    expect(cancelled(start).what).toContain('No money has moved.');
  });
});

describe('of the money of a refund', () => {
  const answered = { ...newRefund(0).submission, wasAnswered: true };
  const sent = { phase: 'refused', requests: 1 } as const;
  test.for<[string, Partial<Refund>, keyof typeof refundStatements]>([
    ['was refused by the service', sent, 'refused'],
    ['was answered 429 and not requested again', { phase: 'refused', submission: answered }, 'refused'],
    ['was not requested, for the order is charged back', { phase: 'refused', shown: 'chargeback' }, 'none'],
    ['was not requested, for the order reads as refunding', { phase: 'refused', shown: 'refunding' }, 'none'],
    ['reads as refunding after it was requested', { ...sent, shown: 'refunding' }, 'unknown'],
    ['failed by a read', { phase: 'failed', requests: 1, shown: 'refund_failed' }, 'none'],
    ['was refused after one that was found', { phase: 'refused', mayShowEarlier: true }, 'found'],
    ['reads as failed, which may be one before', { phase: 'failed', mayShowEarlier: true }, 'unknown'],
  ])('that %s no more is stated than is proven', ([, more, expected]) => {
    expect(refundStatement({ ...newRefund(0), ...more })).toBe(refundStatements[expected]);
  });
});
