import type { PostbackReceived } from '../../src/contract/messages.js';
import type { PayoutCorrections, PayoutInput } from '../../src/contract/payout.js';
import type { PayoutState } from '../../src/contract/state.js';
import { spans, watchDays } from '../../src/domain/cadence.js';
import type { Conclusions } from '../../src/domain/conclusions.js';
import { attemptView, payoutServiceId } from '../../src/domain/payout-attempts.js';
import { payoutConclusions, type PayoutEnd } from '../../src/domain/payout-conclusions.js';
import { payoutCadence } from '../../src/domain/payout-cadence.js';
import { isUnsent, payoutStage, payoutStages, type PayoutStage } from '../../src/domain/payout-stages.js';
import { resolveRefusal, retryRefusal } from '../../src/domain/payout-command-rules.js';
import { nextScanAt, type PayoutScans } from '../../src/domain/payout-scans.js';
import { listCoversUntil } from '../../src/domain/reconciling.js';
import type { Refused } from '../../src/domain/refused.js';
import { newSubmission, type SubmissionState, type Submitted } from '../../src/domain/submission.js';
import type { Command } from '../shared/commands.js';
import { Payment, type PaymentSnapshot } from '../shared/payment.js';
import type { Operator } from '../shared/payment-record.js';
import type { Run } from '../shared/run.js';
import { putOff, sendAgain, statusAnswered } from '../shared/submission.js';
import type { ValidationRequest, ValidationSnapshot } from '../shared/validation-request.js';
import { AccountGate } from './account-gate.js';
import { Attempts, type AttemptsSnapshot } from './attempts.js';
import { checkDigits } from './check-digits.js';
import { watchEndsAt } from './watch.js';

/** What a payout carries through a continue-as-new. */
export type PayoutSnapshot = PaymentSnapshot & {
  attempts: AttemptsSnapshot;
  account: ValidationSnapshot | null;
  payout: PayoutData;
};

type PayoutData = {
  submission: SubmissionState;
  corrections: PayoutCorrections | null;
  /** Those of the attempt before: the latest ones may turn out not to be usable. */
  previousCorrections: PayoutCorrections | null;
  scan: PayoutScans;
  /** When all previous attempts were last proven failed, and no scan that was needed held the latest one. */
  provenAt: number;
  /** When a complete scan last looked for every attempt; null before the first. */
  scannedAt: number | null;
  /** When that scan began: what came about since may not be in it. */
  scanBegunAt: number | null;
  /** From when on the payout is overdue; null once it was, or when nothing is under way. */
  overdueFrom: number | null;
  overdue: string | null;
  end: PayoutEnd | null;
  /** Why its input was not usable. */
  problems: string | null;
  /** After a reset, attempts may exist of which nothing is known here: a complete scan has to look for them. */
  owesScan: boolean;
};

/** The state of one payout and its transitions; all of it is serializable and knows nothing of Temporal. */
export class PayoutPayment extends Payment<PayoutState> {
  readonly stages = payoutStages;
  readonly method: 'pix' | 'transfer';
  readonly attempts: Attempts;
  readonly account: AccountGate;
  readonly data: PayoutData;
  /** Until when it may be sent, by its input: milliseconds since the epoch. */
  readonly sendBefore: number;
  closed = false;

