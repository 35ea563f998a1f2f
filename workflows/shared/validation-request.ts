import type { PostbackReceived } from '../../src/contract/messages.js';
import type { AccountValidationState } from '../../src/contract/state.js';
import { spans } from '../../src/domain/cadence.js';
import { asRecord } from '../../src/domain/records.js';
import { readValidationAnswer } from '../../src/domain/validation-answer.js';
import type { PaymentContext, Takes } from './context.js';
import type { PaymentRecord } from './payment-record.js';
import { newSubmission, noteNotSent, type SubmissionState, type Submitted } from './submission.js';

type Answer = NonNullable<AccountValidationState['answer']>;

/**
 * `to_send`, `awaiting` an answer, `unknown` whether the service took the request, and five ends: `answered`,
 * `unanswered` in time, `refused` by the service, `invalid` as a request, `unsent` in time.
 */
type Stage =
  'to_send' | 'awaiting' | 'unknown' | 'answered' | 'unanswered' | 'refused' | 'invalid' | 'unsent';

/** What a validation request carries through a continue-as-new. */
export type ValidationSnapshot = {
  stage: Stage;
  /** Until when an answer is awaited. */
  until: number;
  answer: Answer | null;
  /** Why it ended without an answer, or why its outcome is unknown. */
  reason: string | null;
  serviceId: string | null;
  postbacks: string[];
  submission: SubmissionState;
  runWasReset: boolean;
};

const maxPostbacks = 20;

/**
 * The validation of one bank account: requested once (`POST /v1/account/validate`). The answer comes in the response
 * or by a postback to this very workflow. It can't be verified, since the service documents no read of it.
 */
export class ValidationRequest {
  readonly #facts: ValidationSnapshot;

  /** @param request the raw body of the request, with the partner_code that the service is to see */
  constructor(
    startedAt: number,
    private readonly scale: number,
    readonly request: unknown,
    snapshot?: ValidationSnapshot,
  ) {
    this.#facts = snapshot ?? {
      stage: 'to_send',
      until: startedAt + spans.validationAnswerMs * scale,
      answer: null,
      reason: null,
      serviceId: null,
      postbacks: [],
      submission: newSubmission(startedAt),
      runWasReset: false,
    };
  }

  get stage(): Stage {
    return this.#facts.stage;
  }

  get answer(): Answer | null {
    return this.#facts.answer;
  }

  get reason(): string | null {
    return this.#facts.reason;
  }

  get serviceId(): string | null {
    return this.#facts.serviceId;
  }

  get submission(): SubmissionState {
    return this.#facts.submission;
  }

  /** Whether nothing more is to come. An answer that is not clear may be followed by a better one until the deadline. */
  ended(now: number): boolean {
    if (this.stage === 'answered') {
      return readValidationAnswer(this.answer?.body) === 'verdict' || this.isOver(now);
    }
    return !['to_send', 'awaiting', 'unknown'].includes(this.stage);
  }

  isOver(now: number): boolean {
    return now >= this.#facts.until;
  }

  dueAt(): number {
    const { postbacks, submission, until } = this.#facts;
    if (this.stage === 'to_send') return submission.at;
    return postbacks.length > 0 ? 0 : until;
  }

  /** Keeps a postback's body; it counts from when the request was sent. */
  onPostback({ body }: PostbackReceived): void {
    if (this.#facts.postbacks.length < maxPostbacks) this.#facts.postbacks.push(body);
  }

  giveUp(): void {
    this.#end('unsent', 'It could not be sent in time. Nothing was sent.');
  }

  applySubmitted(sent: Submitted, record: PaymentRecord, now: number): void {
    switch (sent.kind) {
      case 'again':
        noteNotSent(record, sent, now, this.scale);
        this.#facts.submission = sent.state;
        return;
      case 'answered': {
        record.lower('not_sent');
        const isVerdict = readValidationAnswer(sent.answer) === 'verdict';
        this.#facts.serviceId = sent.serviceId;
        this.#facts.answer = { source: 'response', verified: false, body: sent.answer };
        this.#facts.stage = isVerdict ? 'answered' : 'awaiting';
        return;
      }
      case 'scan_first':
      case 'card_gone':
      case 'refused':
        return this.#end('refused', sent.reason);
      case 'invalid':
        return this.#end('invalid', sent.reason);
      case 'unknown':
        this.#facts.stage = 'unknown';
        this.#facts.reason = sent.reason;
        this.#facts.runWasReset = sent.runWasReset;
    }
  }

  /** Applies the next postback, or notices that the deadline has passed. */
  advance(now: number): void {
    const body = this.#facts.postbacks.shift();
    if (body !== undefined) this.#applyPostback(body);
    else if (this.isOver(now) && this.stage !== 'answered') this.#facts.stage = 'unanswered';
  }

  snapshot(): ValidationSnapshot {
    return this.#facts;
  }

  /** The answer, unless it says that there is none yet or is of another validation. */
  #applyPostback(text: string): void {
    const body = parsed(text);
    const { id, partner_code: code } = asRecord(body);
    const isOther =
      (typeof code === 'string' && code !== asRecord(this.request).partner_code) ||
      (this.serviceId !== null && isIdentifier(id) && String(id) !== this.serviceId);
    if (isOther) return;
    this.#facts.answer = { source: 'postback', verified: false, body };
    this.#facts.stage = readValidationAnswer(body) === 'pending' ? 'awaiting' : 'answered';
  }

  #end(stage: 'refused' | 'invalid' | 'unsent', reason: string): void {
    this.#facts.stage = stage;
    this.#facts.reason = reason;
  }
}

/** Waits for the next step of a validation and takes it: sends, applies a postback, or notices the deadline. */
export async function advanceValidation(
  ctx: PaymentContext,
  validation: ValidationRequest,
  record: PaymentRecord,
  takes: Takes,
): Promise<void> {
  const isToSend = validation.stage === 'to_send';
  const awaiting = isToSend
    ? 'the time to send it again'
    : 'an answer by postback; without one it counts as unanswered';
  const woke = await ctx.wait(() => validation.dueAt(), awaiting, takes);
  if (woke !== 'due') return;
  if (!isToSend) return validation.advance(ctx.now());
  if (validation.isOver(ctx.now())) return validation.giveUp();
  const sent = await ctx.send(
    validation.submission,
    'request the validation of a bank account',
    (calls, once) => calls.validateAccount({ ...once, validation: validation.request }),
  );
  validation.applySubmitted(sent, record, ctx.now());
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isIdentifier(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}
