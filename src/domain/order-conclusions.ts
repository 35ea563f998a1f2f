import { needsOf, type Conclusions } from './conclusions.js';
import type { OrderKind } from './kinds.js';
import type { OrderPhase } from './order-stages.js';
import type { RecordData } from './payment-record.js';
import { isRecognised, isUnpaidOrderStatus } from './statuses.js';
import type { SubmissionState } from './submission.js';

/** How an order ended that was never sent, or that the service refused. */
export type OrderEnd = 'rejected' | 'cancelled';

/** What is known of an order beside its record. */
export type OrderFacts = {
  phase: OrderPhase;
  end: OrderEnd | null;
  /** Why its input was not usable. */
  problems: string | null;
  /** Why it is not known whether it was taken, or completed. */
  reason: string | null;
  submission: SubmissionState;
  /** What the service showed last; null before. */
  shown: string | null;
  /** A status of ours that stands as long as the service shows the order as unpaid. */
  override: string | null;
  /** What has not come about by its deadline. */
  overdue: string | null;
  /** What of the service's answers did not fit, and still does not. */
  oddities: string[];
};

/** What is known of the card of an order: why one is awaited, and what keeps it from being sent. */
export type CardFacts = { readonly awaited: string | null; readonly unsent: string | null };

/** What follows for an order. */
export function orderConclusions(
  kind: OrderKind,
  facts: OrderFacts,
  { misfit, unreadable }: Pick<RecordData, 'misfit' | 'unreadable'>,
  card: CardFacts = { awaited: null, unsent: null },
): Conclusions {
  const { oddities, overdue, phase, problems, reason, submission } = facts;
  const status = orderStatus(facts, card.awaited !== null);
  const shown = phase === 'known' ? facts.shown : null;
  const unrecognised = shown !== null && !isRecognised(kind, shown);
  return {
    status,
    needs: needsOf([
      ['invalid_input', problems],
      ['submission_unknown', status === 'submission_unknown' && reason],
      ['awaiting_card', status === 'awaiting_card' && card.awaited],
      ['not_sent', status === 'submitting' && (card.unsent ?? (phase === 'unsent' && submission.unsent))],
      ['unreadable', unreadable],
      ['unrecognised_status', unrecognised && `The service calls the order "${shown}".`],
      ['chargeback', shown === 'chargeback' && 'The service reports a chargeback.'],
      ['overdue', overdue],
      ['inconsistent_answer', misfit],
      ...oddities.map((oddity) => ['inconsistent_answer', oddity] as const),
    ]),
  };
}

function orderStatus({ end, override, phase, shown }: OrderFacts, awaitsCard: boolean): string {
  if (end !== null) return end;
  switch (phase) {
    case 'unsent':
      return awaitsCard ? 'awaiting_card' : 'submitting';
    case 'unknown':
      return 'submission_unknown';
    case 'void':
      return 'rejected';
    case 'known':
      if (shown === null) return override ?? 'submitting';
      return override !== null && isUnpaidOrderStatus(shown) ? override : shown;
  }
}
