import type { PostbackReceived } from '../../src/contract/messages.js';
import type { PayoutCorrections, PayoutInput } from '../../src/contract/payout.js';
import type { PayoutState, ReadCause } from '../../src/contract/state.js';
import {
  dailyCadence,
  dayMs,
  followCadence,
  payoutWatchCadence,
  reconciledCadence,
  scanDelaysMs,
  spans,
  watchDays,
  type CadenceStep,
} from '../../src/domain/cadence.js';
import { isSettled, mayHideAtService } from '../../src/domain/payout-attempts.js';
import type { Command, Run } from '../shared/context.js';
import { PaymentRecord, type Operator, type RecordSnapshot } from '../shared/payment-record.js';
import { ReadSchedule, type ReadScheduleSnapshot } from '../shared/read-schedule.js';
import type { Refused } from '../shared/refused.js';
import { readStartInput, type StartInput } from '../shared/start-input.js';
import { newSubmission, noteNotSent, type SubmissionState, type Submitted } from '../shared/submission.js';
import { AccountGate } from './account-gate.js';
import type { ValidationSnapshot } from '../shared/validation-request.js';
import { Attempts, type AttemptsSnapshot } from './attempts.js';
import { commandRefusal } from './command-refusal.js';

/** What a payout carries through a continue-as-new. */
export type PayoutSnapshot = {
  record: RecordSnapshot;
  reads: ReadScheduleSnapshot;
  attempts: AttemptsSnapshot;
  account: ValidationSnapshot | null;
  facts: Facts;
};

type Facts = {
  submission: SubmissionState;
  corrections: PayoutCorrections | null;
  /** Those of the attempt before: the latest ones may turn out not to be usable. */
  previousCorrections: PayoutCorrections | null;
  /** Scans after a submission of unknown outcome: from when on, and how many took place. */
  scan: { from: number; done: number };
  /** When all previous attempts were last proven failed. */
  provenAt: number;
  /** When a complete scan last looked for every attempt; null before the first. */
  scannedAt: number | null;
  /** From when on the payout is overdue; null when that was raised, or nothing is under way. */
  overdueFrom: number | null;
  /** A run that came about by a reset sends nothing: the payout goes on in a fresh one. */
  needsFreshRun: boolean;
  closed: boolean;
};

/** The state of one payout and its transitions; all of it is serializable and knows nothing of Temporal. */
export class PayoutPayment {
  readonly record: PaymentRecord;
  readonly reads: ReadSchedule;
  readonly attempts: Attempts;
  readonly account: AccountGate;
  readonly start: StartInput;
  readonly #facts: Facts;

