import type { CompleteThreeDSecure, ProvideCard, ResolveSubmission } from '../../src/contract/messages.js';
import type { ThreeDSecureOrderInput } from '../../src/contract/order.js';
import type { OrderState } from '../../src/contract/state.js';
import { spans } from '../../src/domain/cadence.js';
import { odd } from '../../src/domain/order.js';
import {
  threeDSecureStage,
  threeDSecureStages,
  type CompletionPhase,
  type ThreeDSecureStage,
} from '../../src/domain/order-stages.js';
import { Refused, resolutionProblem } from '../../src/domain/refused.js';
import { commandsOf } from '../../src/domain/stage-table.js';
import { orderStatements } from '../../src/domain/statements.js';
import type { Submitted } from '../../src/domain/submission.js';
import type { Command } from '../shared/commands.js';
import type { Run } from '../shared/run.js';
import { statusAnswered } from '../shared/submission.js';
import { CardSubmission, type CardSubmissionSnapshot } from './card-submission.js';
import { OrderPayment, type OrderSnapshot } from './payment.js';

/** What a 3D Secure order carries through a continue-as-new. */
export type ThreeDSecureSnapshot = OrderSnapshot & { card: CardSubmissionSnapshot; completion: Completion };

type Completion = {
  phase: CompletionPhase;
  /** Until when the order can be completed; null before it is known to the service. */
  until: number | null;
  credentials: { callback: string; eci: string } | null;
  /** Whether a completion was sent before, so that a fresh read has to come before the next. */
  sentBefore: boolean;
  /** Whether one was ever put off, or waited for a card, so that a fresh read has to come before it is sent. */
  putOff: boolean;
  /** All that the service answered when the order was opened: it is undocumented. */
  answer: Record<string, unknown> | null;
};

const beginning = { override: 'awaiting_authentication', expiresAfterMs: spans.authenticationMs };

/** The state of one 3D Secure order: an order, and its completion with a card once the customer is authenticated. */
export class ThreeDSecurePayment extends OrderPayment {
  override readonly stages = threeDSecureStages;
  readonly card: CardSubmission;
  readonly completion: Completion;

  constructor(
    readonly input: ThreeDSecureOrderInput,
    run: Run,
    snapshot?: ThreeDSecureSnapshot,
  ) {
    super('three_d_secure_order', input, run, beginning, snapshot);
    this.card = new CardSubmission(this, snapshot?.card);
    this.completion = snapshot?.completion ?? {
      phase: 'open',
      until: null,
      credentials: null,
      sentBefore: false,
      putOff: false,
      answer: null,
    };
    this.begun();
    if (run.resetBefore !== null && this.data.phase === 'known') this.#completionAfterReset();
  }

  get stage(): ThreeDSecureStage {
    const awaitsCard = this.card.stage === 'awaited';
    return threeDSecureStage({ ...this.facts, awaitsCard, completion: this.completion.phase });
  }

  protected override get cardFacts() {
    return this.card.facts;
  }

  override get takes() {
    return threeDSecureStages[this.stage];
  }

  override view(): OrderState {
    const { answer, until } = this.completion;
    const isOpened = until !== null || answer !== null;
    const authentication = { until: until === null ? null : new Date(until).toISOString(), answer };
    return { ...super.view(), authentication: isOpened ? authentication : null };
  }

  protected override ruleAgainst(command: Command): Refused | undefined {
    switch (command.name) {
      case 'completeThreeDSecure':
        return this.#isOpen() ? undefined : this.#notOpen();
      case 'resolveSubmission':
        if (this.stage !== 'resolve_completion') return super.ruleAgainst(command);
        return resolutionProblem(command.message) ?? this.#otherOrder(command.message);
      default:
        return super.ruleAgainst(command);
    }
  }

  /** Why no token for the browser is issued now. */
  tokenRefusal(): Refused | undefined {
    return this.#isOpen() || this.data.phase === 'unsent' ? undefined : this.#notOpen();
  }

  override applySubmitted(sent: Submitted): void {
    if (sent.kind === 'answered') this.completion.answer = sent.answer;
    super.applySubmitted(sent);
  }

  /** The time for the completion runs from when the order is known to the service. */
  override become(serviceId: string, status: string | null): void {
    const wasLost = this.data.phase === 'unknown' || this.data.phase === 'void';
    super.become(serviceId, status);
    this.completion.until ??= this.now() + this.scaled(spans.authenticationMs);
    if (this.run.afterReset && wasLost) this.#completionAfterReset();
  }

