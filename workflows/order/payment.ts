import type { PostbackReceived } from '../../src/contract/messages.js';
import type { OrderState } from '../../src/contract/state.js';
import { watchDays } from '../../src/domain/cadence.js';
import type { Conclusions } from '../../src/domain/conclusions.js';
import { identifiersIn } from '../../src/domain/postback-identifiers.js';
import { withNamed } from '../../src/domain/candidates.js';
import { orderConclusions } from '../../src/domain/order-conclusions.js';
import {
  identifierReleased,
  ended,
  endedUnproven,
  hasMoved,
  newOrder,
  refused,
  shownAs,
  taken,
  unknown,
  unusable,
  type Order,
  type OrderBeginning,
  type OrderChange,
  type OrderEnd,
} from '../../src/domain/order.js';
import { orderCadence } from '../../src/domain/order-cadence.js';
import type { OrderKind } from '../../src/domain/kinds.js';
import { orderStage, orderStages, type OrderStage } from '../../src/domain/order-stages.js';
import { whyShared, type SharedIdentifier } from '../../src/domain/payment-record.js';
import { asRecord } from '../../src/domain/records.js';
import { Refused, resolutionProblem } from '../../src/domain/refused.js';
import type { Stage, StageTable } from '../../src/domain/stage-table.js';
import { orderView } from '../../src/domain/views.js';
import { orderStatements } from '../../src/domain/statements.js';
import type { Submitted } from '../../src/domain/submission.js';
import type { Command } from '../shared/commands.js';
import { Payment, type PaymentSnapshot } from '../shared/payment.js';
import type { Operator } from '../../src/domain/timeline.js';
import type { Run } from '../shared/run.js';
import { putOff, sendAgain, statusAnswered } from '../shared/submission.js';

/** What an order carries through a continue-as-new. */
export type OrderSnapshot = PaymentSnapshot<Order>;

/**
 * What every kind of order has: what is known of it, and what follows. How that changes: `src/domain/order.ts`. Knows
 * nothing of Temporal.
 */
export class OrderPayment extends Payment<OrderState, Order> {
  override readonly stages: StageTable = orderStages;

  /** The input may come from anybody and be anything. */
  constructor(
    override readonly kind: OrderKind,
    input: unknown,
    run: Run,
    private readonly beginning: OrderBeginning,
    snapshot?: OrderSnapshot,
  ) {
    const named = asRecord(input).order;
    const begin = () => newOrder(run.startedAt);
    super(run, kind, { named, options: input, watchDays: watchDays.order, begin }, snapshot);
    // What a run before this one has sent that was reset is not known.
    if (run.resetBefore === null || this.data.phase !== 'unsent') return;
    this.markUnknown('A run before this one was reset: the order may have been sent.');
  }

  /** The part of its stage that every order has. */
  get orderStage(): OrderStage {
    return orderStage(this.data, this.record.data);
  }

  override get takes(): Stage {
    return orderStages[this.orderStage];
  }

  /** Until when it makes sense to send it, counted from the start of the payment. */
  get submitUntil(): number {
    const { expiresAfterMs } = this.beginning;
    return expiresAfterMs === null ? Infinity : this.run.startedAt + this.scaled(expiresAfterMs);
  }

  /** It was sent, and the service's answer alone says that nothing came of that. */
  get wasAnswered(): boolean {
    const { card, phase, submission } = this.data;
    return phase === 'unsent' && (submission.wasAnswered || card.submission.wasAnswered);
  }

  /** Whether the service shows a status that says more than that nobody has paid. */
  get hasMoved(): boolean {
    return hasMoved(this.kind, this.data);
  }

  override view(): OrderState {
    return { ...this.commonState(), ...orderView(this.kind, this.data) };
  }

  protected override conclusions(): Conclusions {
    return orderConclusions(this.kind, this.data, this.record.data);
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

  override onPostback({ body }: PostbackReceived): void {
    const { candidates, phase } = this.data;
    if (phase === 'known') return;
    this.set({ candidates: withNamed(candidates, body) });
    if (phase !== 'unsent' && identifiersIn(body).length === 0)
      this.record.note(
        'A postback came, and names no order that could be read. What it says is in the history.',
      );
  }

  /** Draws the conclusion from the outcome of the call that creates the order. */
  applySubmitted(sent: Submitted): void {
    switch (sent.kind) {
      case 'again':
        return this.apply({ submission: sendAgain(this, sent) });
      case 'answered':
        if (sent.serviceId !== null) return this.become(sent.serviceId, statusAnswered(this, sent));
        return this.markUnknown('The service took the order and gave no usable identifier.');
      case 'refused':
        this.record.set({ refusal: sent.reason });
        return this.apply(refused());
      case 'invalid':
        return this.rejectInput(sent.reason);
      case 'scan_first':
      case 'card_gone':
        return this.apply(ended('rejected', sent.reason));
      case 'unknown':
        return this.markUnknown(sent.reason);
    }
  }

  rejectInput(problems: string): void {
    this.apply(this.wasAnswered ? { problems, ...endedUnproven('rejected') } : unusable(problems));
  }

  /** It is not sent any more. */
  endUnsent(end: OrderEnd, what: string): void {
    const unproven = this.wasAnswered;
    this.apply(unproven ? endedUnproven(end) : ended(end, `${what} ${orderStatements.uncharged}`));
  }

  /** It is not sent yet. */
  putOff(reason: string): void {
    const { card, submission } = this.data;
    this.apply(
      card.stage === 'to_send'
        ? { card: { ...card, submission: putOff(this, card.submission, reason) } }
        : { submission: putOff(this, submission, reason) },
    );
  }

  /** @param shownCode the partner_code that the service shows under the identifier; null when it shows none */
  ownerChecked(shared: SharedIdentifier, shownCode: string | null): void {
    if (shownCode === this.record.partnerCode) {
      this.record.set({ shared: { ...shared, isExamined: true } });
      return this.reads.dueNow('hint');
    }
    this.record.set({ serviceId: null, everRead: false, shared: undefined });
    this.apply(identifierReleased(whyShared(shared)));
  }

  markUnknown(reason: string): void {
    this.apply(unknown(reason));
  }

  /** The order has an identifier from now on; its first status is what the creating call answered, if it did. */
  become(serviceId: string, status: string | null): void {
    this.record.set({ serviceId });
    const begun = taken(this.data, this.beginning, this.#time);
    if (status === null) {
      this.apply({ ...begun, what: 'The service took the order.' });
      return this.reads.dueNow('cadence');
    }
    this.set(begun);
    this.show(status);
    this.planRead();
  }

  /** Shows a status of ours as long as the service shows the order as unpaid; null shows the service's own again. */
  override(change: OrderChange, operator?: Operator): void {
    this.apply(change, operator);
    this.reads.changed();
    this.planRead();
  }

  /** Applies a status that the service itself has shown. */
  show(status: string): void {
    const before = this.record.status;
    this.apply(shownAs(this.data, this.kind, status, { before, ...this.#time }));
    if (this.record.status !== before) this.reads.changed();
  }

  /** Sets the next read: close while a change is expected, rare in the watch. */
  planRead(): void {
    if (this.data.phase === 'known') this.readBy(orderCadence(this.record.status));
  }

  get #time() {
    return { now: this.now(), scale: this.start.scale };
  }
}
