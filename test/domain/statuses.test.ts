import { describe, expect, test } from 'vitest';
import { firstStatus, type PaymentKind } from '../../src/domain/kinds.js';
import {
  isRecognised,
  isRefundFailure,
  isRefundMoving,
  isUnanswered,
  isWatchedOrderStatus,
  knownStatuses,
  mayBeShownUnread,
  normaliseStatus,
} from '../../src/domain/statuses.js';

describe('a word of the service', () => {
  test.for([
    ['whose letters something invisible divides is not the word without it', 'do\u200bne', 'do_ne'],
    [
      'with several blanks and dashes in a row has one underscore there',
      'waiting - payment',
      'waiting_payment',
    ],
    ['of blanks alone is none', ' \t', undefined],
    ['of other letters and with blanks around is the same', ' WAITING payment ', 'waiting_payment'],
    ['of 65 characters is none', 'x'.repeat(65), undefined],
    ['that is a number is none', 7, undefined],
    ['of 64 characters is read', 'x'.repeat(64), 'x'.repeat(64)],
  ] as const)('%s', ([, word, status]) => {
    expect(normaliseStatus(word)).toBe(status);
  });
});

describe('whether the meaning of a status is known', () => {
  test.for([
    ['payout', 'processing', true],
    ['payout', 'refund_processing', false],
    ['card_order', 'compensated', true],
    ['card_order', 'claimed', false],
    ['refund', 'refund_whatever', true],
    ['refund', 'refunding', false],
  ] as const)('of a %s, %s: %s', ([kind, status, isKnown]) => {
    expect(isRecognised(kind, status)).toBe(isKnown);
  });
});

describe('what the answer to a creating call may show before any read', () => {
  test.for([
    ['payout', ['claimed', 'processing']],
    ['card_order', ['waiting_payment']],
    ['hosted_checkout', ['waiting_payment']],
    ['three_d_secure_order', ['waiting_payment']],
    ['refund', ['waiting_payment']],
  ] as const)('of a %s says no more than that it is under way: %j', ([kind, shown]) => {
    const said = [...knownStatuses('payout'), ...knownStatuses('card_order'), 'under_review'];
    expect([...new Set(said)].filter((status) => mayBeShownUnread(kind, status)).sort()).toEqual([...shown]);
  });
});

describe('a refund that the service reports', () => {
  test.for([
    ['refund_processing', true],
    ['refund_requested', true],
    ['refund_failed', false],
    ['refund_error', false],
    ['refund_denied', false],
    ['refund_rejected', false],
    ['refund_refused', false],
    ['refund_declined', false],
    ['refund_cancelled', false],
    ['refund_aborted', false],
    ['refund_not_possible', false],
    ['refunded', false],
    ['paid', false],
    ['not_a_refund_processing', false],
    [null, false],
  ] as const)('as %s is under way: %s', ([status, isMoving]) => {
    expect(isRefundMoving(status)).toBe(isMoving);
  });
  test.for([
    ['refundfailed', true],
    ['refund_failed', true],
    ['refunded', false],
    ['no_refund_failed', false],
  ] as const)('as %s came to nothing: %s', ([status, isFailure]) => {
    expect(isRefundFailure(status)).toBe(isFailure);
  });
});

test('an order is watched alone once it has ended, and an expired one as well', () => {
  const watched = knownStatuses('card_order').filter(isWatchedOrderStatus);
  expect(watched).toEqual(['compensated', 'refunded', 'chargeback', 'error', 'denied', 'expired']);
});

describe('a caller who waits for an answer of the service', () => {
  const kinds: PaymentKind[] = ['payout', 'refund', 'card_order', 'account_validation'];
  test.for(kinds)('goes on waiting in the first status of a %s, which is one of its own', (kind) => {
    expect(isUnanswered(firstStatus(kind))).toBe(true);
    expect(knownStatuses(kind)).toContain(firstStatus(kind));
  });
  test('goes on waiting in no other status', () => {
    const all = kinds.flatMap(knownStatuses).filter(isUnanswered);
    expect([...new Set(all)].sort()).toEqual(['requesting', 'submitting']);
  });
});

describe('the statuses that a payment can have', () => {
  test.for([
    ['payout', ['claimed', 'done', 'abandoned'], ['paid', 'expired', 'requesting']],
    ['refund', ['requesting', 'refunded', 'paid', 'resolved'], ['claimed', 'submitting']],
    ['card_order', ['awaiting_card', 'refund_processing', 'compensated'], ['claimed', 'requesting']],
    ['hosted_checkout', ['expired', 'waiting_payment'], ['done']],
    ['three_d_secure_order', ['awaiting_authentication', 'denied'], ['resolved']],
    ['account_validation', ['answered', 'unanswered'], ['paid', 'claimed']],
  ] as const)('of a %s include %j, but not %j, each once', ([kind, included, left]) => {
    const known = knownStatuses(kind);
    expect(known).toEqual(expect.arrayContaining([...included]));
    expect(known.filter((status) => (left as readonly string[]).includes(status))).toEqual([]);
    expect(new Set(known).size).toBe(known.length);
  });
});
