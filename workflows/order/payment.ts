import type { PostbackReceived } from '../../src/contract/messages.js';
import type { OrderReading } from '../../src/contract/outcomes.js';
import type { OrderState } from '../../src/contract/state.js';
import {
  dayMs,
  followCadence,
  spans,
  watchAfterDecisionMs,
  watchCadence,
  watchDays,
} from '../../src/domain/cadence.js';
import type { OrderKind } from '../../src/domain/kinds.js';
import { orderStage, type OrderPhase, type OrderStage } from '../../src/domain/order-stages.js';
import { asRecord } from '../../src/domain/records.js';
import { isRecognised, isUnpaidOrderStatus, isWatchedOrderStatus } from '../../src/domain/statuses.js';
import type { Command, Run } from '../shared/context.js';
import { orderMisfit } from '../shared/order-misfit.js';
import { PaymentRecord, type Operator, type RecordSnapshot } from '../shared/payment-record.js';
import { ReadSchedule, type ReadScheduleSnapshot } from '../shared/read-schedule.js';
import { Refused } from '../shared/refused.js';
import { resolutionProblem } from '../shared/resolution.js';
import { readStartInput, type StartInput } from '../shared/start-input.js';
import type { Submitted } from '../shared/submission.js';
import { Candidates, type CandidatesSnapshot } from './candidates.js';

/** What every order carries through a continue-as-new. */
export type OrderSnapshot = {
  record: RecordSnapshot;
  reads: ReadScheduleSnapshot;
  candidates: CandidatesSnapshot;
  order: Facts;
};

type Facts = {
  phase: OrderPhase;
  /** What the service showed last; null before. */
  shown: string | null;
  /** A status of ours that stands as long as the service shows the order as unpaid. */
  override: string | null;
  overdueFrom: number | null;
  /** What in the last reading did not fit; null when all did. */
  misfit: string | null;
  /** When an order that nobody has paid expires; null when it does not. */
  expiresAt: number | null;
  closed: boolean;
};

/** How an order begins that waits for the customer first. */
export type OrderBeginning = {
  /** Its status as long as the service shows it as unpaid. */
  override?: string;
  /** After how long without a payment it expires. */
  expiresAfterMs?: number;
};

/** The state of one order and its transitions, shared by every kind of order. Knows nothing of Temporal. */
export class OrderPayment {
  readonly start: StartInput;
  readonly record: PaymentRecord;
  readonly reads: ReadSchedule;
  readonly candidates: Candidates;
  readonly #facts: Facts;

