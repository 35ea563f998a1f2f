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
    ['with blanks and dashes in a row has one underscore there', 'waiting - payment', 'waiting_payment'],
    ['of blanks alone is none', ' \t', undefined],
    ['of other letters and with blanks around is the same', ' WAITING payment ', 'waiting_payment'],
    ['of 65 characters is none', 'x'.repeat(65), undefined],
    ['that is a number is none', 7, undefined],
    ['of 64 characters is read', 'x'.repeat(64), 'x'.repeat(64)],
  ] as const)('%s', ([, word, status]) => {
    expect(normaliseStatus(word)).toBe(status);
  });
});

test.for([
  ['payout', 'processing', true],
  ['payout', 'refund_processing', false],
  ['card_order', 'compensated', true],
  ['card_order', 'claimed', false],
  ['refund', 'refund_whatever', true],
  ['refund', 'refunding', false],
] as const)('the meaning of a status is known of a %s, %s: %s', ([kind, status, isKnown]) => {
  expect(isRecognised(kind, status)).toBe(isKnown);
});

test.for([
  ['payout', ['claimed', 'processing']],
  ['card_order', ['waiting_payment']],
  ['hosted_checkout', ['waiting_payment']],
  ['three_d_secure_order', ['waiting_payment']],
  ['refund', ['waiting_payment']],
] as const)('the answer to the creation of a %s shows before any read no more than %j', ([kind, shown]) => {
  const all = new Set([...knownStatuses('payout'), ...knownStatuses('card_order'), 'under_review']);
  expect([...all].filter((status) => mayBeShownUnread(kind, status)).sort()).toEqual(shown);
});

const failures = 'failed error denied rejected refused declined cancelled aborted not_possible'.split(' ');

test.for<[string | null, boolean, boolean]>([
  ['refund_processing', true, false],
  ['refund_requested', true, false],
  ...failures.map((how): [string, boolean, boolean] => [`refund_${how}`, false, true]),
  ['refundfailed', false, true],
  ['refunded', false, false],
  ['paid', false, false],
  ['not_a_refund_processing', false, false],
  ['no_refund_failed', false, false],
  [null, false, false],
])(
  'a refund that the service reports as %s is under way: %s, came to nothing: %s',
  ([status, moves, fails]) => {
    expect(isRefundMoving(status)).toBe(moves);
    expect(status !== null && isRefundFailure(status)).toBe(fails);
  },
);

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

test.for([
  ['payout', ['claimed', 'done', 'abandoned'], ['paid', 'expired', 'requesting']],
  ['refund', ['requesting', 'refunded', 'paid', 'resolved'], ['claimed', 'submitting']],
  ['card_order', ['awaiting_card', 'refund_processing', 'compensated'], ['claimed', 'requesting']],
  ['hosted_checkout', ['expired', 'waiting_payment'], ['done']],
  ['three_d_secure_order', ['awaiting_authentication', 'denied'], ['resolved']],
  ['account_validation', ['answered', 'unanswered'], ['paid', 'claimed']],
] as const)('the statuses of a %s include %j, but not %j, each once', ([kind, included, left]) => {
  const known = knownStatuses(kind);
  expect(known).toEqual(expect.arrayContaining([...included]));
  expect(known.filter((status) => (left as readonly string[]).includes(status))).toEqual([]);
  expect(new Set(known).size).toBe(known.length);
});
