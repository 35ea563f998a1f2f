import type { OrderReading } from '../../src/contract/outcomes.js';
import type { RefundInput } from '../../src/contract/refund.js';
import type { RefundState } from '../../src/contract/state.js';
import { dailyCadence, followCadence, spans } from '../../src/domain/cadence.js';
import { refundStage, type RefundPhase, type RefundStage } from '../../src/domain/refund-stages.js';
import { asRecord } from '../../src/domain/records.js';
import { isRecognised, isRefundFailure, isRefundUnderWay } from '../../src/domain/statuses.js';
import type { Command, Run } from '../shared/context.js';
import { orderMisfit } from '../shared/order-misfit.js';
import { PaymentRecord, type Operator, type RecordSnapshot } from '../shared/payment-record.js';
import { ReadSchedule, type ReadScheduleSnapshot } from '../shared/read-schedule.js';
import { Refused } from '../shared/refused.js';
import { readStartInput, type StartInput } from '../shared/start-input.js';
import { newSubmission, noteNotSent, type SubmissionState, type Submitted } from '../shared/submission.js';

/** What a refund carries through a continue-as-new. */
export type RefundSnapshot = { record: RecordSnapshot; reads: ReadScheduleSnapshot; facts: Facts };

type Facts = {
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
  /** What in the last read did not fit the order asked for; null when all did. */
  misfit: string | null;
  requests: number;
  needsFreshRun: boolean;
};

const readRetryMs = 60_000;

/** The state of one refund and its transitions: what was sent, and what reads of its order show. */
export class RefundPayment {
  readonly start: StartInput;
  readonly record: PaymentRecord;
  readonly reads: ReadSchedule;
  readonly #facts: Facts;