  /** The input may come from anybody and be anything. */
  constructor(
    readonly input: PayoutInput,
    run: Run,
    snapshot?: PayoutSnapshot,
  ) {
    super(run, 'payout', { named: input, options: input, watchDays: watchDays.payout }, snapshot);
    this.method = input?.method === 'transfer' ? 'transfer' : 'pix';
    const sendBefore = Date.parse(input?.send_before ?? '');
    this.sendBefore = Number.isNaN(sendBefore) ? Infinity : sendBefore;
    const conclude = (what: string) => {
      this.conclude(what);
    };
    this.attempts = new Attempts(this.record, this.reads, conclude, run.startedAt, snapshot?.attempts);
    this.account = new AccountGate(input, run.startedAt, this.start.scale, snapshot?.account);
    this.data = snapshot?.payout ?? {
      submission: newSubmission(run.startedAt),
      corrections: null,
      previousCorrections: null,
      scan: { from: 0, done: 0 },
      provenAt: 0,
      scannedAt: null,
      scanBegunAt: null,
      overdueFrom: null,
      overdue: null,
      end: null,
      problems: null,
      owesScan: false,
    };
    this.data.owesScan ||= run.resetBefore !== null;
    if (run.resetBefore !== null && isUnsent(this.stage)) {
      this.markUnknown('A run before this one was reset: the latest attempt may have been sent.', run.now());
    }
  }

  override attemptNumber(): number {
    return this.attempts.latest.number;
  }

  get stage(): PayoutStage {
    return this.closed ? 'closed' : this.#lastStage;
  }

