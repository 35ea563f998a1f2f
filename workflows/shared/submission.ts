import { mayBeShownUnread } from '../../src/domain/statuses.js';
import {
  dueNow,
  submissionDueAt,
  unsentAttentionMs,
  type SubmissionState,
  type Submitted,
} from '../../src/domain/submission.js';
import type { Payment } from './payment.js';

/** A proof that could not be made is tried again within these bounds. */
const soonestProofMs = 5 * 60_000;
const latestProofMs = 60 * 60_000;

/** It came to nothing: notes it, and answers when to send again. After an hour of it an operator is needed. */
export function sendAgain(
  payment: Payment,
  { nothingBy, state, reason }: Extract<Submitted, { kind: 'again' }>,
): SubmissionState {
  payment.record.note(
    nothingBy === 'not_sent'
      ? `Not sent, will be sent again: ${reason}`
      : payment.kind === 'payout'
        ? `${reason} ${lookedUp}, then it is sent again.`
        : `Nothing was done by the service's answer, will be sent again: ${reason}`,
  );
  return { ...state, unsent: whyUnsent(payment, state, reason) };
}

/** What has a submission: a payment, or the validation of a payout's account. */
export type Submits = Pick<Payment, 'now' | 'start'> & {
  readonly data: { readonly submission: SubmissionState };
  set(changes: { submission: SubmissionState }): void;
};

/** What a stage waits for before it sends: its time, or its turn. @param time what the time is for */
export function waitsToSend(of: Submits, time = 'the time to send it again') {
  const onTurn = () => {
    of.set({ submission: dueNow(of.data.submission, of.now()) });
  };
  return {
    until: () => submissionDueAt(of.data.submission, of.start.scale),
    ...(of.data.submission.inLine ? { awaiting: 'its turn to be sent', onTurn } : { awaiting: time }),
  };
}

/** Whether it may be sent is not proven: notes it, as above, and tries it the more rarely the longer that lasts. */
export function putOff(payment: Payment, state: SubmissionState, reason: string): SubmissionState {
  payment.record.note(`Not sent ${state.wasAnswered ? 'again ' : ''}yet: ${reason}`);
  const now = payment.now();
  const retryMs = Math.max((now - state.since) / 2, payment.scaled(soonestProofMs));
  return {
    ...state,
    at: now + Math.min(retryMs, payment.scaled(latestProofMs)),
    inLine: false,
    unsent: whyUnsent(payment, state, reason),
  };
}

/** Of a payout the list shows whether a status code was true. Of nothing else there is a list. */
const lookedUp = 'Whether it has taken the payout is looked up';

function whyUnsent(payment: Payment, { since, wasAnswered }: SubmissionState, reason: string): string | null {
  if (payment.now() < since + payment.scaled(unsentAttentionMs)) return null;
  if (!wasAnswered) return `Nothing could be sent for an hour, so that no money has moved by it. ${reason}`;
  const what = `For an hour it came to nothing, by what the service answered. ${reason}`;
  return payment.kind === 'payout' ? `${what} ${lookedUp}.` : what;
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
