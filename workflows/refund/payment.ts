import type { RefundInput } from '../../src/contract/refund.js';
import type { RefundState } from '../../src/contract/state.js';
import { dailyCadence, followCadence, spans } from '../../src/domain/cadence.js';
import {
  refundFindings,
  refundObjection,
  refundStage,
  refundStages,
  retryRefundRefusal,
  type RefundPhase,
  type RefundStage,
} from '../../src/domain/refund-stages.js';
import type { Refused } from '../../src/domain/refused.js';
import { isRecognised, isRefundFailure, isRefundUnderWay } from '../../src/domain/statuses.js';
import { newSubmission, type SubmissionState, type Submitted } from '../../src/domain/submission.js';
import type { Command } from '../shared/commands.js';
import { Payment, type PaymentSnapshot } from '../shared/payment.js';
import type { Operator } from '../shared/payment-record.js';
import type { Run } from '../shared/run.js';
import { sendAgain } from '../shared/submission.js';

/** What a refund carries through a continue-as-new. */
export type RefundSnapshot = PaymentSnapshot & { refund: RefundData };

type RefundData = {
  phase: RefundPhase;
  submission: SubmissionState;
  /** After a read that did not work before a request: when to read again. */
  readAgainAt: number;
  /** What the service showed of the order last. */
  shown: string | null;
  /** When the service took the request, while its confirmation is awaited; null otherwise. */
  askedAt: number | null;
  outcome: RefundState['outcome'];
  /** A failure that was shown before the latest request, so that seeing it again says nothing of this one. */
  previousFailure: string | null;
  /**
   * An operator has stated that an earlier request was not queued, and no read had shown what became of it: a failure
   * that is shown now may be that of the earlier one.
   */
  mayShowEarlier: boolean;
  requests: number;
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
    const needsOperator = attention !== null && !this.record.isRaised('invalid_input');
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
    this.record.lower('refund_failed', 'refund_unconfirmed');
    this.record.moveTo('requesting', 'The refund is requested again.', operator);
  }

  applySubmitted(sent: Submitted): void {
    const { data, record } = this;
    switch (sent.kind) {
      case 'again':
        data.submission = sendAgain(this, sent);
        if (this.isTooLate) {
          this.fail('refused', 'The refund could not be requested in time. Nothing was sent.');
        }
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
    this.data.phase = phase;
    this.data.askedAt = null;
    this.record.lower('refund_unconfirmed', 'not_sent');
    this.record.moveTo('rejected', reason);
    this.record.raise('refund_failed', reason);
    this.planRead();
  }

  resolveAs(outcome: 'refunded' | 'not_refunded', operator: Operator): void {
    this.data.outcome = outcome;
    this.record.lower('refund_failed', 'refund_unconfirmed', 'unreadable');
    this.end('resolved', refundFindings[outcome], operator);
  }

  rejectInput(problems: string): void {
    this.record.raise('invalid_input', problems);
    this.end('rejected', 'The request was not usable; nothing was sent.');
  }

  end(status: 'refunded' | 'rejected' | 'resolved' | 'cancelled', what: string, operator?: Operator): void {
    this.data.phase = 'over';
    this.record.lower('not_sent');
    this.record.moveTo(status, what, operator);
  }

  /** Applies what a read of the order shows of its refund. Anything else is neither proof nor disproof. */
  show(status: string): void {
    const { record, reads } = this;
    const { phase, shown: previous } = this.data;
    this.data.shown = status;
    if (status !== previous) reads.changed();
    if (status !== this.data.previousFailure) this.data.previousFailure = null;
    if (isRecognised('refund', status)) record.lower('unrecognised_status');
    else if (status !== previous) {
      record.raise('unrecognised_status', `The service calls the order "${status}".`);
    }
    if (status === 'refunded') {
      record.lower('refund_failed', 'refund_unconfirmed', 'chargeback');
      this.end('refunded', 'The service shows the order as refunded.');
    } else if (isRefundFailure(status)) {
      const isNew = phase !== 'failed' && this.data.previousFailure === null;
      if (isNew) this.fail('failed', `The service shows the refund as failed: ${status}.`);
    } else if (isRefundUnderWay(status)) {
      if (phase !== 'asked' || status !== previous) {
        this.#takenByService(`The service shows a refund under way: ${status}.`);
      }
    } else if (status === 'chargeback' && previous !== status && phase !== 'to_send') {
      const what = 'The order was charged back while its refund is open: the money may go back twice.';
      record.raise('chargeback', what);
    }
  }

  unconfirmed(reason: string): void {
    this.data.askedAt = null;
    this.record.lower('not_sent');
    this.record.moveTo('unconfirmed', reason);
    this.record.raise('refund_unconfirmed', reason);
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
    this.#takenByService('The service took the request for the refund.');
    if (serviceId !== null && serviceId !== this.input.service_id) {
      this.record.raise('inconsistent_answer', `The service answered for order ${serviceId}.`);
    }
    if (status !== null && isRefundFailure(status)) {
      this.fail('failed', `The service answered that the refund failed: ${status}.`);
    }
    this.planRead();
  }

  #takenByService(what: string): void {
    this.data.phase = 'asked';
    this.data.askedAt = this.now();
    this.record.lower('refund_failed', 'refund_unconfirmed', 'not_sent');
    this.record.moveTo('refund_processing', what);
  }
}
