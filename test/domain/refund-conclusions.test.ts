import { expect, test } from 'vitest';
import { newRefund, type Refund } from '../../src/domain/refund.js';
import { refundConclusions } from '../../src/domain/refund-conclusions.js';
import { commonState, firstExpectation, newRecord } from '../../src/domain/payment-record.js';
import { refundStatements } from '../../src/domain/statements.js';
import { newSubmission } from '../../src/domain/submission.js';

const refund: Refund = { ...newRefund(0), phase: 'to_send' };
const read = { misfit: null, unreadable: null };
const reason = 'why';
const unsent = { ...newSubmission(0), unsent: 'no token' };

const problems = 'value is missing';
const asked = { phase: 'asked', askedAt: 1, requests: 1 } as const;
const twice: unknown = expect.stringContaining('may go back twice');
const resolved = { phase: 'decided', end: 'resolved', shown: 'chargeback', requests: 1 } as const;
const unsentBack = { phase: 'refused', shown: 'chargeback', reason } as const;
const inconsistent_answer = ['The service answered for order 8.'];
const unrecognised_status = ['The service calls the order "refunding".'];

test.for<[string, Partial<Refund>, string, object]>([
  ['is to be requested', {}, 'requesting', {}],
  ['could not be requested for an hour', { submission: unsent }, 'requesting', { not_sent: ['no token'] }],
  ['was requested', asked, 'refund_processing', {}],
  ['is not confirmed', { ...asked, askedAt: null, reason }, 'unconfirmed', { refund_unconfirmed: [reason] }],
  ['has an unknown outcome', { phase: 'unknown', reason }, 'unconfirmed', { refund_unconfirmed: [reason] }],
  ['was refused', { phase: 'refused', requests: 1, reason }, 'rejected', { refund_failed: [reason] }],
  ['failed', { phase: 'failed', requests: 1, reason }, 'rejected', { refund_failed: [reason] }],
  ['is done', { phase: 'over', end: 'refunded', shown: 'refunded', requests: 1 }, 'refunded', {}],
  ['was cancelled', { phase: 'decided', end: 'cancelled' }, 'cancelled', {}],
  ['was not usable', { phase: 'over', end: 'rejected', problems }, 'rejected', { invalid_input: [problems] }],
  ['was resolved while the order is charged back', resolved, 'resolved', { chargeback: [twice] }],
  ['was never sent, of an order that is charged back', unsentBack, 'rejected', { refund_failed: [reason] }],
  ['was answered for order 8', { ...asked, answeredFor: '8' }, 'refund_processing', { inconsistent_answer }],
  ['reads as refunding', { ...asked, shown: 'refunding' }, 'refund_processing', { unrecognised_status }],
])('a refund that %s', ([, more, status, needs]) => {
  const concluded = refundConclusions({ ...refund, ...more }, read);
  expect({ ...concluded, statements: undefined }).toEqual({ status, needs });
});

const chargedBack = 'The order reads as chargeback: the money has gone back already. Nothing was sent.';
const withdrawn = 'Withdrawn by a cancel request before it was sent again.';

test.for<[string, Partial<Refund>, keyof typeof refundStatements]>([
  ['The service refused the refund: 422', { phase: 'refused', requests: 1 }, 'refused'],
  ['The service shows the refund as failed: refund_failed.', { phase: 'failed', requests: 1 }, 'none'],
  [chargedBack, { phase: 'refused', shown: 'chargeback' }, 'none'],
  ['It could not be requested in time. Nothing was sent.', { phase: 'refused' }, 'none'],
  [withdrawn, { phase: 'refused', requests: 1, mayShowEarlier: true }, 'found'],
])('what a failed refund means is true of what has happened: %s', ([why, more, statement]) => {
  const { needs, statements } = refundConclusions({ ...refund, ...more, reason: why }, read);
  const shown = { ...firstExpectation, commands: [], statements };
  const identity = { partnerCode: 'a', workflowId: 'refund-1', owner: null, valueCentavos: 0 };
  const record = { ...newRecord('refund', 0), needs };
  const { attention_detail: detail } = commonState({ kind: 'refund', ...identity }, record, shown);
  const meaning = 'The refund was refused, has failed, or was not requested.';
  expect(detail).toContain(`${why} ${meaning} ${refundStatements[statement]}`);
  expect(detail).not.toMatch(/has not got the money back|The service refused the refund\. /);
});

test('what reads have come to needs an operator, while anything depends on them', () => {
  const record = { misfit: 'It shows R$ 1.00.', unreadable: '503' };
  const { needs } = refundConclusions({ ...refund, phase: 'asked', askedAt: 1, requests: 1 }, record);
  expect(needs).toEqual({ inconsistent_answer: ['It shows R$ 1.00.'], unreadable: ['503'] });
  expect(refundConclusions({ ...refund, phase: 'decided', end: 'cancelled' }, record).needs).toEqual({
    inconsistent_answer: ['It shows R$ 1.00.'],
  });
});
