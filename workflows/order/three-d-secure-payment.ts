import type { CompleteThreeDSecure, ProvideCard, ResolveSubmission } from '../../src/contract/messages.js';
import type { ThreeDSecureOrderInput } from '../../src/contract/order.js';
import type { OrderState } from '../../src/contract/state.js';
import { spans } from '../../src/domain/cadence.js';
import { orderStage, type CompletionPhase, type OrderStage } from '../../src/domain/order-stages.js';
import type { Command, Run } from '../shared/context.js';
import { Refused } from '../shared/refused.js';
import { resolutionProblem } from '../shared/resolution.js';
import { newSubmission, noteNotSent, type SubmissionState, type Submitted } from '../shared/submission.js';
import { CardSubmission, type CardSubmissionSnapshot } from './card-submission.js';
import { OrderPayment, type OrderSnapshot } from './payment.js';

/** What a 3D Secure order carries through a continue-as-new. */
export type ThreeDSecureSnapshot = OrderSnapshot & {
  submission: SubmissionState;
  card: CardSubmissionSnapshot;
  completion: Completion;
  answer: Record<string, unknown> | null;
};

type Completion = {
  phase: CompletionPhase;
  /** Until when the order can be completed; null before it is known to the service. */
  until: number | null;
  credentials: { callback: string; eci: string } | null;
  /** Whether a completion was sent before, so that a fresh read has to come before the next. */
  sentBefore: boolean;
  /** A run that came about by a reset sends nothing: the order goes on in a fresh one. */
  needsFreshRun: boolean;
};

const beginning = { override: 'awaiting_authentication', expiresAfterMs: spans.authenticationMs };

/** The state of one 3D Secure order: an order, and its completion with a card once the customer is authenticated. */
export class ThreeDSecurePayment extends OrderPayment {
  readonly card: CardSubmission;
  readonly #completion: Completion;
  #submission: SubmissionState;
  #answer: Record<string, unknown> | null;

