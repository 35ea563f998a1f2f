import type { PostbackReceived, RetryPayout } from '../../src/contract/messages.js';
import type { PayoutInput } from '../../src/contract/payout.js';
import type { PayoutState } from '../../src/contract/state.js';
import { watchDays } from '../../src/domain/cadence.js';
import type { Conclusions } from '../../src/domain/conclusions.js';
import { payoutServiceId, type Attempt } from '../../src/domain/payout-attempts.js';
import { payoutConclusions } from '../../src/domain/payout-conclusions.js';
import { maskedPayee } from '../../src/domain/masked-payee.js';
import { isUnsent, payoutStages, type PayoutStage } from '../../src/domain/payout-stages.js';
import { resolveRefusal, retryRefusal } from '../../src/domain/payout-command-rules.js';
import { nextAttempt, notSent, refused } from '../../src/domain/payout-proofs.js';
import { nextScanAt } from '../../src/domain/payout-scans.js';
import {
  asksForValidation,
  failed,
  lastStage,
  latestOf,
  newPayout,
  pendingAccount,
  unknown,
  unusable,
  withAccount,
  type Payout,
  type PayoutChange,
} from '../../src/domain/payout.js';
import { newValidation, withPostback } from '../../src/domain/validation.js';
import { methodOf, payoutView } from '../../src/domain/views.js';
import type { Refused } from '../../src/domain/refused.js';
import type { Command } from '../shared/commands.js';
import { Payment, type PaymentSnapshot } from '../shared/payment.js';
import type { Operator } from '../../src/domain/timeline.js';
import type { Run } from '../shared/run.js';
import type { StartInput } from '../shared/start-input.js';
import { planRead } from './watch.js';

/** What a payout carries through a continue-as-new. */
export type PayoutSnapshot = PaymentSnapshot<Payout>;

/**
 * One payout: what is known of it, and what follows. How that changes: `src/domain/payout.ts`, and by what the service
 * shows `src/domain/payout-readings.ts`. Knows nothing of Temporal.
 */
export class PayoutPayment extends Payment<PayoutState, Payout> {
  readonly stages = payoutStages;
  readonly method: 'pix' | 'transfer';
  /** Until when it may be sent, by its input: milliseconds since the epoch. */
  readonly sendBefore: number;

  /** The input may come from anybody and be anything. */
  constructor(
    readonly input: PayoutInput,
    run: Run,
    snapshot?: PayoutSnapshot,
  ) {
    const begin = ({ partnerCode, scale }: StartInput) =>
      newPayout(
        partnerCode,
        run.startedAt,
        asksForValidation(input) ? newValidation(run.startedAt, scale) : null,
        maskedPayee(input),
      );
    super(run, 'payout', { named: input, options: input, watchDays: watchDays.payout, begin }, snapshot);
    this.method = methodOf(input);
    const sendBefore = Date.parse(input?.send_before ?? '');
    this.sendBefore = Number.isNaN(sendBefore) ? Infinity : sendBefore;
    if (run.resetBefore !== null) this.set({ owesScan: true });
    if (run.resetBefore !== null && isUnsent(this.stage)) {
      this.markUnknown('A run before this one was reset: the latest attempt may have been sent.', run.now());
    }
  }

  get attempts(): readonly Attempt[] {
    return this.data.attempts;
  }

  get latest(): Attempt {
    return latestOf(this.data);
  }

  override attemptNumber(): number {
    return this.latest.number;
  }

  get stage(): PayoutStage {
    return this.data.closed ? 'closed' : lastStage(this.data, this.record.data.unreadable !== null);
  }

  override get takes() {
    return payoutStages[this.stage];
  }

  /** Whether this run or one before it came about by a reset, as far as is known without a read. */
  get wasReset(): boolean {
    return this.run.afterReset || this.record.data.resetRunId !== null;
  }

  /** One read shows one attempt: there may be others until all of them were looked for. */
  protected override get isStale(): boolean {
    return super.isStale || (this.data.owesScan && this.wasReset);
  }

