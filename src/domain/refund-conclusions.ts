import { needsOf, withObjection, type Conclusions } from './conclusions.js';
import type { RecordData } from './payment-record.js';
import { retryRefundRefusal } from './refund-stages.js';
import type { Refund } from './refund.js';
import { refundStatement } from './statements.js';
import { isRecognised, quotedStatus } from './statuses.js';

/** What follows for a refund. */
export function refundConclusions(
  refund: Refund,
  record: Pick<RecordData, 'misfit' | 'unreadable'>,
): Conclusions {
  const { answeredFor, end, phase, problems, reason, requests, shown, submission } = refund;
  const status = refundStatus(refund);
  const isOpen = phase !== 'over' && (phase !== 'decided' || requests > 0);
  const isFailed = phase === 'refused' || phase === 'failed';
  const unstated = retryRefundRefusal(refund, {});
  const maySent = requests > 0 || phase === 'asked' || phase === 'unknown';
  return {
    status,
    needs: needsOf([
      ['invalid_input', problems],
      ['refund_failed', isFailed && reason],
      ['refund_unconfirmed', status === 'unconfirmed' && reason],
      ['not_sent', phase === 'to_send' && submission.unsent],
      ['unreadable', isOpen && record.unreadable],
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
    ...(isFailed && { statements: { refund_failed: withObjection(refundStatement(refund), unstated) } }),
  };
}

function refundStatus({ askedAt, end, phase }: Refund): string {
  switch (phase) {
    case 'to_send':
      return 'requesting';
    case 'asked':
      return askedAt === null ? 'unconfirmed' : 'refund_processing';
    case 'unknown':
      return 'unconfirmed';
    case 'refused':
    case 'failed':
      return 'rejected';
    case 'decided':
    case 'over':
      return end ?? 'rejected';
  }
}

function unrecognised(shown: string | null): string | false {
  return (
    shown !== null && !isRecognised('refund', shown) && `The service calls the order ${quotedStatus(shown)}.`
  );
}