  /** Its stage, or the one that it was closed in. */
  get #lastStage(): PayoutStage {
    const { attempts, pendingValidation } = this;
    const { abandoned } = attempts.data;
    return payoutStage(attempts.all, { abandoned, awaitsAccount: pendingValidation !== null });
  }

  override get takes() {
    return payoutStages[this.stage];
  }

  /** Whether this run or one before it came about by a reset, as far as is known without a read. */
  get wasReset(): boolean {
    return this.run.afterReset || this.record.data.resetRunId !== null;
  }

  /** The validation that has to come before the first attempt. An operator who has it sent again has decided. */
  get pendingValidation(): ValidationRequest | null {
    const { account, attempts } = this;
    const isFirst = attempts.latest.number === 1 && attempts.latest.phase === 'to_send';
    return isFirst && !account.hasPassed ? account.validation : null;
  }

  override view(): PayoutState {
    return {
      ...this.commonState(),
      kind: 'payout',
      method: this.method,
      attempts: this.attempts.all.map(attemptView),
      send_before: this.input?.send_before ?? null,
    };
  }

  override conclude(what?: string, operator?: Operator): void {
    const { all, latest } = this.attempts;
    const { data } = this.record;
    data.serviceId = payoutServiceId(all, data.serviceId);
    // Of an attempt that another has followed, or that was found after all, the words stand with the attempt.
    if (latest.phase !== 'refused') data.refusal = null;
    super.conclude(what, operator);
  }

  protected override conclusions(): Conclusions {
    const { account, attempts, data } = this;
    const { end, overdue, problems, submission } = data;
    const stage = this.#lastStage;
    const sent = stage === 'validate' ? account.validation?.data.submission : submission;
    const facts = { stage, attempts: attempts.all, abandoned: attempts.data.abandoned };
    return payoutConclusions(
      { ...facts, end, problems, unsent: sent?.unsent ?? null, overdue },
      this.record.data,
    );
  }

  protected override ruleAgainst(command: Command): Refused | undefined {
    const { attempts, method } = this;
    const { all, latest } = attempts;
    if (command.name === 'resolveSubmission') return resolveRefusal({ latest }, command.message);
    if (command.name !== 'retryPayout') return undefined;
    return retryRefusal({ latest, attempts: all, method }, command.message, checkDigits);
  }

  /** A retry means the attempt that had failed when it came in, never a later one. */
  override bind(command: Command): Command {
    if (command.name !== 'retryPayout') return command;
    return { ...command, message: { ...command.message, boundTo: this.attemptNumber() } };
  }

  override onPostback(postback: PostbackReceived): void {
    this.pendingValidation?.onPostback(postback);
  }

  /** Begins a further attempt. The caller has proven that every previous one failed. */
  beginAttempt(corrections: PayoutCorrections = {}, operator: Operator, bulkRetryId?: string): void {
    const now = this.now();
    this.data.previousCorrections = this.data.corrections;
    this.data.corrections = { ...this.data.corrections, ...corrections };
    this.data.submission = newSubmission(now);
    Object.assign(this.data, { overdueFrom: null, overdue: null, provenAt: now });
    this.attempts.begin(Object.keys(corrections), now, operator, bulkRetryId);
  }

  /** From the first send on the deadline of the payout counts. */
  sending(): void {
    this.data.overdueFrom ??= this.now() + this.scaled(spans.payoutDoneMs);
  }

  applySubmitted(sent: Submitted): void {
    const { attempts, data, record } = this;
    switch (sent.kind) {
      case 'answered':
        if (sent.serviceId === null) {
          return this.markUnknown('The service took the payout and gave no usable identifier.', this.now());
        }
        attempts.accept(sent.serviceId, statusAnswered(this, sent));
        return this.planRead();
      case 'again':
        data.submission = sendAgain(this, sent);
        return this.conclude();
      case 'scan_first': {
        // For a worker whose clock is ahead the scan that was just made is none: it is not asked again at once.
        if (attempts.latest.decidedAt === 0) data.submission = putOff(this, data.submission, sent.reason);
        else record.note(`Not sent yet: ${sent.reason}`);
        data.provenAt = 0;
        attempts.latest.decidedAt = 0;
        return this.conclude();
      }
      case 'refused':
        record.data.refusal = sent.reason;
        return this.fail('refused', `The service refused the payout: ${sent.reason}`);
      case 'card_gone':
      case 'invalid':
        return this.#notUsable(sent.reason);
      case 'unknown':
        this.needsFreshRun ||= sent.runWasReset;
        return this.markUnknown(sent.reason, sent.verifyFrom);
    }
  }

  fail(phase: 'refused' | 'never_sent', reason: string, stopped?: 'account_invalid' | 'corrections'): void {
    this.attempts.fail(phase, reason, stopped);
    this.planRead();
  }

  /** The latest attempt may have been sent; scans look for it from then on. */
  markUnknown(reason: string, from: number): void {
    this.attempts.markUnknown(reason);
    this.data.scan = { from, done: 0 };
    this.reads.dueAt(this.nextScanAt);
  }

  rejectInput(problems: string): void {
    this.attempts.latest.error = problems;
    this.data.problems = problems;
    this.#end('rejected', 'The request was not usable; nothing was sent.');
  }

  cancel(): void {
    this.#end('cancelled', 'Cancelled before anything was sent. No money has moved.');
  }

  /** When the next scan for a submission of unknown outcome is due; Infinity when all took place. */
  get nextScanAt(): number {
    return nextScanAt(this.data.scan, this.start.scale);
  }

  /** Sets the next read; while nothing is sent, or scans go on, there is none beside those. */
  planRead(): void {
    if (isUnsent(this.stage) || this.stage === 'verify') return;
    const isReconciled = this.input?.reconciled === true;
    this.reads.plan(
      payoutCadence(this.stage, isReconciled),
      this.record.data.changedAt,
      this.record.data.unreadableSince,
    );
    const watchEnds = watchEndsAt(this);
    if (!isReconciled || this.stage !== 'watch' || !Number.isFinite(watchEnds)) return;
    // The daily list shows any change of a settled payout, as far as it reaches back: no read of its own before.
    const next = Math.min(watchEnds, listCoversUntil(this.attempts.all[0]?.decidedAt ?? 0));
    if (this.now() < next) this.reads.dueAt(next);
  }

  override snapshot(): PayoutSnapshot {
    return {
      ...super.snapshot(),
      attempts: this.attempts.data,
      account: this.account.validation?.data ?? null,
      payout: this.data,
    };
  }

  #end(end: PayoutEnd, what: string): void {
    this.attempts.latest.phase = 'never_sent';
    this.data.end = end;
    this.closed = true;
    this.conclude(what);
  }

  #notUsable(problems: string): void {
    if (this.attemptNumber() === 1) return this.rejectInput(problems);
    this.data.corrections = this.data.previousCorrections;
    this.fail('never_sent', `Not sent, the corrections are not usable: ${problems}`, 'corrections');
  }
}