  override view(): PayoutState {
    return { ...this.commonState(), ...payoutView(this.data, this.input, this.commands) };
  }

  override conclude(what?: string, operator?: Operator): void {
    const { refusal, serviceId } = this.record.data;
    this.record.set({
      serviceId: payoutServiceId(this.attempts, serviceId),
      // Of an attempt that another has followed, or that was found after all, the words stand with the attempt.
      refusal: this.latest.phase === 'refused' ? refusal : null,
    });
    super.conclude(what, operator);
  }

  protected override conclusions(): Conclusions {
    const { data } = this;
    const stage = lastStage(data, this.record.data.unreadable !== null);
    const sent = stage === 'validate' ? data.account?.submission : data.submission;
    const { shared, unreadable } = this.record.data;
    return payoutConclusions(data, { shared, stage, unreadable, unsent: sent?.unsent ?? null });
  }

  protected override ruleAgainst(command: Command): Refused | undefined {
    const { attempts, latest, method } = this;
    if (command.name === 'resolveSubmission') return resolveRefusal({ latest }, command.message);
    if (command.name !== 'retryPayout') return undefined;
    return retryRefusal({ latest, attempts, method }, command.message);
  }

  /** A retry means the attempt that had failed when it came in, never a later one. */
  override bind(command: Command): Command {
    if (command.name !== 'retryPayout') return command;
    return { ...command, message: { ...command.message, boundTo: this.attemptNumber() } };
  }

  override onPostback({ body }: PostbackReceived): void {
    const account = pendingAccount(this.data);
    if (account !== null) this.set(withAccount(this.data, withPostback(account, body)));
  }

  override apply(change: PayoutChange, operator?: Operator): void {
    const before = new Map(this.attempts.map(({ number, status }) => [number, status]));
    super.apply(change, operator);
    const isShownAnew = ({ number, status }: Attempt) => status !== (before.get(number) ?? null);
    if (this.attempts.some(isShownAnew)) this.reads.changed();
    if (change.scan !== undefined) this.reads.dueAt(this.nextScanAt);
  }

  /** Begins a further attempt. The caller has proven, by a look that began at `provenAt`, that every previous one failed. */
  beginAttempt(command: RetryPayout, provenAt: number): void {
    const { bulk_retry_id: bulkRetryId, corrections } = command;
    const { scale } = this.start;
    const further = { corrections, input: this.input, bulkRetryId, now: this.now(), provenAt, scale };
    this.apply(nextAttempt(this.data, this.record.partnerCode, further), command);
  }

  /** Stops the latest attempt before anything of it was sent. */
  neverSent(reason: string, stopped: 'account_invalid' | 'corrections'): void {
    this.apply(failed(this.data, 'never_sent', reason, { stopped }));
    this.planRead();
  }

  /** The service refused the latest attempt, which is no proof that it did nothing. */
  refuse(reason: string): void {
    this.record.set({ refusal: reason });
    this.apply(refused(this.data, reason, this.now()));
    this.planRead();
  }

  /** The latest attempt, which waits to be sent, is not sent any more. */
  endUnsent(why: string, operator?: Operator): void {
    this.apply(notSent(this.data, why), operator);
    this.planRead();
  }

  /** The latest attempt may have been sent; scans look for it from then on. */
  markUnknown(reason: string, from: number): void {
    this.apply(unknown(this.data, reason, from));
  }

  rejectInput(problems: string): void {
    this.apply(unusable(this.data, problems));
  }

  /** When the next scan for a submission of unknown outcome is due; Infinity when all took place. */
  get nextScanAt(): number {
    return nextScanAt(this.data.scan, this.start.scale);
  }

  /** Sets the next read; while nothing is sent, or scans go on, there is none beside those. */
  planRead(): void {
    if (!isUnsent(this.stage) && this.stage !== 'verify') planRead(this);
  }
}