  constructor(
    readonly input: PayoutInput,
    readonly run: Run,
    snapshot?: PayoutSnapshot,
  ) {
    this.start = readStartInput(run, 'payout', input, input, watchDays.payout);
    const { notify, partnerCode, scale, valueCentavos } = this.start;
    this.record = new PaymentRecord({
      run,
      kind: 'payout',
      partnerCode,
      valueCentavos,
      firstStatus: 'submitting',
      notify,
      snapshot: snapshot?.record,
    });
    this.reads = new ReadSchedule(run, scale, snapshot?.reads);
    this.attempts = new Attempts(this.record, this.reads, run.startedAt, snapshot?.attempts);
    this.account = new AccountGate(input, run.startedAt, scale, snapshot?.account);
    this.#facts = snapshot?.facts ?? {
      submission: newSubmission(run.startedAt),
      corrections: null,
      previousCorrections: null,
      scan: { from: 0, done: 0 },
      provenAt: 0,
      scannedAt: null,
      overdueFrom: null,
      needsFreshRun: false,
      closed: false,
    };
    this.#facts.needsFreshRun = false;
    if (run.justReset && this.stage === 'submit') {
      this.doubt('A run before this one was reset: the latest attempt may have been sent.', run.now());
    }
  }

  get method(): 'pix' | 'transfer' {
    return this.input?.method === 'transfer' ? 'transfer' : 'pix';
  }

  get attemptNumber(): number {
    return this.attempts.latest.number;
  }

  get stage() {
    return this.attempts.stage;
  }

  get closed(): boolean {
    return this.#facts.closed;
  }

  get submission(): SubmissionState {
    return this.#facts.submission;
  }

  get corrections(): PayoutCorrections | null {
    return this.#facts.corrections;
  }

  get provenAt(): number {
    return this.#facts.provenAt;
  }

  get scannedAt(): number | null {
    return this.#facts.scannedAt;
  }

  get needsFreshRun(): boolean {
    return this.#facts.needsFreshRun;
  }

  /** Before the first attempt alone: an operator who has a payout sent again has decided. */
  get awaitsAccount(): boolean {
    return this.stage === 'submit' && this.attemptNumber === 1 && !this.account.hasPassed;
  }

  /** Until when it may be sent, by its input: milliseconds since the epoch. */
  get sendBefore(): number {
    const at = Date.parse(this.input?.send_before ?? '');
    return Number.isNaN(at) ? Infinity : at;
  }

  view(): PayoutState {
    return {
      ...this.record.state(),
      kind: 'payout',
      method: this.method,
      attempts: this.attempts.view(),
      send_before: this.input?.send_before ?? null,
    };
  }

  refusalOf(command: Command): Refused | undefined {
    return commandRefusal(this, command);
  }

  /** A retry means the attempt that had failed when it came in, never a later one. */
  bind(command: Command): Command {
    if (command.name !== 'retryPayout') return command;
    return { ...command, message: { ...command.message, boundTo: this.attemptNumber } };
  }

  onPostback(postback: PostbackReceived): void {
    if (this.awaitsAccount) this.account.onPostback(postback);
  }

  /** Begins a further attempt. The caller has proven that every previous one failed. */
  beginAttempt(corrections: PayoutCorrections = {}, operator: Operator): void {
    const now = this.run.now();
    this.attempts.begin(Object.keys(corrections), now, operator);
    this.#facts.previousCorrections = this.#facts.corrections;
    this.#facts.corrections = { ...this.#facts.corrections, ...corrections };
    this.#facts.submission = newSubmission(now);
    this.#facts.overdueFrom = null;
    this.proven(now);
  }

  /** Every previous attempt was read as failed, and no scan that was needed held the latest one. */
  proven(now: number): void {
    this.#facts.provenAt = now;
  }

  sendLater(at: number, why: string): void {
    this.#facts.submission = { ...this.#facts.submission, at };
    this.record.note(why);
  }

  /** From the first send on the deadline of the payout counts. */
  sending(): void {
    this.#facts.overdueFrom ??= this.run.now() + spans.payoutDoneMs * this.start.scale;
  }

  applySubmitted(sent: Submitted): void {
    const { attempts, record } = this;
    switch (sent.kind) {
      case 'answered':
        if (sent.serviceId === null) {
          return this.doubt('The service took the payout and gave no usable identifier.', this.run.now());
        }
        attempts.accept(sent.serviceId, sent.status);
        if (sent.status === null) this.reads.dueNow('cadence');
        return this.planRead();
      case 'again':
        noteNotSent(record, sent, this.run.now(), this.start.scale);
        this.#facts.submission = sent.state;
        return;
      case 'scan_first':
        this.#facts.provenAt = 0;
        this.attempts.latest.decidedAt = 0;
        record.note(`Not sent yet: ${sent.reason}`);
        return;
      case 'refused':
        record.refusedBecause(sent.reason);
        return this.fail('refused', `The service refused the payout: ${sent.reason}`);
      case 'card_gone':
      case 'invalid':
        return this.#notUsable(sent.reason);
      case 'unknown':
        this.#facts.needsFreshRun ||= sent.runWasReset;
        return this.doubt(sent.reason, sent.verifyFrom);
    }
  }

  fail(phase: 'refused' | 'never_sent', reason: string, stopped?: 'account_invalid' | 'corrections'): void {
    this.attempts.fail(phase, reason, stopped);
    this.planRead();
  }

  /** The latest attempt may have been sent; scans look for it from then on. */
  doubt(reason: string, from: number): void {
    this.attempts.doubt(reason);
    this.#facts.scan = { from, done: 0 };
    this.reads.dueAt(this.nextScanAt);
  }

  rejectInput(problems: string): void {
    this.attempts.latest.phase = 'never_sent';
    this.attempts.latest.error = problems;
    this.record.moveTo('rejected', 'The request was not usable; nothing was sent.');
    this.record.raise('invalid_input', problems);
    this.close();
  }

  cancel(): void {
    this.attempts.latest.phase = 'never_sent';
    this.record.lower('not_sent');
    this.record.moveTo('cancelled', 'Cancelled before anything was sent. No money has moved.');
    this.close();
  }

  /** This run came about by a reset, so it sends nothing: the payout goes on in a fresh one. */
  continueInFreshRun(): void {
    this.#facts.needsFreshRun = true;
  }

  close(): void {
    this.#facts.closed = true;
  }

  /** When the next scan for a submission of unknown outcome is due; Infinity when all took place. */
  get nextScanAt(): number {
    const { from, done } = this.#facts.scan;
    const delayMs = scanDelaysMs[done];
    return delayMs === undefined ? Infinity : from + delayMs * this.start.scale;
  }

  /** Whether all scans should have taken place by now, whether or not they could. */
  get scansAreOver(): boolean {
    return this.run.now() >= this.#facts.scan.from + (scanDelaysMs.at(-1) ?? 0) * this.start.scale;
  }

  /** A complete scan has looked for every attempt. */
  scanCompleted(now: number): void {
    this.#facts.scannedAt = now;
  }

  /** Attempts that are believed void are looked for by their codes on every hint, and daily. */
  scanIsDue(cause: ReadCause): boolean {
    if (!this.attempts.all.some(mayHideAtService)) return false;
    const isHint = cause === 'postback' || cause === 'hint';
    return (
      isHint ||
      this.stage === 'resolve' ||
      this.run.now() >= (this.#facts.scannedAt ?? 0) + dayMs * this.start.scale * 0.9
    );
  }

  /** A complete scan took place. One that a hint brought before its time does not count. */
  scanned(): void {
    if (this.run.now() >= this.nextScanAt) this.#facts.scan.done += 1;
  }

  /** The end of the watch; never while an operator is needed. */
  get watchEndsAt(): number {
    const { scale, watchDays: days } = this.start;
    if (this.record.attention !== null) return Infinity;
    return this.record.changedAt + days * dayMs * scale;
  }

  /** Without a watch, whoever waits for the result gets a refusal as soon as a read was made. */
  get endsRefused(): boolean {
    return this.start.watchDays === 0 && this.record.status === 'rejected' && isSettled(this.attempts.all);
  }

  planRead(): void {
    this.reads.plan(this.#cadence(), this.record.changedAt);
    if (this.#leansOnReconciliation) this.reads.dueAt(Math.max(this.run.now(), this.watchEndsAt));
  }

  raiseWhenOverdue(): void {
    if (this.stage !== 'follow' || this.run.now() < (this.#facts.overdueFrom ?? Infinity)) return;
    this.#facts.overdueFrom = null;
    this.record.raise('overdue', `The payout is still ${this.record.status} after its deadline.`);
  }

  snapshot(): PayoutSnapshot {
    return {
      record: this.record.snapshot(),
      reads: this.reads.snapshot(),
      attempts: this.attempts.snapshot(),
      account: this.account.snapshot(),
      facts: this.#facts,
    };
  }

  /** The daily list shows any change of a settled payout: only the read at the end of the watch is left. */
  get #leansOnReconciliation(): boolean {
    return this.stage === 'watch' && this.input?.reconciled === true && Number.isFinite(this.watchEndsAt);
  }

  #cadence(): readonly CadenceStep[] {
    switch (this.stage) {
      case 'resolve':
      case 'decide':
        return dailyCadence;
      case 'watch':
        return payoutWatchCadence;
      default:
        return this.input?.reconciled === true ? reconciledCadence : followCadence;
    }
  }

  #notUsable(problems: string): void {
    if (this.attemptNumber === 1) return this.rejectInput(problems);
    this.#facts.corrections = this.#facts.previousCorrections;
    this.fail('never_sent', `Not sent, the corrections are not usable: ${problems}`, 'corrections');
  }
}
