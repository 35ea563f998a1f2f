import type { PostbackReceived } from '../../src/contract/messages.js';
import type { AccountValidationState } from '../../src/contract/state.js';
import { spans } from '../../src/domain/cadence.js';
import { asRecord, parsedJson } from '../../src/domain/records.js';
import { newSubmission, type SubmissionState, type Submitted } from '../../src/domain/submission.js';
import { readValidationAnswer } from '../../src/domain/validation-answer.js';
import type { ValidationPhase } from '../../src/domain/validation-conclusions.js';
import type { PaymentContext } from './context.js';
import type { Payment } from './payment.js';
import { sendAgain } from './submission.js';

type Answer = NonNullable<AccountValidationState['answer']>;

/** What a validation request carries through a continue-as-new. */
export type ValidationSnapshot = {
  stage: ValidationPhase;
  /** Until when an answer is awaited. */
  until: number;
  answer: Answer | null;
  /** Why it ended without an answer, or why its outcome is unknown. */
  reason: string | null;
  serviceId: string | null;
  postbacks: string[];
  submission: SubmissionState;
};

const maxPostbacks = 20;

/**
 * The validation of one bank account: requested once (`POST /v1/account/validate`). The answer comes in the response
 * or by a postback to this very workflow. It can't be verified, since the service documents no read of it.
 */
export class ValidationRequest {
  readonly data: ValidationSnapshot;

  /** @param request the raw body of the request, with the partner_code that the service is to see */
  constructor(
    startedAt: number,
    scale: number,
    readonly request: unknown,
    snapshot?: ValidationSnapshot,
  ) {
    this.data = snapshot ?? {
      stage: 'to_send',
      until: startedAt + spans.validationAnswerMs * scale,
      answer: null,
      reason: null,
      serviceId: null,
      postbacks: [],
      submission: newSubmission(startedAt),
    };
  }

  /** Whether nothing more is to come. An answer that is not clear may be followed by a better one until the deadline. */
  ended(now: number): boolean {
    const { answer, stage } = this.data;
    if (stage === 'answered') return readValidationAnswer(answer?.body) === 'verdict' || this.isOver(now);
    return !['to_send', 'awaiting', 'unknown'].includes(stage);
  }

  isOver(now: number): boolean {
    return now >= this.data.until;
  }

  dueAt(): number {
    const { postbacks, stage, submission, until } = this.data;
    if (stage === 'to_send') return submission.at;
    return postbacks.length > 0 ? 0 : until;
  }

  /** Keeps a postback's body; it counts from when the request was sent. */
  onPostback({ body }: PostbackReceived): void {
    if (this.data.postbacks.length < maxPostbacks) this.data.postbacks.push(body);
  }

  applySubmitted(sent: Submitted, payment: Payment): void {
    const { data } = this;
    switch (sent.kind) {
      case 'again':
        data.submission = sendAgain(payment, sent);
        return;
      case 'answered':
        data.serviceId = sent.serviceId;
        data.answer = { source: 'response', verified: false, body: sent.answer };
        data.stage = readValidationAnswer(sent.answer) === 'verdict' ? 'answered' : 'awaiting';
        return;
      case 'scan_first':
      case 'card_gone':
      case 'refused':
        return this.end('refused', sent.reason);
      case 'invalid':
      case 'unknown':
        return this.end(sent.kind, sent.reason);
    }
  }

  /** Applies the next postback, or notices that the deadline has passed. */
  advance(now: number): void {
    const body = this.data.postbacks.shift();
    if (body !== undefined) this.#applyPostback(body);
    else if (this.isOver(now) && this.data.stage !== 'answered') this.data.stage = 'unanswered';
  }

  end(stage: 'unknown' | 'refused' | 'invalid' | 'unsent' | 'cancelled', reason: string | null): void {
    this.data.stage = stage;
    this.data.reason = reason;
  }

  /** The answer, unless it says that there is none yet or is of another validation. */
  #applyPostback(text: string): void {
    const body = parsedJson(text);
    const { id, partner_code: code } = asRecord(body);
    const { serviceId } = this.data;
    const isIdentifier = typeof id === 'string' || typeof id === 'number';
    const isOther =
      (typeof code === 'string' && code !== asRecord(this.request).partner_code) ||
      (serviceId !== null && isIdentifier && String(id) !== serviceId);
    if (isOther) return;
    this.data.answer = { source: 'postback', verified: false, body };
    this.data.stage = readValidationAnswer(body) === 'pending' ? 'awaiting' : 'answered';
  }
}

/** What a validation waits for, in words for operators. */
export function awaitedOf({ data }: ValidationRequest): string {
  return data.stage === 'to_send'
    ? 'the time to send it again'
    : 'an answer by postback; without one it counts as unanswered';
}

/** Takes the next step of a validation, which is due: sends, applies a postback, or notices the deadline. */
export async function advanceValidation(
  ctx: PaymentContext,
  payment: Payment,
  validation: ValidationRequest,
): Promise<void> {
  if (validation.data.stage !== 'to_send') return validation.advance(ctx.now());
  if (validation.isOver(ctx.now())) {
    return validation.end('unsent', 'It could not be sent in time. Nothing was sent.');
  }
  const doing = 'request the validation of a bank account';
  const sent = await ctx.send(validation.data.submission, doing, (calls, once) =>
    calls.validateAccount({ ...once, validation: validation.request }),
  );
  validation.applySubmitted(sent, payment);
}