  constructor(
    readonly input: RefundInput,
    private readonly run: Run,
    snapshot?: RefundSnapshot,
  ) {
    this.start = readStartInput(run, 'refund', input, input, 0);
    const { notify, partnerCode, scale, valueCentavos } = this.start;
    this.record = new PaymentRecord({
      run,
      kind: 'refund',
      partnerCode,
      valueCentavos,
      firstStatus: 'requesting',
      notify,
      snapshot: snapshot?.record,
    });
    this.reads = new ReadSchedule(run, scale, snapshot?.reads);
    this.#facts = snapshot?.facts ?? {
      phase: 'checking',
      submission: newSubmission(run.startedAt),
      readAgainAt: 0,
      shown: null,
      askedAt: null,
      outcome: null,
      previousFailure: null,
      misfit: null,
      requests: 0,
      needsFreshRun: false,
    };
    this.#facts.needsFreshRun = false;
    if (run.justReset && this.stage === 'request') {
      this.doubt('A run before this one was reset: the refund may have been requested.', false);
    }
  }

  get stage(): RefundStage {
    return refundStage(this.#facts.phase, this.record.status === 'unconfirmed');
  }

  get isChecked(): boolean {
    return this.#facts.phase !== 'checking';
  }

  /** An attention that says more than that the input was not usable keeps it open. */
  get closed(): boolean {
    const isSeenTo = this.record.attention === null || this.record.isRaised('invalid_input');
    return this.#facts.phase === 'over' && isSeenTo;
  }

  get submission(): SubmissionState {
    return this.#facts.submission;
  }

  get readAgainAt(): number {
    return this.#facts.readAgainAt;
  }

  get requests(): number {
    return this.#facts.requests;
  }

  get needsFreshRun(): boolean {
    return this.#facts.needsFreshRun;
  }

  /** Whether the order, as it was read last, shows a refund on its way. */
  get isUnderWay(): boolean {
    const { shown } = this.#facts;
    return shown !== null && isRefundUnderWay(shown) && !isRefundFailure(shown);
  }

  get confirmationEndsAt(): number {
    const { askedAt } = this.#facts;
    return askedAt === null ? Infinity : askedAt + spans.refundConfirmationMs * this.start.scale;
  }

  view(): RefundState {
    const state = this.record.state();
    const { outcome, requests } = this.#facts;
    return { ...state, kind: 'refund', value: state.value === 0 ? null : state.value, outcome, requests };
  }

  refusalOf(command: Command): Refused | undefined {
    if (command.name !== 'retryRefund' && command.name !== 'resolveRefund') {
      return new Refused('InvalidMessage', `A refund takes no ${command.name}.`);
    }
    if (this.stage !== 'decide') {
      const what = `This refund is ${this.record.status}: there is nothing to retry or resolve.`;
      return new Refused('NotParked', what);
    }
    const mayBeQueued = this.#facts.phase === 'unknown' || this.#facts.phase === 'asked';
    if (command.name === 'resolveRefund' || !mayBeQueued || command.message.nothing_queued === true) {
      return undefined;
    }
    return new Refused(
      'DecisionNeeded',
      'The previous request may have been queued, and a further one would then refund twice. Look at the service; ' +
        'when it is certain that it holds none, send nothing_queued: true.',
    );
  }

  /** Why the order, as it was read last, must not be refunded; null when nothing speaks against it. */
  objection(): string | null {
    const { misfit, shown } = this.#facts;
    if (misfit !== null) return `That is not the order to refund. ${misfit}`;
    return shown === 'chargeback'
      ? 'The order reads as chargeback: the money has gone back already, and a refund would give it twice.'
      : null;
  }

  beginChecked(): void {
    const { by, reason, service_id: serviceId } = this.input;
    this.#facts.phase = 'to_send';
    this.record.identify(serviceId);
    this.record.note('The refund was requested.', { by, reason });
    this.reads.dueNow('command');
  }

  /** A request is due; whoever calls has proven that none is queued, or an operator has said so. */
  requestAgain(operator: Operator): void {
    const { shown } = this.#facts;
    const now = this.run.now();
    this.#facts.phase = 'to_send';
    this.#facts.submission = newSubmission(now);
    this.#facts.askedAt = null;
    this.#facts.previousFailure = shown !== null && isRefundFailure(shown) ? shown : null;
    this.record.lower('refund_failed', 'refund_unconfirmed');
    this.record.moveTo('requesting', 'The refund is requested again.', operator);
  }

  /** The order could not be read, so nothing is sent; after an hour of it an operator is asked. */
  readAgain(): void {
    const now = this.run.now();
    const { scale } = this.start;
    if (now >= this.#facts.submission.since + spans.refundFirstReadMs * scale) {
      return this.fail(
        'refused',
        'The order could not be read, so the refund was not requested. Nothing was sent.',
      );
    }
    this.#facts.readAgainAt = now + readRetryMs * scale;
  }

  applySubmitted(sent: Submitted): void {
    const { record, run, start } = this;
    switch (sent.kind) {
      case 'again': {
        noteNotSent(record, sent, run.now(), start.scale);
        this.#facts.submission = sent.state;
        const isOver = run.now() >= sent.state.since + spans.refundFirstReadMs * start.scale;
        if (isOver) this.fail('refused', 'The refund could not be requested in time. Nothing was sent.');
        return;
      }
      case 'answered':
        this.#facts.requests += 1;
        return this.#asked(sent.serviceId, sent.status);
      case 'refused':
        this.#facts.requests += 1;
        record.refusedBecause(sent.reason);
        return this.fail('refused', `The service refused the refund: ${sent.reason}`);
      case 'invalid':
        return this.rejectInput(sent.reason);
      case 'scan_first':
      case 'card_gone':
        return this.fail('refused', sent.reason);
      case 'unknown':
        this.#facts.requests += 1;
        return this.doubt(sent.reason, sent.runWasReset);
    }
  }

  /** Applies what a read of the order shows; false when it does not fit or names no status. */
  applyReading(shown: OrderReading): boolean {
    const misfit = orderMisfit(asText(asRecord(this.input).service_id), this.record, shown);
    if (misfit !== null && misfit !== this.#facts.misfit) this.record.raise('inconsistent_answer', misfit);
    this.#facts.misfit = misfit;
    if (misfit !== null || shown.status === null) return false;
    this.#show(shown.status);
    return true;
  }

  afterRead(): void {
    if (this.#facts.phase === 'asked' && this.run.now() >= this.confirmationEndsAt) {
      this.#unconfirmed('The service took the request, and no read has shown the order as refunded in time.');
    }
    this.#planRead();
  }

  doubt(reason: string, runWasReset: boolean): void {
    this.#facts.phase = 'unknown';
    this.#facts.needsFreshRun ||= runWasReset;
    this.#unconfirmed(`Whether the service took the request is not known: ${reason}`);
    this.#planRead();
  }

  fail(phase: 'refused' | 'failed', reason: string): void {
    this.#facts.phase = phase;
    this.#facts.askedAt = null;
    this.record.lower('refund_unconfirmed', 'not_sent');
    this.record.moveTo('rejected', reason);
    this.record.raise('refund_failed', reason);
    this.#planRead();
  }

  /** A run that came about by a reset requests nothing; the refund goes on in a fresh one. */
  continueInFreshRun(operator: Operator): void {
    this.#facts.needsFreshRun = true;
    this.record.note('A retry came to a run that was reset; nothing was sent.', operator);
  }

  resolveAs(outcome: 'refunded' | 'not_refunded', operator: Operator): void {
    this.#facts.outcome = outcome;
    this.record.lower('refund_failed', 'refund_unconfirmed', 'unreadable');
    const what =
      outcome === 'refunded'
        ? 'Resolved: the customer has the money back.'
        : 'Resolved: the customer has not got the money back, and will not by this refund.';
    this.end('resolved', what, operator);
  }

  rejectInput(problems: string): void {
    this.record.raise('invalid_input', problems);
    this.end('rejected', 'The request was not usable; nothing was sent.');
  }

  end(status: 'refunded' | 'rejected' | 'resolved' | 'cancelled', what: string, operator?: Operator): void {
    this.#facts.phase = 'over';
    this.record.lower('not_sent');
    this.record.moveTo(status, what, operator);
  }

  snapshot(): RefundSnapshot {
    return { record: this.record.snapshot(), reads: this.reads.snapshot(), facts: this.#facts };
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
    this.#planRead();
  }

  /** Applies what a read of the order shows of its refund. Anything else is neither proof nor disproof. */
  #show(status: string): void {
    const { phase, shown: previous } = this.#facts;
    this.#facts.shown = status;
    if (status !== previous) this.reads.changed();
    if (status !== this.#facts.previousFailure) this.#facts.previousFailure = null;
    if (isRecognised('refund', status)) this.record.lower('unrecognised_status');
    else if (status !== previous) {
      this.record.raise('unrecognised_status', `The service calls the order "${status}".`);
    }
    if (status === 'refunded') {
      this.record.lower('refund_failed', 'refund_unconfirmed', 'chargeback');
      this.end('refunded', 'The service shows the order as refunded.');
    } else if (isRefundFailure(status)) {
      const isNew = phase !== 'failed' && this.#facts.previousFailure === null;
      if (isNew) this.fail('failed', `The service shows the refund as failed: ${status}.`);
    } else if (isRefundUnderWay(status)) {
      if (phase !== 'asked' || status !== previous) {
        this.#takenByService(`The service shows a refund under way: ${status}.`);
      }
    } else if (status === 'chargeback' && previous !== status && phase !== 'to_send') {
      const what = 'The order was charged back while its refund is open: the money may go back twice.';
      this.record.raise('chargeback', what);
    }
  }

  #takenByService(what: string): void {
    this.#facts.phase = 'asked';
    this.#facts.askedAt = this.run.now();
    this.record.lower('refund_failed', 'refund_unconfirmed', 'not_sent');
    this.record.moveTo('refund_processing', what);
  }

  #unconfirmed(reason: string): void {
    this.#facts.askedAt = null;
    this.record.lower('not_sent');
    this.record.moveTo('unconfirmed', reason);
    this.record.raise('refund_unconfirmed', reason);
  }

  #planRead(): void {
    const { phase } = this.#facts;
    if (phase === 'over') return;
    const isFailed = phase === 'refused' || phase === 'failed';
    this.reads.plan(isFailed ? dailyCadence : followCadence, this.record.changedAt);
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
