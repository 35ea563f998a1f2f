import { cardFacts } from './card-to-send.js';
import { needsOf, type Conclusions } from './conclusions.js';
import type { OrderKind } from './kinds.js';
import { orderStatus, type Order } from './order.js';
import { whyShared, type RecordData } from './payment-record.js';
import { orderStatements } from './statements.js';
import { isRecognised, quotedStatus } from './statuses.js';

/** What follows for an order. */
export function orderConclusions(
  kind: OrderKind,
  order: Order,
  { misfit, shared, unreadable }: Pick<RecordData, 'misfit' | 'shared' | 'unreadable'>,
): Conclusions {
  const { end, oddities, overdue, phase, problems, reason, submission } = order;
  const card = cardFacts(order.card);
  const { refusedCall, unsent } = orderStatements;
  const awaitsCard = phase === 'unsent' && end === null && card.awaited !== null;
  const status = awaitsCard ? 'awaiting_card' : orderStatus(order);
  const shown = phase === 'known' ? order.shown : null;
  const unrecognised = shown !== null && !isRecognised(kind, shown);
  return {
    status,
    needs: needsOf([
      ['invalid_input', problems],
      ['submission_unknown', status === 'submission_unknown' && reason],
      ['awaiting_card', status === 'awaiting_card' && card.awaited],
      ['not_sent', status === 'submitting' && (card.unsent ?? (phase === 'unsent' && submission.unsent))],
      ['unreadable', unreadable],
      ['unrecognised_status', unrecognised && `The service calls the order ${quotedStatus(shown)}.`],
      ['chargeback', shown === 'chargeback' && 'The service reports a chargeback.'],
      ['overdue', overdue],
      ['inconsistent_answer', shared !== undefined && whyShared(shared)],
      ['inconsistent_answer', misfit],
      ...oddities.map((oddity) => ['inconsistent_answer', oddity] as const),
    ]),
    ...(status === 'awaiting_card' && {
      statements: { awaiting_card: order.card.submission.wasAnswered ? refusedCall : unsent },
    }),
  };
}
