import { expect, test } from 'vitest';
import { orderStatements } from '../../src/domain/statements.js';
import { orderConclusions } from '../../src/domain/order-conclusions.js';
import { cardAwaited, noCard, type CardToSend } from '../../src/domain/card-to-send.js';
import { newOrder, type Order } from '../../src/domain/order.js';
import { newSubmission } from '../../src/domain/submission.js';

const order = newOrder(0);
const read = { misfit: null, unreadable: null };
const reason = 'why';
const unsent = { ...newSubmission(0), unsent: 'no token' };
const lost = cardAwaited(noCard(0), 0, 'lost');
const waiting: CardToSend = { ...noCard(0), stage: 'to_send', submission: unsent };

const concluded = (more: Partial<Order>) => {
  const { statements: _, ...shown } = orderConclusions('three_d_secure_order', { ...order, ...more }, read);
  return shown;
};
const problems = 'value is missing';

test.for<[string, Partial<Order>, string, object]>([
  ['is to be sent', {}, 'submitting', {}],
  ['could not be sent for an hour', { submission: unsent }, 'submitting', { not_sent: ['no token'] }],
  ['has a card that could not be sent', { card: waiting }, 'submitting', { not_sent: ['no token'] }],
  ['awaits a card', { card: lost }, 'awaiting_card', { awaiting_card: ['lost'] }],
  ['was cancelled while it awaited a card', { card: lost, end: 'cancelled' }, 'cancelled', {}],
  ['was not usable', { end: 'rejected', problems }, 'rejected', { invalid_input: [problems] }],
  ['is lost', { phase: 'unknown', reason }, 'submission_unknown', { submission_unknown: [reason] }],
  ['came to nothing', { phase: 'void', reason }, 'rejected', {}],
])('an order that %s', ([, more, status, needs]) => {
  expect(concluded(more)).toEqual({ status, needs });
});

const override = 'submission_unknown';
const lostCompletion = { override, reason };
const unrecognised_status = ['The service calls the order "held".'];

test.for<[string, string | null, Partial<Order>, string, object]>([
  ['was not read yet', null, {}, 'submitting', {}],
  ['waits for its customer', null, { override: 'expired' }, 'expired', {}],
  ['reads as unpaid', 'waiting_payment', {}, 'waiting_payment', {}],
  ['expired unpaid', 'waiting_payment', { override: 'expired' }, 'expired', {}],
  ['reads as paid, whatever stood before', 'paid', { override: 'expired', card: lost }, 'paid', {}],
  ['has a lost completion', 'waiting_payment', lostCompletion, override, { submission_unknown: [reason] }],
  ['is charged back', 'chargeback', {}, 'chargeback', { chargeback: ['The service reports a chargeback.'] }],
  ['reads as a word that is not known', 'held', {}, 'held', { unrecognised_status }],
  ['is late', 'paid', { overdue: 'late' }, 'paid', { overdue: ['late'] }],
])('an order that was taken and %s', ([, shown, more, status, needs]) => {
  expect(concluded({ phase: 'known', shown, ...more })).toEqual({ status, needs });
});

test.for([
  ['was never sent', false, orderStatements.unsent],
  ['was sent, and answered that nothing was done', true, orderStatements.refusedCall],
] as const)(
  'of an order without a card that %s no more is stated than is proven',
  ([, wasAnswered, statement]) => {
    const card = { ...lost, submission: { ...lost.submission, wasAnswered } };
    const { statements } = orderConclusions('card_order', { ...order, card }, read);
    expect(statements).toEqual({ awaiting_card: statement });
  },
);

test('each answer of the service that does not fit needs an operator', () => {
  const record = { misfit: 'It shows R$ 1.00.', unreadable: '503' };
  const known = { ...order, phase: 'known' as const, oddities: ['It answered for order 8.'] };
  expect(orderConclusions('card_order', known, record).needs).toEqual({
    inconsistent_answer: ['It shows R$ 1.00.', 'It answered for order 8.'],
    unreadable: ['503'],
  });
});
