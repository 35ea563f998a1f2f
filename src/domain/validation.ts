import { spans } from './cadence.js';
import { asRecord, parsedJson } from './records.js';
import { newSubmission, submissionDueAt, type SubmissionState, type Submitted } from './submission.js';
import { isFavourable, readValidationAnswer } from './validation-answer.js';
import { isSameIdentifier } from './service-ids.js';

/**
 * How far an account validation has come: `to_send`, `awaiting` an answer, `unknown` whether the service took the request,
 * and six ends: `answered`, `unanswered` in time, `refused` by the service, `invalid` as a request, `unsent` in time,
 * `cancelled` before it was sent.
 */
export type ValidationPhase =
  | 'to_send'
  | 'awaiting'
  | 'unknown'
  | 'answered'
  | 'unanswered'
  | 'refused'
  | 'invalid'
  | 'unsent'
  | 'cancelled';

/** What is known of an account validation, of its own or before a transfer. Plain JSON. */
export type Validation = {
  readonly phase: ValidationPhase;
  /** Until when an answer is awaited: milliseconds since the epoch. */
  readonly until: number;
  readonly answer: {
    readonly source: 'response' | 'postback';
    readonly verified: false;
    readonly body: unknown;
  } | null;
  /** Its answer, as it was compared with the request, is clearly in favour of the account. */
  readonly isFavourable: boolean;
  /** Why it ended without an answer, or why its outcome is unknown. */
  readonly reason: string | null;
  readonly serviceId: string | null;
  /** Bodies of postbacks that were not looked at yet. */
  readonly postbacks: readonly string[];
  readonly submission: SubmissionState;
};

export type ValidationChange = Partial<Validation>;

const maxPostbacks = 20;

export function newValidation(startedAt: number, scale: number): Validation {
  return {
    phase: 'to_send',
    until: startedAt + spans.validationAnswerMs * scale,
    answer: null,
    isFavourable: false,
    reason: null,
    serviceId: null,
    postbacks: [],
    submission: newSubmission(startedAt),
  };
}

/** Whether nothing more is to come. An answer that is not clear may be followed by a better one until the deadline. */
export function hasEnded(validation: Validation, now: number): boolean {
  const { answer, phase } = validation;
  if (phase === 'answered')
    return readValidationAnswer(answer?.body) === 'verdict' || isOver(validation, now);
  return !['to_send', 'awaiting', 'unknown'].includes(phase);
}

export function isOver({ until }: Validation, now: number): boolean {
  return now >= until;
}

/** When the next step of it is due: to send it, to look at a postback, or to end it unanswered. */
export function stepDueAt({ phase, postbacks, submission, until }: Validation, scale: number): number {
  if (phase === 'to_send') return submissionDueAt(submission, scale);
  return postbacks.length > 0 ? 0 : until;
}

/** Keeps a postback's body; it counts from when the request was sent. */
export function withPostback({ postbacks }: Validation, body: string): ValidationChange {
  return postbacks.length < maxPostbacks ? { postbacks: [...postbacks, body] } : {};
}

/** What came of the call that requests it. @param request the body of the request */
export function requested(sent: Exclude<Submitted, { kind: 'again' }>, request: unknown): ValidationChange {
  switch (sent.kind) {
    case 'answered': {
      const { answer: body, serviceId } = sent;
      const phase = readValidationAnswer(body) === 'verdict' ? 'answered' : 'awaiting';
      const answer = { source: 'response', verified: false, body } as const;
      return { serviceId, phase, answer, isFavourable: isFavourable(body, request) };
    }
    case 'scan_first':
    case 'card_gone':
    case 'refused':
      return endedAs('refused', sent.reason);
    case 'invalid':
    case 'unknown':
      return endedAs(sent.kind, sent.reason);
  }
}

/** Applies the next postback, or notices that the deadline has passed. @param request the body of the request */
export function advanced(validation: Validation, request: unknown, now: number): ValidationChange {
  const [body, ...postbacks] = validation.postbacks;
  if (body !== undefined) return { postbacks, ...answeredBy(validation, request, body) };
  return isOver(validation, now) && validation.phase !== 'answered' ? { phase: 'unanswered' } : {};
}

export function endedAs(
  phase: 'unknown' | 'refused' | 'invalid' | 'unsent' | 'cancelled',
  reason: string | null,
): ValidationChange {
  return { phase, reason };
}

/** Whether it lets a transfer be sent: its answer can't be verified, so only one that is clearly favourable does. */
export function letsPass(validation: Validation): boolean {
  return validation.phase === 'answered' && validation.isFavourable;
}

/** Why a transfer is not sent, once its validation has ended. */
export function objectionOf({ phase, reason }: Validation): string {
  return phase === 'answered'
    ? 'The validation of the account was answered, and not clearly in favour of it.'
    : `The account was not validated (${phase}). ${reason ?? ''}`.trim();
}

/** The answer, unless it says that there is none yet or is of another validation. */
function answeredBy({ serviceId }: Validation, request: unknown, text: string): ValidationChange {
  const body = parsedJson(text);
  const { id, partner_code: code } = asRecord(body);
  const isIdentifier = typeof id === 'string' || typeof id === 'number';
  const isOther =
    (typeof code === 'string' && code !== asRecord(request).partner_code) ||
    (serviceId !== null && isIdentifier && !isSameIdentifier(String(id), serviceId));
  if (isOther) return {};
  const phase = readValidationAnswer(body) === 'pending' ? 'awaiting' : 'answered';
  const answer = { source: 'postback', verified: false, body } as const;
  return { phase, answer, isFavourable: isFavourable(body, request) };
}
