import type { RefundInput } from '../../src/contract/refund.js';
import type { RefundState } from '../../src/contract/state.js';
import {
  dailyCadence,
  dayMs,
  followCadence,
  spans,
  watchCadence,
  watchDays,
  type CadenceStep,
} from '../../src/domain/cadence.js';
import type { Conclusions } from '../../src/domain/conclusions.js';
import { refundConclusions } from '../../src/domain/refund-conclusions.js';
import {
  refundObjection,
  refundStage,
  refundStages,
  retryRefundRefusal,
  type RefundPhase,
  type RefundStage,
} from '../../src/domain/refund-stages.js';
import {
  failed,
  newRefund,
  requestedAgain,
  requestedLine,
  shownAs,
  taken,
  unknown,
  unusable,
  wasSent,
  type Refund,
  type RefundChange,
} from '../../src/domain/refund.js';
import { asRecord } from '../../src/domain/records.js';
import { refundView } from '../../src/domain/views.js';
import type { Refused } from '../../src/domain/refused.js';
import { isRefundFailure } from '../../src/domain/statuses.js';
import type { Submitted } from '../../src/domain/submission.js';
import type { Command } from '../shared/commands.js';
import { Payment, type PaymentSnapshot } from '../shared/payment.js';
import type { Operator } from '../../src/domain/timeline.js';
import type { Run } from '../shared/run.js';
import { askedBy } from '../shared/start-input.js';
import { sendAgain } from '../shared/submission.js';
import { isSameIdentifier } from '../../src/domain/service-ids.js';

/** What a refund carries through a continue-as-new. */
export type RefundSnapshot = PaymentSnapshot<Refund>;

/** One refund: what is known of it, and what follows. How that changes: `src/domain/refund.ts`. */
export class RefundPayment extends Payment<RefundState, Refund> {
  override readonly stages = refundStages;

  /** The input may come from anybody and be anything. */
  constructor(
    readonly input: RefundInput,
    run: Run,
    snapshot?: RefundSnapshot,
  ) {
    const begin = () => newRefund(run.startedAt);
    // Its watch is always the same.
    const options = { ...asRecord(input), watch_days: undefined };
    super(run, 'refund', { named: input, options, watchDays: watchDays.refund, begin }, snapshot);
    if (snapshot === undefined && this.start.problem === undefined) {
      this.record.set({ serviceId: input.service_id });
      this.record.note(requestedLine, askedBy(input));
      this.reads.dueNow('command');
    }
    if (run.resetBefore !== null) this.#forgetWhatCame(['to_send', 'refused', 'failed', 'decided'], false);
  }

  get stage(): RefundStage {
    const { attention, status } = this.record;
    const needsOperator = attention !== null && this.data.problems === null;
    return refundStage(this.data.phase, { needsOperator, unconfirmed: status === 'unconfirmed' });
  }

  override get takes() {
    return refundStages[this.stage];
  }

  get confirmationEndsAt(): number {
    const { askedAt } = this.data;
    return askedAt === null ? Infinity : askedAt + this.scaled(spans.refundConfirmationMs);
  }

  /** Until when a refund that a person has ended is watched; never ends while an operator is needed. */
  get watchEndsAt(): number {
    const { attention, data } = this.record;
    return attention === null ? data.changedAt + this.scaled(this.start.watchDays * dayMs) : Infinity;
  }

  override view(): RefundState {
    const state = this.commonState();
    return { ...state, ...refundView(this.data, state.value, this.commands) };
  }

  protected override conclusions(): Conclusions {
    return refundConclusions(this.data, this.record.data);
  }

  protected override ruleAgainst(command: Command): Refused | undefined {
    return command.name === 'retryRefund' ? retryRefundRefusal(this.data, command.message) : undefined;
  }

  /** Why the order, as it was read last, must not be refunded; null when nothing speaks against it. */
  get objection(): string | null {
    return refundObjection(this.record.data.misfit, this.data.shown);
  }

