import { mayBeShownUnread } from '../../src/domain/statuses.js';
import { unsentAttentionMs, type SubmissionState, type Submitted } from '../../src/domain/submission.js';
import type { Payment } from './payment.js';

/** Nothing was sent: notes it, asks for an operator after an hour of it, and answers when to send again. */
export function sendAgain(
  payment: Payment,
  { state, reason }: Extract<Submitted, { kind: 'again' }>,
): SubmissionState {
  const { record } = payment;
  record.note(`Not sent, will be sent again: ${reason}`);
  if (payment.now() >= state.since + payment.scaled(unsentAttentionMs)) {
    record.raise('not_sent', `Nothing could be sent for an hour. ${reason}`);
  }
  return state;
}

/** The status that the answer of a creating call shows; null when only a read may show it, which is due now. */
export function statusAnswered(
  { kind, reads, record }: Payment,
  { status }: Extract<Submitted, { kind: 'answered' }>,
): string | null {
  if (status !== null && mayBeShownUnread(kind, status)) return status;
  if (status !== null) record.note(`The service answered "${status}", which a read has to confirm.`);
  reads.dueNow('cadence');
  return null;
}