  constructor(
    readonly input: ThreeDSecureOrderInput,
    run: Run,
    snapshot?: ThreeDSecureSnapshot,
  ) {
    super('three_d_secure_order', input, run, beginning, snapshot);
    this.#submission = snapshot?.submission ?? newSubmission(run.startedAt);
    this.card = new CardSubmission(run, this.record, this.start.scale, snapshot?.card);
    this.#completion = snapshot?.completion ?? {
      phase: 'open',
      until: null,
      credentials: null,
      sentBefore: false,
      needsFreshRun: false,
    };
    this.#completion.needsFreshRun = false;
    this.#answer = snapshot?.answer ?? null;
    if (run.justReset && this.#completion.phase === 'to_send') {
      this.doubtCompletion('A run before this one was reset: the completion may have been sent.');
    }
  }

  override get stage(): OrderStage {
    return orderStage(this.phase, this.record.status, this.#completion.phase);
  }

  get submission(): SubmissionState {
    return this.#submission;
  }

  get credentials(): { callback: string; eci: string } | null {
    return this.#completion.credentials;
  }

  get needsFreshRun(): boolean {
    return this.#completion.needsFreshRun && this.#completion.phase === 'open';
  }

  get sentBefore(): boolean {
    return this.#completion.sentBefore;
  }

  get until(): number | null {
    return this.#completion.until;
  }

  /** Until when it makes sense to open the order, counted from the start of the payment. */
  get submitUntil(): number {
    return this.run.startedAt + spans.authenticationMs * this.start.scale;
  }

  override view(): OrderState {
    const { until } = this.#completion;
    const authentication =
      until === null && this.#answer === null
        ? null
        : { until: until === null ? null : new Date(until).toISOString(), answer: this.#answer };
    return { ...super.view(), authentication };
  }

  override refusalOf(command: Command): Refused | undefined {
    switch (command.name) {
      case 'completeThreeDSecure':
        return this.#isOpen() ? undefined : this.#notOpen();
      case 'provideCard':
        return this.#completion.phase === 'to_send' && this.card.stage === 'awaited'
          ? undefined
          : new Refused('NotAwaitingCard', `This order is ${this.record.status} and awaits no card.`);
      case 'resolveSubmission':
        if (this.#completion.phase !== 'unknown') return super.refusalOf(command);
        return resolutionProblem(command.message) ?? this.#otherOrder(command.message);
      default:
        return super.refusalOf(command);
    }
  }

  /** Why no token for the browser is issued now. */
  tokenRefusal(): Refused | undefined {
    return this.#isOpen() || this.phase === 'unsent' ? undefined : this.#notOpen();
  }

  applyAnswer(sent: Submitted): void {
    if (sent.kind === 'again') {
      noteNotSent(this.record, sent, this.run.now(), this.start.scale);
      this.#submission = sent.state;
      return;
    }
    if (sent.kind === 'answered') this.#answer = sent.answer;
    this.applySubmitted(sent);
  }

  /** The time for the completion runs from when the order is known to the service. */
  override become(serviceId: string, status: string | null): void {
    super.become(serviceId, status);
    this.#completion.until ??= this.run.now() + spans.authenticationMs * this.start.scale;
  }

  /** Makes a completion due. */
  beginCompletion({ callback, card, eci, ...operator }: CompleteThreeDSecure): void {
    this.#completion.credentials = { callback, eci };
    this.#completion.phase = 'to_send';
    this.card.provide(card);
    this.override('submitting', 'The customer is authenticated; the order is completed.', operator);
  }

  provideCard(command: ProvideCard): void {
    this.card.provide(command);
    this.override('submitting', 'A card was provided.', command);
  }

  awaitCard(reason: string): void {
    this.override('awaiting_card', reason);
    this.card.await(this.#completion.until ?? 0, reason);
  }

  /** Draws the conclusion from the outcome of the completing call. */
  applyCompletion(sent: Exclude<Submitted, { kind: 'again' | 'card_gone' }>): void {
    const { record } = this;
    this.#completion.credentials = null;
    record.lower('not_sent');
    switch (sent.kind) {
      case 'answered':
        this.#completion.phase = 'sent';
        this.#completion.sentBefore = true;
        if (sent.serviceId !== null && sent.serviceId !== record.serviceId) {
          record.raise('inconsistent_answer', `The service answered for order ${sent.serviceId}.`);
        }
        this.expireAt(null);
        this.override(null, 'The service took the completion.');
        if (sent.status === null) this.reads.dueNow('cadence');
        else this.show(sent.status);
        return this.planRead();
      case 'refused':
        this.#completion.sentBefore = true;
        record.refusedBecause(sent.reason);
        return this.reopen(`The service refused the completion: ${sent.reason}`);
      case 'scan_first':
      case 'invalid':
        return this.reopen(`The completion was not usable: ${sent.reason}`);
      case 'unknown':
        this.#completion.needsFreshRun ||= sent.runWasReset;
        return this.doubtCompletion(sent.reason);
    }
  }

  doubtCompletion(reason: string): void {
    this.#completion.phase = 'unknown';
    this.#completion.sentBefore = true;
    this.#completion.credentials = null;
    this.card.end();
    this.expireAt(null);
    this.override('submission_unknown', reason);
    this.record.raise('submission_unknown', reason);
    this.reads.dueNow('cadence');
  }

  /** Nothing of the completion was sent, or it had no effect: the customer may authenticate again. */
  reopen(what: string): void {
    this.#completion.phase = 'open';
    this.#completion.credentials = null;
    this.card.end();
    this.expireAt(this.#completion.until);
    this.override('awaiting_authentication', what);
  }

  /** A read has shown that the order moved on or expired: nothing is to be sent, and nothing is unknown any more. */
  settleCompletion(): void {
    if (!this.hasMoved && this.record.status !== 'expired') return;
    if (this.#completion.phase === 'unknown') this.#completion.phase = 'sent';
    if (this.#completion.phase !== 'to_send') return;
    this.card.end();
    this.#completion.credentials = null;
    this.#completion.phase = 'open';
  }

  /** What an operator found out about a completion of unknown outcome. */
  resolveCompletion(command: ResolveSubmission): void {
    this.record.lower('submission_unknown');
    if (command.service_id === undefined) {
      this.record.note('Resolved: the completion had done nothing', command);
      return this.reopen('The completion came to nothing. Nothing was charged.');
    }
    this.record.note('Resolved: the service took the completion', command);
    this.#completion.phase = 'sent';
    this.override(null, 'The service took the completion.');
    this.reads.dueNow('command');
  }

  get completionIsUnknown(): boolean {
    return this.#completion.phase === 'unknown';
  }

  snapshot(): ThreeDSecureSnapshot {
    return {
      ...this.orderSnapshot(),
      submission: this.#submission,
      card: this.card.snapshot(),
      completion: this.#completion,
      answer: this.#answer,
    };
  }

  #otherOrder({ service_id: serviceId }: ResolveSubmission): Refused | undefined {
    if (serviceId === undefined || String(serviceId) === this.record.serviceId) return undefined;
    return new Refused('InvalidMessage', `This order is ${String(this.record.serviceId)} at the service.`);
  }

  #isOpen(): boolean {
    const { phase, until } = this.#completion;
    const waits = phase === 'open' || (phase === 'to_send' && this.card.stage === 'awaited');
    return this.phase === 'known' && waits && !this.hasMoved && until !== null && this.run.now() < until;
  }

  #notOpen(): Refused {
    const what = `This order is ${this.record.status} and awaits no authentication.`;
    return new Refused('NotAwaitingAuthentication', what);
  }
}
