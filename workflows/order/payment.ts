import type { PostbackReceived } from '../../src/contract/messages.js';
import type { OrderState } from '../../src/contract/state.js';
import { spans, watchDays } from '../../src/domain/cadence.js';
import type { Conclusions } from '../../src/domain/conclusions.js';
import {
  orderConclusions,
  type CardFacts,
  type OrderEnd,
  type OrderFacts,
} from '../../src/domain/order-conclusions.js';
import { orderCadence } from '../../src/domain/order-cadence.js';
import type { OrderKind } from '../../src/domain/kinds.js';
import { orderStage, orderStages, type OrderStage } from '../../src/domain/order-stages.js';
import { asRecord } from '../../src/domain/records.js';
import { Refused, resolutionProblem } from '../../src/domain/refused.js';
import type { Stage, StageTable } from '../../src/domain/stage-table.js';
import { isRecognised, isUnpaidOrderStatus, isWatchedOrderStatus } from '../../src/domain/statuses.js';
import { newSubmission, type Submitted } from '../../src/domain/submission.js';
import type { Command } from '../shared/commands.js';
import { Payment, type PaymentSnapshot } from '../shared/payment.js';
import type { Operator } from '../shared/payment-record.js';
import type { Run } from '../shared/run.js';
import { sendAgain, statusAnswered } from '../shared/submission.js';
import { Candidates, type CandidatesSnapshot } from './candidates.js';

/** What every order carries through a continue-as-new. */
export type OrderSnapshot = PaymentSnapshot & { candidates: CandidatesSnapshot; order: OrderData };

type OrderData = OrderFacts & {
  overdueFrom: number | null;
  /** When an order that nobody has paid expires; null when it does not. */
  expiresAt: number | null;
};

/** How an order begins. */
export type OrderBeginning = {
  /** Its status as long as the service shows it as unpaid. */
  override?: string;
  /** After how long without a payment it expires; null for an order that waits for no customer. */
  expiresAfterMs: number | null;
};

/** The state of one order and its transitions, shared by every kind of order. Knows nothing of Temporal. */
export class OrderPayment extends Payment<OrderState> {
  override readonly stages: StageTable = orderStages;
  readonly candidates: Candidates;
  readonly data: OrderData;
  closed = false;

  /** The input may come from anybody and be anything. */
  constructor(
    override readonly kind: OrderKind,
    input: unknown,
    run: Run,
    private readonly beginning: OrderBeginning,
    snapshot?: OrderSnapshot,
  ) {
    const named = asRecord(input).order;
    super(run, kind, { named, options: input, watchDays: watchDays.order }, snapshot);
    const { scale } = this.start;
    this.candidates = new Candidates(scale, snapshot?.candidates);
    this.data = snapshot?.order ?? {
      phase: 'unsent',
      end: null,
      problems: null,
      reason: null,
      submission: newSubmission(run.startedAt),
      shown: null,
      override: null,
      overdue: null,
      oddities: [],
      overdueFrom: null,
      expiresAt: null,
    };
  }

  /** To be called once all of it is there: what a run before this one has sent that was reset is not known. */
  protected begun(): void {
    if (this.run.resetBefore === null || this.data.phase !== 'unsent') return;
    this.markUnknown('A run before this one was reset: the order may have been sent.');
  }

  /** The part of its stage that every order has. */
  get orderStage(): OrderStage {
    return orderStage(this.facts);
  }

  override get takes(): Stage {
    return orderStages[this.orderStage];
  }

  /** What decides its stage. */
  protected get facts() {
    const { everRead, status } = this.record.data;
    return { phase: this.data.phase, status, everRead, closed: this.closed };
  }

  /** Until when it makes sense to send it, counted from the start of the payment. */
  get submitUntil(): number {
    const { expiresAfterMs } = this.beginning;
    return expiresAfterMs === null ? Infinity : this.run.startedAt + this.scaled(expiresAfterMs);
  }

  /** Whether the service shows a status that says more than that nobody has paid. */
  get hasMoved(): boolean {
    const { shown } = this.data;
    return shown !== null && isRecognised(this.kind, shown) && !isUnpaidOrderStatus(shown);
  }

  override view(): OrderState {
    const { phase } = this.data;
    return {
      ...this.commonState(),
      kind: this.kind,
      candidates: phase === 'unknown' || phase === 'void' ? [...this.candidates.data.shown] : [],
      checkout: null,
      authentication: null,
    };
  }

  /** What is known of its card, where it has one. */
  protected get cardFacts(): CardFacts | undefined {
    return undefined;
  }

  protected override conclusions(): Conclusions {
    return orderConclusions(this.kind, this.data, this.record.data, this.cardFacts);
  }

