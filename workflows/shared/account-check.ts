import type { AccountValidationState } from '../../src/contract/state.js';
import type { PostbackReceived } from '../../src/contract/messages.js';
import { spans } from '../../src/domain/cadence.js';
import { readValidationAnswer } from '../../src/domain/validation-answer.js';
import { creating } from './activities.js';
import { asRecord } from './opening.js';
import type { PaymentRecord } from './payment-record.js';
import { Sending, type SendingCarry } from './sending.js';
import { problemsText } from './submission.js';

type Answer = NonNullable<AccountValidationState['answer']>;

/**
 * `to_send`, `awaiting` an answer, `unknown` whether the service took the request, and four ends: `answered`,
 * `unanswered` in time, `refused` by the service, `invalid` as a request.
 */
type Stage = 'to_send' | 'awaiting' | 'unknown' | 'answered' | 'unanswered' | 'refused' | 'invalid';

/** What an account check hands over at a continue-as-new. */
export type AccountCheckCarry = {
  stage: Stage;
  /** Until when an answer is awaited. */
  until: number;
  answer: Answer | null;
  /** Why it ended without an answer, or what is in doubt. */
  reason: string | null;
  serviceId: string | null;
  heard: string[];
  sending: SendingCarry;
};

const maxHeard = 20;

/**
 * The validation of one bank account (§4 POST /v1/account/validate): asked for once; the answer comes in the response
 * or by a postback to this very workflow, and can't be verified, for there is no read. Any workflow may use it: give
 * it what postbacks say by {@link hear}, and call {@link step} when {@link dueAt} has come, until {@link ended}.
 */
export class AccountCheck {
  readonly #sending: Sending;
  readonly #facts: Omit<AccountCheckCarry, 'sending'>;

  /** @param validation the raw body of the request, with the partner_code that the service is to see */
  constructor(
    record: PaymentRecord,
    private readonly scale: number,
    private readonly validation: unknown,
    carried?: AccountCheckCarry,
  ) {
    this.#sending = new Sending(record, scale, carried?.sending);
    this.#facts = carried ?? {
      stage: 'to_send',
      until: Date.now() + spans.validationAnswerMs * this.scale,
      answer: null,
      reason: null,
      serviceId: null,
      heard: [],
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

  /** Whether nothing more is to come. An answer that is not clear may be followed by a better one until the deadline. */
  get ended(): boolean {
    if (this.stage === 'answered')
      return readValidationAnswer(this.answer?.body) === 'verdict' || this.#isOver();
    return this.stage === 'unanswered' || this.stage === 'refused' || this.stage === 'invalid';
  }

  get untried(): boolean {
    return this.stage === 'to_send' && this.#sending.untried;
  }

  get dueAt(): number {
    if (this.ended) return Infinity;
    if (this.stage === 'to_send') return this.#sending.at;
    return this.#facts.heard.length > 0 ? 0 : this.#facts.until;
  }

  /** Takes a postback's words; they count from when the request was sent. */
  hear(postback: PostbackReceived): void {
    // A bare client may have sent the signal with nothing at all.
    const { body } = asRecord(postback);
    if (typeof body === 'string' && this.#facts.heard.length < maxHeard) this.#facts.heard.push(body);
  }

  async step(): Promise<void> {
    if (this.stage === 'to_send') return this.#isOver() ? this.#giveUp() : this.#send();
    const said = this.#facts.heard.shift();
    if (said !== undefined) this.#take(said);
    else if (this.#isOver() && this.stage !== 'answered') this.#facts.stage = 'unanswered';
  }

  carry(): AccountCheckCarry {
    return { ...this.#facts, sending: this.#sending.carry() };
  }

  async #send(): Promise<void> {
    const sent = await this.#sending.once((once) =>
      creating('ask for the validation of a bank account').validateAccount({
        ...once,
        validation: this.validation,
      }),
    );
    switch (sent?.kind) {
      case undefined:
        return;
      case 'answered':
        this.#facts.serviceId = sent.serviceId;
        this.#facts.answer = { source: 'response', verified: false, body: sent.answer };
        this.#facts.stage = readValidationAnswer(sent.answer) === 'verdict' ? 'answered' : 'awaiting';
        return;
      case 'refused':
      case 'card_gone':
        this.#end('refused', sent.reason);
        return;
      case 'invalid':
        this.#end('invalid', problemsText(sent.problems));
        return;
      case 'unknown':
        this.#facts.stage = 'unknown';
        this.#facts.reason = sent.reason;
    }
  }

  /** A postback's words are the answer, unless they say that there is none yet or are of another validation. */
  #take(said: string): void {
    const body = parsed(said);
    const { id, partner_code: code } = asRecord(body);
    const other =
      (typeof code === 'string' && code !== asRecord(this.validation).partner_code) ||
      (this.serviceId !== null && isIdentifier(id) && String(id) !== this.serviceId);
    if (other) return;
    this.#facts.answer = { source: 'postback', verified: false, body };
    this.#facts.stage = readValidationAnswer(body) === 'pending' ? 'awaiting' : 'answered';
  }

  #giveUp(): void {
    this.#end('refused', 'It could not be sent in time. Nothing was sent.');
  }

  #end(stage: 'refused' | 'invalid', reason: string): void {
    this.#facts.stage = stage;
    this.#facts.reason = reason;
  }

  #isOver(): boolean {
    return Date.now() >= this.#facts.until;
  }
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