  /** Makes a completion due. */
  beginCompletion({ callback, card, eci, ...operator }: CompleteThreeDSecure): void {
    this.completion.credentials = { callback, eci };
    this.completion.phase = 'to_send';
    this.record.data.refusal = null;
    this.card.provide({ ...card, by: operator.by });
    const what = 'The customer is authenticated; the order is completed.';
    this.override({ override: 'submitting', what }, operator);
  }

  provideCard(command: ProvideCard): void {
    this.card.provide(command);
    this.override({ override: 'submitting', what: 'A card was provided.' }, command);
  }

  awaitCard(reason: string): void {
    this.completion.putOff = true;
    this.card.await(this.completion.until ?? 0, reason);
    this.override({ override: 'awaiting_card', what: reason });
  }

  /** Draws the conclusion from the outcome of the completing call. */
  applyCompletion(sent: Exclude<Submitted, { kind: 'again' | 'card_gone' }>): void {
    const { completion, record } = this;
    completion.credentials = null;
    switch (sent.kind) {
      case 'answered':
        completion.phase = 'sent';
        completion.sentBefore = true;
        if (sent.serviceId !== null && sent.serviceId !== record.serviceId) {
          this.apply(odd(this.data, `The service answered for order ${sent.serviceId}.`));
        }
        this.override({ expiresAt: null, override: null, what: 'The service took the completion.' });
        return this.#showAnswered(statusAnswered(this, sent));
      case 'refused':
        completion.sentBefore = true;
        record.data.refusal = sent.reason;
        return this.reopen(`The service refused the completion: ${sent.reason}`);
      case 'scan_first':
      case 'invalid':
        return this.reopen(`The completion was not usable: ${sent.reason}`);
      case 'unknown':
        this.needsFreshRun ||= sent.runWasReset;
        return this.markCompletionUnknown(sent.reason);
    }
  }

  markCompletionUnknown(reason: string): void {
    this.completion.phase = 'unknown';
    this.completion.sentBefore = true;
    this.completion.credentials = null;
    this.card.end();
    this.override({ override: 'submission_unknown', expiresAt: null, reason, what: reason });
    this.reads.dueNow('cadence');
  }

  /** Nothing of the completion was sent, or it had no effect: the customer may authenticate again. */
  reopen(what: string): void {
    this.#withdraw();
    this.override({ override: 'awaiting_authentication', expiresAt: this.completion.until, what });
  }

  /** A read has shown that the order moved on or expired: nothing is to be sent, and nothing is unknown any more. */
  settleCompletion(): void {
    if (!this.hasMoved && this.record.status !== 'expired') return;
    if (this.completion.phase === 'unknown') this.completion.phase = 'sent';
    else if (this.completion.phase === 'to_send') this.#withdraw();
    this.conclude();
  }

  /** What an operator found out about a completion of unknown outcome. */
  resolveCompletion(command: ResolveSubmission): void {
    if (command.service_id === undefined) {
      this.record.note('Resolved: the completion had done nothing', command);
      return this.reopen(`The completion came to nothing. ${orderStatements.found}`);
    }
    this.record.note('Resolved: the service took the completion', command);
    this.completion.phase = 'sent';
    this.override({ override: null, what: 'The service took the completion.' });
    this.reads.dueNow('command');
  }

  override snapshot(): ThreeDSecureSnapshot {
    return { ...super.snapshot(), card: this.card.data, completion: this.completion };
  }

  /** A run that was reset may have completed the order, whatever the order reads as now. */
  #completionAfterReset(): void {
    const { phase } = this.completion;
    if (phase === 'open' && this.hasMoved) this.completion.phase = 'sent';
    else if (phase === 'to_send' || (phase === 'open' && this.record.status !== 'expired')) {
      this.markCompletionUnknown('A run before this one was reset: the completion may have been sent.');
    }
  }

  #showAnswered(status: string | null): void {
    if (status !== null) this.show(status);
    this.planRead();
  }

  #withdraw(): void {
    this.completion.phase = 'open';
    this.completion.credentials = null;
    this.card.end();
  }

  #otherOrder({ service_id: serviceId }: ResolveSubmission): Refused | undefined {
    if (serviceId === undefined || String(serviceId) === this.record.serviceId) return undefined;
    return new Refused('InvalidMessage', `This order is ${String(this.record.serviceId)} at the service.`);
  }

  #isOpen(): boolean {
    const takesIt = commandsOf(this.takes).includes('completeThreeDSecure');
    return takesIt && !this.hasMoved && this.now() < (this.completion.until ?? 0);
  }

  #notOpen(): Refused {
    const what = `This order is ${this.record.status} and awaits no authentication.`;
    return new Refused('NotAwaitingAuthentication', what);
  }
}