  protected override ruleAgainst(command: Command): Refused | undefined {
    if (command.name !== 'resolveSubmission') return undefined;
    const { serviceId } = this.record;
    const problem = resolutionProblem(command.message);
    if (problem !== undefined || serviceId === null || command.message.nothing_happened !== true)
      return problem;
    const what = `The service answered with the identifier ${serviceId}. Give the right one. Nothing was changed.`;
    return new Refused('InvalidMessage', what);
  }

  override onPostback(postback: PostbackReceived): void {
    if (this.data.phase !== 'known') this.candidates.onPostback(postback);
  }

  /** Draws the conclusion from the outcome of the call that creates the order. */
  applySubmitted(sent: Submitted): void {
    const { data, record } = this;
    switch (sent.kind) {
      case 'again':
        data.submission = sendAgain(this, sent);
        return this.conclude();
      case 'answered':
        if (sent.serviceId !== null) return this.become(sent.serviceId, statusAnswered(this, sent));
        return this.markUnknown('The service took the order and gave no usable identifier.');
      case 'refused':
        record.data.refusal = sent.reason;
        return this.end('rejected', 'The service refused the order. Nothing was charged.');
      case 'invalid':
        return this.rejectInput(sent.reason);
      case 'scan_first':
      case 'card_gone':
        return this.end('rejected', sent.reason);
      case 'unknown':
        return this.markUnknown(sent.reason);
    }
  }

  rejectInput(problems: string): void {
    this.data.problems = problems;
    this.end('rejected', 'The request was not usable; nothing was sent.');
  }

  end(end: OrderEnd, what: string): void {
    this.closed = true;
    this.data.end = end;
    this.conclude(what);
  }

  markUnknown(reason: string): void {
    Object.assign(this.data, { phase: 'unknown', reason });
    this.conclude(reason);
  }

  /** An operator found that nothing had happened. Watched on: a postback may still name it. */
  markVoid(operator: Operator): void {
    this.data.phase = 'void';
    this.candidates.forget();
    this.record.note('Resolved: nothing had happened', operator);
    this.conclude('The submission came to nothing. Nothing was charged.');
  }

  /** The order has an identifier from now on; its first status is what the creating call answered, if it did. */
  become(serviceId: string, status: string | null): void {
    const { data, record } = this;
    const { phase } = data;
    record.data.serviceId = serviceId;
    // Another identifier of an order that has begun changes nothing of what it has come to.
    if (phase !== 'known') this.#begin();
    if (phase === 'void') {
      const what = 'An operator found that nothing had happened, and the service holds the order after all.';
      data.oddities.push(what);
    }
    if (status === null) {
      this.conclude('The service took the order.');
      return this.reads.dueNow('cadence');
    }
    this.show(status);
    this.planRead();
  }

  /** Shows a status of ours as long as the service shows the order as unpaid; null shows the service's own again. */
  override(status: string | null, what: string, operator?: Operator): void {
    this.data.override = status;
    this.conclude(what, operator);
    this.reads.changed();
    this.planRead();
  }

  /** Applies a status that the service itself has shown. */
  show(status: string): void {
    const { data, record } = this;
    const previous = record.status;
    data.shown = status;
    if (this.hasMoved) this.#endOverride(status);
    const { status: next } = this.conclusions();
    if (next !== previous && (isWatchedOrderStatus(next) || status === 'paid')) {
      data.overdueFrom = isWatchedOrderStatus(next)
        ? null
        : this.now() + this.scaled(spans.orderSettlementMs);
      data.overdue = null;
    }
    if (next !== previous) this.reads.changed();
    this.conclude(`${previous} → ${next}`);
  }

  /** Sets the next read: close while a change is expected, rare in the watch. */
  planRead(): void {
    if (this.data.phase !== 'known') return;
    this.reads.plan(
      orderCadence(this.record.status),
      this.record.data.changedAt,
      this.record.data.unreadableSince,
    );
  }

  override snapshot(): OrderSnapshot {
    return { ...super.snapshot(), candidates: this.candidates.data, order: this.data };
  }

  /** From now on the service has it. */
  #begin(): void {
    const { override = null, expiresAfterMs } = this.beginning;
    this.data.phase = 'known';
    this.data.overdueFrom = this.now() + this.scaled(spans.orderSettlementMs);
    this.data.override = override;
    this.data.expiresAt = expiresAfterMs === null ? null : this.now() + this.scaled(expiresAfterMs);
  }

  /** A status of ours no longer stands: the order has moved. One that had expired and is paid needs an operator. */
  #endOverride(shown: string): void {
    const { data } = this;
    if (data.override === 'expired' && !['denied', 'error'].includes(shown)) {
      const what = `The order had expired, and the service now shows it as ${shown}.`;
      if (!data.oddities.includes(what)) data.oddities.push(what);
    }
    data.override = null;
    data.expiresAt = null;
  }
}
