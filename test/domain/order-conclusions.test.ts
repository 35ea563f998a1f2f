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

test.for<[string, Partial<Order>, CardToSend | undefined, string, object]>([
  ['is to be sent', {}, undefined, 'submitting', {}],
  [
    'could not be sent for an hour',
    { submission: unsent },
    undefined,
    'submitting',
    { not_sent: ['no token'] },
  ],
  ['has a card that could not be sent for an hour', {}, waiting, 'submitting', { not_sent: ['no token'] }],
  ['awaits a card', {}, lost, 'awaiting_card', { awaiting_card: ['lost'] }],
  ['was cancelled while it awaited a card', { end: 'cancelled' }, lost, 'cancelled', {}],
  [
    'was not usable',
    { end: 'rejected', problems: 'value is missing' },
    undefined,
    'rejected',
    { invalid_input: ['value is missing'] },
  ],
  [
    'has an unknown outcome',
    { phase: 'unknown', reason },
    undefined,
    'submission_unknown',
    { submission_unknown: [reason] },
  ],
  ['came to nothing', { phase: 'void', reason }, undefined, 'rejected', {}],
  ['was taken, and not read yet', { phase: 'known' }, undefined, 'submitting', {}],
  ['waits for its customer', { phase: 'known', override: 'expired' }, undefined, 'expired', {}],
  ['reads as unpaid', { phase: 'known', shown: 'waiting_payment' }, undefined, 'waiting_payment', {}],
  [
    'expired unpaid',
    { phase: 'known', shown: 'waiting_payment', override: 'expired' },
    undefined,
    'expired',
    {},
  ],
  [
    'reads as paid, whatever stood before',
    { phase: 'known', shown: 'paid', override: 'expired' },
    lost,
    'paid',
    {},
  ],
  [
    'has a completion of unknown outcome',
    { phase: 'known', shown: 'waiting_payment', override: 'submission_unknown', reason },
    undefined,
    'submission_unknown',
    { submission_unknown: [reason] },
  ],
  [
    'is charged back',
    { phase: 'known', shown: 'chargeback' },
    undefined,
    'chargeback',
    { chargeback: ['The service reports a chargeback.'] },
  ],
  [
    'reads as a word that is not known',
    { phase: 'known', shown: 'held' },
    undefined,
    'held',
    { unrecognised_status: ['The service calls the order "held".'] },
  ],
  ['is late', { phase: 'known', shown: 'paid', overdue: 'late' }, undefined, 'paid', { overdue: ['late'] }],
])('an order that %s', ([, more, card, status, needs]) => {
  const known = { ...order, ...more, ...(card && { card }) };
  const concluded = orderConclusions('three_d_secure_order', known, read);
  expect({ ...concluded, statements: undefined }).toEqual({ status, needs });
});

test.for([
  ['was never sent', false, orderStatements.unsent],
  ['was sent, and answered that nothing was done', true, orderStatements.refusedCall],
] as const)(
  'of an order that awaits a card and %s no more is said than is proven',
  ([, wasAnswered, said]) => {
    const card = { ...lost, submission: { ...lost.submission, wasAnswered } };
    const { statements } = orderConclusions('card_order', { ...order, card }, read);
    expect(statements).toEqual({ awaiting_card: said });
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
