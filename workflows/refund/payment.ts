import type { RefundInput } from '../../src/contract/refund.js';
import type { RefundState } from '../../src/contract/state.js';
import { dailyCadence, followCadence, spans } from '../../src/domain/cadence.js';
import type { Conclusions } from '../../src/domain/conclusions.js';
import { refundConclusions, type RefundEnd, type RefundFacts } from '../../src/domain/refund-conclusions.js';
import {
  refundFindings,
  refundObjection,
  refundStage,
  refundStages,
  retryRefundRefusal,
  type RefundStage,
} from '../../src/domain/refund-stages.js';
import type { Refused } from '../../src/domain/refused.js';
import { isRefundFailure, isRefundUnderWay } from '../../src/domain/statuses.js';
import { newSubmission, type Submitted } from '../../src/domain/submission.js';
import type { Command } from '../shared/commands.js';
import { Payment, type PaymentSnapshot } from '../shared/payment.js';
import type { Operator } from '../shared/payment-record.js';
import type { Run } from '../shared/run.js';
import { sendAgain } from '../shared/submission.js';

/** What a refund carries through a continue-as-new. */
export type RefundSnapshot = PaymentSnapshot & { refund: RefundData };

type RefundData = RefundFacts & {
  /** After a read that did not work before a request: when to read again. */
  readAgainAt: number;
  outcome: RefundState['outcome'];
  /** A failure that was shown before the latest request, so that seeing it again says nothing of this one. */
  previousFailure: string | null;
  /**
   * An operator has stated that an earlier request was not queued, and no read had shown what became of it: a failure
   * that is shown now may be that of the earlier one.
   */
  mayShowEarlier: boolean;
};

/** The state of one refund and its transitions: what was sent, and what reads of its order show. */
export class RefundPayment extends Payment<RefundState> {
  override readonly stages = refundStages;
  readonly data: RefundData;