  constructor(
    readonly kind: OrderKind,
    input: unknown,
    readonly run: Run,
    private readonly beginning: OrderBeginning,
    snapshot?: OrderSnapshot,
  ) {
    this.start = readStartInput(run, kind, asRecord(input).order, input, watchDays.order);
    const { notify, partnerCode, scale, valueCentavos } = this.start;
    this.record = new PaymentRecord({
      run,
      kind,
      partnerCode,
      valueCentavos,
      firstStatus: 'submitting',
      notify,
      snapshot: snapshot?.record,
    });
    this.reads = new ReadSchedule(run, scale, snapshot?.reads);
    this.candidates = new Candidates(partnerCode, scale, snapshot?.candidates);
    this.#facts = snapshot?.order ?? {
      phase: 'unsent',
      shown: null,
      override: null,
      overdueFrom: null,
      misfit: null,
      expiresAt: null,
      closed: false,
    };
    if (run.justReset && this.#facts.phase === 'unsent') {
      this.doubt('A run before this one was reset: the order may have been sent.');
    }
  }

  get phase(): OrderPhase {
    return this.#facts.phase;
  }

  get stage(): OrderStage {
    return orderStage(this.phase, this.record.status, null);
  }

  get closed(): boolean {
    return this.#facts.closed;
  }

  /** Whether the service shows a status that says more than that nobody has paid. */
  get hasMoved(): boolean {
    const { shown } = this.#facts;
    return shown !== null && isRecognised(this.kind, shown) && !isUnpaidOrderStatus(shown);
  }

  view(): OrderState {
    return {
      ...this.record.state(),
      kind: this.kind,
      candidates: this.phase === 'unknown' || this.phase === 'void' ? this.candidates.shown : [],
      checkout: null,
      authentication: null,
    };
  }

  refusalOf(command: Command): Refused | undefined {
    if (command.name !== 'resolveSubmission') {
      return new Refused('InvalidMessage', `A payment of this kind takes no ${command.name}.`);
    }
    if (this.phase !== 'unknown') {
      const what = `This order is ${this.record.status}: the outcome of its submission is known.`;
      return new Refused('NotUnknown', what);
    }
    return resolutionProblem(command.message);
  }

  onPostback(postback: PostbackReceived): void {
    if (this.phase !== 'known') this.candidates.onPostback(postback);
  }

  /** Draws the conclusion from the outcome of the call that creates the order. */
  applySubmitted(sent: Exclude<Submitted, { kind: 'again' }>): void {
    this.record.lower('not_sent');
    switch (sent.kind) {
      case 'answered':
        if (sent.serviceId !== null) return this.become(sent.serviceId, sent.status);
        return this.doubt('The service took the order and gave no usable identifier.');
      case 'refused':
        this.record.refusedBecause(sent.reason);
        return this.end('rejected', 'The service refused the order. Nothing was charged.');
      case 'invalid':
        return this.rejectInput(sent.reason);
      case 'scan_first':
      case 'card_gone':
        return this.end('rejected', sent.reason);
      case 'unknown':
        return this.doubt(sent.reason);
    }
  }

  rejectInput(problems: string): void {
    this.record.raise('invalid_input', problems);
    this.end('rejected', 'The request was not usable; nothing was sent.');
  }

  end(status: 'rejected' | 'cancelled', what: string): void {
    this.#facts.closed = true;
    this.record.lower('awaiting_card', 'submission_unknown', 'not_sent');
    this.record.moveTo(status, what);
  }

  close(): void {
    this.#facts.closed = true;
  }

  doubt(reason: string): void {
    this.#facts.phase = 'unknown';
    this.record.lower('awaiting_card', 'not_sent');
    this.record.moveTo('submission_unknown', reason);
    this.record.raise('submission_unknown', reason);
  }

  /** An operator found that nothing had happened. Watched on: a postback may still name it. */
  markVoid(operator: Operator): void {
    this.#facts.phase = 'void';
    this.record.note('Resolved: nothing had happened', operator);
    this.record.lower('submission_unknown');
    this.record.moveTo('rejected', 'The submission came to nothing. Nothing was charged.');
  }

  /** The order has an identifier from now on; its first status is what the creating call answered, if it did. */
  become(serviceId: string, status: string | null): void {
    const wasVoid = this.phase === 'void';
    const { override = null, expiresAfterMs } = this.beginning;
    const { scale } = this.start;
    const now = this.run.now();
    this.#facts.phase = 'known';
    this.record.lower('submission_unknown');
    this.record.identify(serviceId);
    this.#facts.overdueFrom = now + spans.orderSettlementMs * scale;
    this.#facts.override = override;
    this.#facts.expiresAt = expiresAfterMs === undefined ? null : now + expiresAfterMs * scale;
    if (wasVoid) {
      const what = 'An operator found that nothing had happened, and the service holds the order after all.';
      this.record.raise('inconsistent_answer', what);
    }
    if (status === null) {
      this.record.moveTo(override ?? this.record.status, 'The service took the order.');
      this.reads.dueNow('cadence');
      return;
    }
    this.show(status);
    this.planRead();
  }

  /** Shows a status of ours as long as the service shows the order as unpaid; null shows the service's own again. */
  override(status: string | null, what: string, operator?: Operator): void {
    this.#facts.override = status;
    const { shown } = this.#facts;
    const wanted = shown === null || isUnpaidOrderStatus(shown) ? (status ?? shown) : null;
    if (wanted !== null) this.record.moveTo(wanted, what, operator);
    this.reads.changed();
    this.planRead();
  }

  /** From when on an unpaid order counts as expired; null for never. */
  expireAt(at: number | null): void {
    this.#facts.expiresAt = at;
  }

  /** When the next read is due: by the schedule, at its expiry, or at the end of the watch. */
  get readDueAt(): number {
    const { expiresAt } = this.#facts;
    const expiry = expiresAt !== null && this.reads.lastReadAt < expiresAt ? expiresAt : Infinity;
    return Math.min(this.reads.nextReadAt, expiry, this.watchEndsAt);
  }

  /** The end of the watch; never while money is expected to move or an operator is needed. */
  get watchEndsAt(): number {
    const { scale } = this.start;
    if (this.stage !== 'watch' || this.record.attention !== null) return Infinity;
    const isDecision = this.phase === 'void' || this.record.status === 'expired';
    const days = this.start.watchDays * dayMs;
    return this.record.changedAt + (isDecision ? Math.max(days, watchAfterDecisionMs) : days) * scale;
  }

  /** Applies what a read shows; false when it does not fit this order or names no status. */
  applyReading(serviceId: string, shown: OrderReading): boolean {
    const misfit = orderMisfit(serviceId, this.record, shown);
    if (misfit !== null && misfit !== this.#facts.misfit) this.record.raise('inconsistent_answer', misfit);
    this.#facts.misfit = misfit;
    if (misfit !== null || shown.status === null) return false;
    this.show(shown.status);
    return true;
  }

  /** After a read: raises what is overdue, expires what nobody has paid, and plans the next read. */
  afterRead(usable: boolean): void {
    const { overdueFrom } = this.#facts;
    if (overdueFrom !== null && this.run.now() >= overdueFrom) {
      this.#facts.overdueFrom = null;
      this.record.raise('overdue', `The order is still ${this.record.status} after its deadline.`);
    }
    this.#expire(usable);
    this.planRead();
  }

  /** Applies a status that the service itself has shown. */
  show(status: string): void {
    const { override } = this.#facts;
    this.#facts.shown = status;
    const previous = this.record.status;
    const wanted = override !== null && isUnpaidOrderStatus(status) ? override : status;
    if (this.hasMoved) this.#endOverride();
    if (wanted === previous) return;
    this.reads.changed();
    this.record.moveTo(wanted, `${previous} → ${wanted}`);
    if (isRecognised(this.kind, status)) this.record.lower('unrecognised_status');
    else this.record.raise('unrecognised_status', `The service calls the order "${status}".`);
    if (status === 'chargeback') this.record.raise('chargeback', 'The service reports a chargeback.');
    else this.record.lower('chargeback');
    if (isWatchedOrderStatus(wanted)) {
      this.#facts.overdueFrom = null;
      this.record.lower('overdue');
    } else if (status === 'paid') {
      this.#facts.overdueFrom = this.run.now() + spans.orderSettlementMs * this.start.scale;
      this.record.lower('overdue');
    }
  }

  /** Sets the next read: close while a change is expected, rare in the watch. */
  planRead(): void {
    if (this.phase !== 'known') return;
    const cadence = isWatchedOrderStatus(this.record.status) ? watchCadence : followCadence;
    this.reads.plan(cadence, this.record.changedAt);
  }

  orderSnapshot(): OrderSnapshot {
    return {
      record: this.record.snapshot(),
      reads: this.reads.snapshot(),
      candidates: this.candidates.snapshot(),
      order: this.#facts,
    };
  }

  /** A status of ours no longer stands: the order has moved. One that had expired and is paid needs an operator. */
  #endOverride(): void {
    const { override, shown } = this.#facts;
    if (override === 'expired' && shown !== null && !['denied', 'error'].includes(shown)) {
      const what = `The order had expired, and the service now shows it as ${shown}.`;
      this.record.raise('inconsistent_answer', what);
    }
    if (override === 'submission_unknown') this.record.lower('submission_unknown');
    this.#facts.override = null;
    this.#facts.expiresAt = null;
  }

  /** Only a read that worked may conclude that nobody has paid. */
  #expire(usable: boolean): void {
    const { expiresAt, overdueFrom, shown } = this.#facts;
    if (expiresAt === null || this.run.now() < expiresAt) return;
    if (this.hasMoved) return this.expireAt(null);
    if (usable && shown !== null && isUnpaidOrderStatus(shown)) {
      this.expireAt(null);
      this.#facts.overdueFrom = null;
      this.record.lower('overdue', 'awaiting_card');
      this.override('expired', 'Its time is over and nobody has paid. Nothing was charged.');
    } else if (overdueFrom !== null) {
      this.#facts.overdueFrom = null;
      this.record.raise('overdue', 'Its time is over, and no read tells whether it was paid.');
    }
  }
}
