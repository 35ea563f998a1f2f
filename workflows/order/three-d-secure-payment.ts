import type { CompleteThreeDSecure, ProvideCard, ResolveSubmission } from '../../src/contract/messages.js';
import type { ThreeDSecureOrderInput } from '../../src/contract/order.js';
import { cardGiven } from '../../src/domain/card-to-send.js';
import { spans } from '../../src/domain/cadence.js';
import { odd } from '../../src/domain/order.js';
import {
  threeDSecureStage,
  threeDSecureStages,
  type ThreeDSecureStage,
} from '../../src/domain/order-stages.js';
import { Refused, resolutionProblem } from '../../src/domain/refused.js';
import { commandsOf } from '../../src/domain/stage-table.js';
import type { Submitted } from '../../src/domain/submission.js';
import {
  completionAfterReset,
  completionAwaitsCard,
  completionBegun,
  completionFound,
  completionReopened,
  completionSettled,
  completionTaken,
  completionUnknown,
  withCompletion,
} from '../../src/domain/three-d-secure.js';
import type { Command } from '../shared/commands.js';
import type { Run } from '../shared/run.js';
import { statusAnswered } from '../shared/submission.js';
import { OrderPayment, type OrderSnapshot } from './payment.js';
import { isSameIdentifier } from '../../src/domain/service-ids.js';

const beginning = { override: 'awaiting_authentication', expiresAfterMs: spans.authenticationMs };

/** One 3D Secure order: an order, and its completion with a card (`src/domain/three-d-secure.ts`). */
export class ThreeDSecurePayment extends OrderPayment {
  override readonly stages = threeDSecureStages;

  constructor(
    readonly input: ThreeDSecureOrderInput,
    run: Run,
    snapshot?: OrderSnapshot,
  ) {
    super('three_d_secure_order', input, run, beginning, snapshot);
    if (run.resetBefore !== null && this.data.phase === 'known') this.#completionAfterReset();
  }

  get stage(): ThreeDSecureStage {
    return threeDSecureStage(this.data, this.record.data);
  }

  override get takes() {
    return threeDSecureStages[this.stage];
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
    if (sent.kind === 'answered') this.set(withCompletion(this.data, { answer: sent.answer }));
    super.applySubmitted(sent);
  }

  /** The time for the completion runs from when the order is known to the service. */
  override become(serviceId: string, status: string | null): void {
    const wasLost = this.data.phase === 'unknown' || this.data.phase === 'void';
    super.become(serviceId, status);
    const until = this.data.completion.until ?? this.now() + this.scaled(spans.authenticationMs);
    this.set(withCompletion(this.data, { until }));
    if (this.run.afterReset && wasLost) this.#completionAfterReset();
  }

  /** Makes a completion due. */
  beginCompletion({ callback, card, eci, ...operator }: CompleteThreeDSecure): void {
    this.record.set({ refusal: null });
    const given = { callback, eci, card: { ...card, by: operator.by } };
    this.override(completionBegun(this.data, given, this.now()), operator);
  }

  provideCard(command: ProvideCard): void {
    const card = cardGiven(command, this.now(), this.data.card.submission);
    this.override({ card, override: 'submitting', what: 'A card was provided.' }, command);
  }

  awaitCard(reason: string): void {
    this.override(completionAwaitsCard(this.data, reason));
  }

  /** Draws the conclusion from the outcome of the completing call. */
  applyCompletion(sent: Exclude<Submitted, { kind: 'again' | 'card_gone' }>): void {
    const { record } = this;
    switch (sent.kind) {
      case 'answered':
        if (sent.serviceId !== null && !isSameIdentifier(sent.serviceId, record.serviceId)) {
          this.apply(odd(this.data, `The service answered for order ${sent.serviceId}.`));
        }
        this.override(completionTaken(this.data));
        return this.#showAnswered(statusAnswered(this, sent));
      case 'refused':
        record.set({ refusal: sent.reason });
        return this.reopen(`The service refused the completion: ${sent.reason}`, true);
      case 'scan_first':
      case 'invalid':
        return this.reopen(`The completion was not usable: ${sent.reason}`);
      case 'unknown':
        this.needsFreshRun ||= sent.runWasReset;
        return this.markCompletionUnknown(sent.reason);
    }
  }

  markCompletionUnknown(reason: string): void {
    this.override(completionUnknown(this.data, reason));
    this.reads.dueNow('cadence');
  }

  /** Nothing of the completion was sent, or it had no effect: the customer may authenticate again. */
  reopen(what: string, wasSent = false): void {
    this.override(completionReopened(this.data, what, wasSent));
  }

  /** A read has shown that the order moved on or expired: nothing is to be sent, and nothing is unknown any more. */
  settleCompletion(): void {
    this.apply(completionSettled(this.data, this.record.status));
  }

  /** What an operator found out about a completion of unknown outcome. */
  resolveCompletion(command: ResolveSubmission): void {
    const wasTaken = command.service_id !== undefined;
    this.override(completionFound(this.data, wasTaken), command);
    if (wasTaken) this.reads.dueNow('command');
  }

  #completionAfterReset(): void {
    const change = completionAfterReset(this.data, this.record.status);
    if (change.override === undefined) return this.set(change);
    this.override(change);
    this.reads.dueNow('cadence');
  }

  #showAnswered(status: string | null): void {
    if (status !== null) this.show(status);
    this.planRead();
  }

  #otherOrder({ service_id: serviceId }: ResolveSubmission): Refused | undefined {
    if (serviceId === undefined || isSameIdentifier(String(serviceId), this.record.serviceId))
      return undefined;
    return new Refused('InvalidMessage', `This order is ${String(this.record.serviceId)} at the service.`);
  }

  #isOpen(): boolean {
    const takesIt = commandsOf(this.takes).includes('completeThreeDSecure');
    return takesIt && !this.hasMoved && this.now() < (this.data.completion.until ?? 0);
  }

  #notOpen(): Refused {
    const what = `This order is ${this.record.status} and awaits no authentication.`;
    return new Refused('NotAwaitingAuthentication', what);
  }
}
