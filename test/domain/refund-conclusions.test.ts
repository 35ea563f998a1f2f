import { expect, test } from 'vitest';
import { newRefund, type Refund } from '../../src/domain/refund.js';
import { refundConclusions } from '../../src/domain/refund-conclusions.js';
import { newSubmission } from '../../src/domain/submission.js';

const refund: Refund = { ...newRefund(0), phase: 'to_send' };
const read = { misfit: null, unreadable: null };
const reason = 'why';
const unsent = { ...newSubmission(0), unsent: 'no token' };

test.for<[string, Partial<Refund>, string, object]>([
  ['is checked', { phase: 'checking' }, 'requesting', {}],
  ['is to be requested', {}, 'requesting', {}],
  ['could not be requested for an hour', { submission: unsent }, 'requesting', { not_sent: ['no token'] }],
  ['was requested', { phase: 'asked', askedAt: 1, requests: 1 }, 'refund_processing', {}],
  [
    'is not confirmed in time',
    { phase: 'asked', requests: 1, reason },
    'unconfirmed',
    { refund_unconfirmed: [reason] },
  ],
  [
    'has an unknown outcome',
    { phase: 'unknown', requests: 1, reason },
    'unconfirmed',
    { refund_unconfirmed: [reason] },
  ],
  ['was refused', { phase: 'refused', requests: 1, reason }, 'rejected', { refund_failed: [reason] }],
  ['failed', { phase: 'failed', requests: 1, reason }, 'rejected', { refund_failed: [reason] }],
  ['is done', { phase: 'over', end: 'refunded', shown: 'refunded', requests: 1 }, 'refunded', {}],
  ['was cancelled', { phase: 'decided', end: 'cancelled' }, 'cancelled', {}],
  [
    'was not usable',
    { phase: 'over', end: 'rejected', problems: 'value is missing' },
    'rejected',
    { invalid_input: ['value is missing'] },
  ],
  [
    'was resolved while the order is charged back',
    { phase: 'decided', end: 'resolved', shown: 'chargeback', requests: 1 },
    'resolved',
    { chargeback: [expect.stringContaining('may go back twice')] },
  ],
  [
    'was never sent, of an order that is charged back',
    { phase: 'refused', shown: 'chargeback', reason },
    'rejected',
    { refund_failed: [reason] },
  ],
  [
    'was answered for another order',
    { phase: 'asked', askedAt: 1, requests: 1, answeredFor: '8' },
    'refund_processing',
    { inconsistent_answer: ['The service answered for order 8.'] },
  ],
  [
    'reads as a word that is not known',
    { phase: 'asked', askedAt: 1, requests: 1, shown: 'refunding' },
    'refund_processing',
    { unrecognised_status: ['The service calls the order "refunding".'] },
  ],
])('a refund that %s', ([, more, status, needs]) => {
  expect(refundConclusions({ ...refund, ...more }, read)).toEqual({ status, needs });
});

test('what reads have come to needs an operator, while anything depends on them', () => {
  const record = { misfit: 'It shows R$ 1.00.', unreadable: '503' };
  const { needs } = refundConclusions({ ...refund, phase: 'asked', askedAt: 1, requests: 1 }, record);
  expect(needs).toEqual({ inconsistent_answer: ['It shows R$ 1.00.'], unreadable: ['503'] });
  expect(refundConclusions({ ...refund, phase: 'decided', end: 'cancelled' }, record).needs).toEqual({
    inconsistent_answer: ['It shows R$ 1.00.'],
  });
});