  override apply(change: RefundChange, operator?: Operator): void {
    super.apply(change, operator);
    this.planRead();
  }

  /** What its call is asked for: the order is read against it first. */
  get toRequest() {
    const { data, input, record } = this;
    return { input, previous_failure: data.previousFailure, right_centavos: record.rightCentavos };
  }

  requestAgain(operator: Operator): void {
    this.record.set({ refusal: null });
    this.apply(requestedAgain(this.data, this.now()), operator);
  }

  applySubmitted(sent: Submitted): void {
    const requests = this.data.requests + 1;
    switch (sent.kind) {
      case 'again': {
        const submission = sendAgain(this, sent);
        if (!this.isTooLate) return this.apply({ submission });
        const why = submission.wasAnswered ? sent.reason : 'Nothing was sent.';
        return this.apply({ submission, ...failed('refused', `It could not be requested in time. ${why}`) });
      }
      case 'answered':
        return this.#answered(sent.serviceId, sent.status, requests);
      case 'refused':
        this.record.set({ refusal: sent.reason });
        return this.apply({
          requests,
          ...failed('refused', `The service refused the refund: ${sent.reason}`),
        });
      case 'invalid':
        return this.rejectInput(sent.reason);
      case 'scan_first':
      case 'card_gone':
        return this.apply(failed('refused', sent.reason));
      case 'unknown':
        this.set({ requests });
        return this.markUnknown(sent.reason, sent.runWasReset);
    }
  }

  markUnknown(reason: string, runWasReset: boolean): void {
    this.needsFreshRun ||= runWasReset;
    this.apply(unknown(reason));
  }

  /** An earlier request may be queued, or was answered: only what was never sent is over by that. */
  rejectInput(problems: string): void {
    const unsent = `a further request is not usable, and was not sent: ${problems}.`;
    if (this.data.mayShowEarlier) this.markUnknown(`An earlier one may be queued; ${unsent}`, false);
    else if (this.wasSent) this.apply(failed('refused', `The service answered before; ${unsent}`));
    else this.apply(unusable(problems));
  }

  /** Applies what a read of the order shows. */
  show(status: string): void {
    if (status !== this.data.shown) this.reads.changed();
    this.apply(shownAs(this.data, status, this.now()));
  }

  planRead(): void {
    const { phase } = this.data;
    if (phase !== 'over') this.readBy(refundCadence(phase));
  }

  /** Whether a request was ever sent, whatever the service answered. */
  get wasSent(): boolean {
    return wasSent(this.data);
  }

  /** Whether it could not be requested for so long that an operator is asked. */
  get isTooLate(): boolean {
    return this.now() >= this.data.submission.since + this.scaled(spans.refundFirstReadMs);
  }

  override resetNoticed(): void {
    this.#forgetWhatCame(['refused', 'failed', 'decided'], true);
  }

  /** In the time that a reset took back it may have been requested. */
  #forgetWhatCame(phases: readonly RefundPhase[], runWasReset: boolean): void {
    if (!phases.includes(this.data.phase)) return;
    this.set({ previousFailure: this.data.shown });
    this.markUnknown('A run of this workflow was reset: the refund may have been requested.', runWasReset);
  }

  /** Only a read shows that it is done; that it failed the answer may show as well. */
  #answered(serviceId: string | null, status: string | null, requests: number): void {
    const answeredFor = isSameIdentifier(serviceId, this.input.service_id) ? null : serviceId;
    const what = 'The service took the request for the refund.';
    this.apply({ requests, answeredFor, ...taken(this.now(), what) });
    if (status !== null && isRefundFailure(status)) {
      this.apply(failed('failed', `The service answered that the refund failed: ${status}.`));
    }
  }
}

function refundCadence(phase: RefundPhase): readonly CadenceStep[] {
  if (phase === 'decided') return watchCadence;
  return phase === 'refused' || phase === 'failed' ? dailyCadence : followCadence;
}
