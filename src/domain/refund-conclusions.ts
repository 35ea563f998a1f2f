import { needsOf, type Conclusions } from './conclusions.js';
import type { RecordData } from './payment-record.js';
import type { RefundPhase } from './refund-stages.js';
import { isRecognised } from './statuses.js';
import type { SubmissionState } from './submission.js';

/** How a refund ended. */
export type RefundEnd = 'refunded' | 'rejected' | 'resolved' | 'cancelled';

/** What is known of a refund beside its record. */
export type RefundFacts = {
  phase: RefundPhase;
  /** Why it was refused, failed, or is not known or not confirmed. */
  reason: string | null;
  /** Why its input was not usable. */
  problems: string | null;
  end: RefundEnd | null;
  submission: SubmissionState;
  /** What the service showed of the order last. */
  shown: string | null;
  /** When the service took the request, while its confirmation is awaited; null otherwise. */
  askedAt: number | null;
  /** The order that the service has answered for, where that is another one. */
  answeredFor: string | null;
  requests: number;
};

/** What follows for a refund. */
export function refundConclusions(
  facts: RefundFacts,
  record: Pick<RecordData, 'misfit' | 'unreadable'>,
): Conclusions {
  const { answeredFor, end, phase, problems, reason, requests, shown, submission } = facts;
  const status = refundStatus(facts);
  const isOver = phase === 'over';
  const maySent = requests > 0 || phase === 'asked' || phase === 'unknown';
  return {
    status,
    needs: needsOf([
      ['invalid_input', problems],
      ['refund_failed', (phase === 'refused' || phase === 'failed') && reason],
      ['refund_unconfirmed', status === 'unconfirmed' && reason],
      ['not_sent', phase === 'to_send' && submission.unsent],
      ['unreadable', !isOver && record.unreadable],
      ['unrecognised_status', unrecognised(shown)],
      [
        'chargeback',
        shown === 'chargeback' &&
          maySent &&
          end !== 'refunded' &&
          'The order was charged back while its refund is open: the money may go back twice.',
      ],
      ['inconsistent_answer', record.misfit],
      ['inconsistent_answer', answeredFor !== null && `The service answered for order ${answeredFor}.`],
    ]),
  };
}

function refundStatus({ askedAt, end, phase }: RefundFacts): string {
  switch (phase) {
    case 'checking':
    case 'to_send':
      return 'requesting';
    case 'asked':
      return askedAt === null ? 'unconfirmed' : 'refund_processing';
    case 'unknown':
      return 'unconfirmed';
    case 'refused':
    case 'failed':
      return 'rejected';
    case 'over':
      return end ?? 'rejected';
  }
}

function unrecognised(shown: string | null): string | false {
  return shown !== null && !isRecognised('refund', shown) && `The service calls the order "${shown}".`;
}