  /** The input may come from anybody and be anything. */
  constructor(
    readonly input: RefundInput,
    run: Run,
    snapshot?: RefundSnapshot,
  ) {
    super(run, 'refund', { named: input, options: input, watchDays: 0 }, snapshot);
    this.data = snapshot?.refund ?? {
      phase: 'checking',
      reason: null,
      problems: null,
      end: null,
      answeredFor: null,
      submission: newSubmission(run.startedAt),
      readAgainAt: 0,
      shown: null,
      askedAt: null,
      outcome: null,
      previousFailure: null,
      mayShowEarlier: false,
      requests: 0,
    };
    if (snapshot === undefined && this.start.problem === undefined) {
      this.record.data.serviceId = input.service_id;
    }
    const mayHaveBeenRequested = this.stage === 'request' || ['refused', 'failed'].includes(this.data.phase);
    if (run.resetBefore !== null && mayHaveBeenRequested) {
      this.data.previousFailure = this.data.shown;
      this.markUnknown('A run before this one was reset: the refund may have been requested.', false);
    }
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

  override view(): RefundState {
    const state = this.commonState();
    const { outcome, requests } = this.data;
    return { ...state, kind: 'refund', value: state.value === 0 ? null : state.value, outcome, requests };
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

  beginChecked(): void {
    const { by, reason } = this.input;
    this.data.phase = 'to_send';
    this.record.note('The refund was requested.', { by, reason });
    this.reads.dueNow('command');
  }

  /** A request is due; whoever calls has proven that none is queued, or an operator has said so. */
  requestAgain(operator: Operator): void {
    const { mayShowEarlier, phase, shown } = this.data;
    this.data.mayShowEarlier = mayShowEarlier || phase === 'unknown' || phase === 'asked';
    this.data.phase = 'to_send';
    this.data.submission = newSubmission(this.now());
    this.record.data.refusal = null;
    this.data.askedAt = null;
    this.data.previousFailure = shown !== null && isRefundFailure(shown) ? shown : null;
    this.conclude('The refund is requested again.', operator);
  }

  applySubmitted(sent: Submitted): void {
    const { data, record } = this;
    switch (sent.kind) {
      case 'again':
        data.submission = sendAgain(this, sent);
        if (this.isTooLate)
          this.fail('refused', 'The refund could not be requested in time. Nothing was sent.');
        else this.conclude();
        return;
      case 'answered':
        data.requests += 1;
        return this.#asked(sent.serviceId, sent.status);
      case 'refused':
        data.requests += 1;
        record.data.refusal = sent.reason;
        return this.fail('refused', `The service refused the refund: ${sent.reason}`);
      case 'invalid':
        return this.rejectInput(sent.reason);
      case 'scan_first':
      case 'card_gone':
        return this.fail('refused', sent.reason);
      case 'unknown':
        data.requests += 1;
        return this.markUnknown(sent.reason, sent.runWasReset);
    }
  }

  markUnknown(reason: string, runWasReset: boolean): void {
    this.data.phase = 'unknown';
    this.needsFreshRun ||= runWasReset;
    this.unconfirmed(`Whether the service took the request is not known: ${reason}`);
    this.planRead();
  }

  fail(phase: 'refused' | 'failed', reason: string): void {
    Object.assign(this.data, { phase, reason, askedAt: null });
    this.conclude(reason);
    this.planRead();
  }

  resolveAs(outcome: 'refunded' | 'not_refunded', operator: Operator): void {
    this.data.outcome = outcome;
    this.end('resolved', refundFindings[outcome], operator);
  }

  rejectInput(problems: string): void {
    this.data.problems = problems;
    this.end('rejected', 'The request was not usable; nothing was sent.');
  }

  end(end: RefundEnd, what: string, operator?: Operator): void {
    Object.assign(this.data, { phase: 'over', end });
    this.conclude(what, operator);
  }

  /** Applies what a read of the order shows of its refund. Anything else is neither proof nor disproof. */
  show(status: string): void {
    const { phase, shown: previous } = this.data;
    this.data.shown = status;
    if (status !== previous) this.reads.changed();
    if (status !== this.data.previousFailure) this.data.previousFailure = null;
    if (status === 'refunded') {
      this.end('refunded', 'The service shows the order as refunded.');
    } else if (isRefundFailure(status)) {
      const isNew = phase !== 'failed' && this.data.previousFailure === null;
      if (isNew) this.fail('failed', `The service shows the refund as failed: ${status}.`);
    } else if (isRefundUnderWay(status)) {
      if (phase !== 'asked' || status !== previous) {
        this.#takenByService(`The service shows a refund under way: ${status}.`);
      }
    }
    this.conclude();
  }

  unconfirmed(reason: string): void {
    Object.assign(this.data, { askedAt: null, reason });
    this.conclude(reason);
  }

  planRead(): void {
    const { phase } = this.data;
    if (phase === 'over') return;
    const isFailed = phase === 'refused' || phase === 'failed';
    this.reads.plan(
      isFailed ? dailyCadence : followCadence,
      this.record.data.changedAt,
      this.record.data.unreadableSince,
    );
  }

  /** Whether it could not be requested for so long that an operator is asked. */
  get isTooLate(): boolean {
    return this.now() >= this.data.submission.since + this.scaled(spans.refundFirstReadMs);
  }

  override snapshot(): RefundSnapshot {
    return { ...super.snapshot(), refund: this.data };
  }

  /** The service took the request. Only a read shows that it is done; that it failed the answer may show as well. */
  #asked(serviceId: string | null, status: string | null): void {
    this.data.answeredFor = serviceId === this.input.service_id ? null : serviceId;
    this.#takenByService('The service took the request for the refund.');
    if (status !== null && isRefundFailure(status)) {
      this.fail('failed', `The service answered that the refund failed: ${status}.`);
    }
    this.planRead();
  }

  #takenByService(what: string): void {
    Object.assign(this.data, { phase: 'asked', askedAt: this.now() });
    this.conclude(what);
  }
}
