import type { CreationOutcome, DetailedCreationOutcome } from '../../src/contract/outcomes.js';
import { delayAt, resendDelaysMs } from '../../src/domain/cadence.js';
import type { PaymentRecord } from './payment-record.js';

/** How often a call was tried that surely did nothing, since when, and when it is due again. */
export type SubmissionState = {
  tries: number;
  /** The token generation that the service rejected in the previous try. */
  rejectedGeneration: number | null;
  /** When to send: milliseconds since the epoch. */
  at: number;
  /** When the first try was due. */
  since: number;
};

/** A call that is due now, as if none had been made. */
export function newSubmission(now: number): SubmissionState {
  return { tries: 0, rejectedGeneration: null, at: now, since: now };
}

/** What a lifecycle may do after it has made a creating call. */
export type Submitted =
  | {
      kind: 'answered';
      serviceId: string | null;
      status: string | null;
      /** The whole answer, of calls whose answer is undocumented. */
      answer: Record<string, unknown> | null;
    }
  /** Surely nothing happened: the same call may be made again then. */
  | { kind: 'again'; state: SubmissionState; reason: string }
  /** Nothing was sent: a complete scan that does not hold the payout has to come first. */
  | { kind: 'scan_first'; reason: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'invalid'; reason: string }
  | { kind: 'card_gone'; reason: string }
  /** It may have happened. Before `verifyFrom` the call itself may still be under way. */
  | { kind: 'unknown'; reason: string; verifyFrom: number; runWasReset: boolean };

/** What may follow an outcome. Nothing but a proof that the call had no effect ever leads to `again`. */
export function afterOutcome(
  outcome: CreationOutcome | DetailedCreationOutcome,
  state: SubmissionState,
  now: number,
  scale: number,
): Submitted {
  const again = (
    reason: string,
    waitMs: number | null = null,
    rejectedGeneration = state.rejectedGeneration,
  ): Submitted => ({
    kind: 'again',
    reason,
    state: {
      ...state,
      tries: state.tries + 1,
      rejectedGeneration,
      at: now + Math.max(delayAt(resendDelaysMs, state.tries) * scale, (waitMs ?? 0) * scale),
    },
  });
  switch (outcome.outcome) {
    case 'answered':
      return {
        kind: 'answered',
        serviceId: outcome.service_id,
        status: outcome.status,
        answer: 'answer' in outcome ? outcome.answer : null,
      };
    case 'not_sent':
      return again(outcome.reason);
    case 'unauthorized':
      return again(outcome.reason, null, outcome.token_generation);
    case 'throttled':
      return again(outcome.reason, outcome.retry_after_ms);
    case 'scan_first':
    case 'refused':
    case 'card_gone':
      return { kind: outcome.outcome, reason: outcome.reason };
    case 'invalid_input':
      return {
        kind: 'invalid',
        reason: outcome.problems.map(({ field, message }) => `${field} ${message}`).join('; '),
      };
    case 'unknown':
      return {
        kind: 'unknown',
        reason: outcome.reason,
        verifyFrom: now,
        runWasReset: outcome.dispatched_before === true,
      };
    default:
      // A worker of a newer release may answer a kind that this one does not know.
      return {
        kind: 'unknown',
        reason: 'The worker gave an answer of an unknown kind.',
        verifyFrom: now,
        runWasReset: false,
      };
  }
}

/** After so long without anything that could be sent, an operator is asked. */
export const unsentAttentionMs = 60 * 60_000;

/** Notes that nothing was sent; asks for an operator when nothing could be sent for an hour. */
export function noteNotSent(
  record: PaymentRecord,
  { state, reason }: Extract<Submitted, { kind: 'again' }>,
  now: number,
  scale: number,
): void {
  record.note(`Not sent, will be sent again: ${reason}`);
  if (now >= state.since + unsentAttentionMs * scale) {
    record.raise('not_sent', `Nothing could be sent for an hour. ${reason}`);
  }
}
