import type { PostbackReceived } from '../../src/contract/messages.js';
import type { PayoutCorrections, PayoutInput } from '../../src/contract/payout.js';
import type { PayoutState } from '../../src/contract/state.js';
import { watchDays } from '../../src/domain/cadence.js';
import type { Conclusions } from '../../src/domain/conclusions.js';
import { attemptView, payoutServiceId, type Attempt } from '../../src/domain/payout-attempts.js';
import { payoutConclusions } from '../../src/domain/payout-conclusions.js';
import { isUnsent, payoutStage, payoutStages, type PayoutStage } from '../../src/domain/payout-stages.js';
import { resolveRefusal, retryRefusal, retryRequires } from '../../src/domain/payout-command-rules.js';
import { nextScanAt } from '../../src/domain/payout-scans.js';
import {
  failed,
  latestOf,
  newPayout,
  nextAttempt,
  unknown,
  unusable,
  type Payout,
  type PayoutChange,
} from '../../src/domain/payout.js';
import type { Refused } from '../../src/domain/refused.js';
import type { Command } from '../shared/commands.js';
import { Payment, type PaymentSnapshot } from '../shared/payment.js';
import type { Operator } from '../shared/payment-record.js';
import type { Run } from '../shared/run.js';
import type { ValidationRequest, ValidationSnapshot } from '../shared/validation-request.js';
import { AccountGate } from './account-gate.js';
import { checkDigits } from './check-digits.js';
import { planRead } from './watch.js';

/** What a payout carries through a continue-as-new. */
export type PayoutSnapshot = PaymentSnapshot & {
  payout: Payout;
  account: ValidationSnapshot | null;
  corrections: Corrections;
};

type Corrections = {
  latest: PayoutCorrections | null;
  /** Those of the attempt before: the latest ones may turn out not to be usable. */
  previous: PayoutCorrections | null;
};

/**
 * One payout: what is known of it, and what follows. How that changes: `src/domain/payout.ts`, and by what the service
 * shows `src/domain/payout-readings.ts`. Knows nothing of Temporal.
 */
export class PayoutPayment extends Payment<PayoutState> {
  readonly stages = payoutStages;
  readonly method: 'pix' | 'transfer';
  readonly account: AccountGate;
  data: Payout;
  corrections: Corrections;
  /** Until when it may be sent, by its input: milliseconds since the epoch. */
  readonly sendBefore: number;

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
    this.account = new AccountGate(input, run.startedAt, this.start.scale, snapshot?.account);
    this.corrections = snapshot?.corrections ?? { latest: null, previous: null };
    this.data = snapshot?.payout ?? newPayout(this.record.partnerCode, run.startedAt);
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
    return this.data.closed ? 'closed' : this.#lastStage;
  }

  /** Its stage, or the one that it was closed in. */
  get #lastStage(): PayoutStage {
    const { abandoned, attempts } = this.data;
    return payoutStage(attempts, { abandoned, awaitsAccount: this.pendingValidation !== null });
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
    return super.isStale || this.data.owesScan;
  }

  /** The validation that has to come before the first attempt. An operator who has it sent again has decided. */
  get pendingValidation(): ValidationRequest | null {
    const { account, latest } = this;
    const isFirst = latest.number === 1 && latest.phase === 'to_send';
    return isFirst && !account.hasPassed ? account.validation : null;
  }

  override view(): PayoutState {
    return {
      ...this.commonState(),
      kind: 'payout',
      method: this.method,
      attempts: this.attempts.map(attemptView),
      send_before: this.input?.send_before ?? null,
      retry_requires: this.commands.includes('retryPayout') ? retryRequires(this) : null,
    };
  }

  override conclude(what?: string, operator?: Operator): void {
    const { data } = this.record;
    data.serviceId = payoutServiceId(this.attempts, data.serviceId);
    // Of an attempt that another has followed, or that was found after all, the words stand with the attempt.
    if (this.latest.phase !== 'refused') data.refusal = null;
    super.conclude(what, operator);
  }

  protected override conclusions(): Conclusions {
    const { account, data } = this;
    const stage = this.#lastStage;
    const sent = stage === 'validate' ? account.validation?.data.submission : data.submission;
    const { unreadable } = this.record.data;
    return payoutConclusions(data, { stage, unreadable, unsent: sent?.unsent ?? null });
  }

  protected override ruleAgainst(command: Command): Refused | undefined {
    const { attempts, latest, method } = this;
    if (command.name === 'resolveSubmission') return resolveRefusal({ latest }, command.message);
    if (command.name !== 'retryPayout') return undefined;
    return retryRefusal({ latest, attempts, method }, command.message, checkDigits);
  }

  /** A retry means the attempt that had failed when it came in, never a later one. */
  override bind(command: Command): Command {
    if (command.name !== 'retryPayout') return command;
    return { ...command, message: { ...command.message, boundTo: this.attemptNumber() } };
  }

  override onPostback(postback: PostbackReceived): void {
    this.pendingValidation?.onPostback(postback);
  }

  /** Notes what nothing follows from by itself. */
  set(changes: Partial<Payout>): void {
    this.data = { ...this.data, ...changes };
  }

  /** Notes what has changed, and shows what follows. */
  apply({ news = [], what, ...changes }: PayoutChange, operator?: Operator): void {
    const before = new Map(this.attempts.map(({ number, status }) => [number, status]));
    this.set(changes);
    const isShownAnew = ({ number, status }: Attempt) => status !== (before.get(number) ?? null);
    if (this.attempts.some(isShownAnew)) this.reads.changed();
    if (changes.scan !== undefined) this.reads.dueAt(this.nextScanAt);
    for (const line of news) this.record.note(line, operator);
    this.conclude(what);
  }

  /** Begins a further attempt. The caller has proven that every previous one failed. */
  beginAttempt(corrections: PayoutCorrections = {}, operator: Operator, bulkRetryId?: string): void {
    const { latest: previous } = this.corrections;
    this.corrections = { previous, latest: { ...previous, ...corrections } };
    const further = { corrected: Object.keys(corrections), bulkRetryId, now: this.now() };
    this.apply(nextAttempt(this.data, this.record.partnerCode, further), operator);
  }

  fail(phase: 'refused' | 'never_sent', reason: string, stopped?: 'account_invalid' | 'corrections'): void {
    this.apply(failed(this.data, phase, reason, stopped));
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

  override snapshot(): PayoutSnapshot {
    return {
      ...super.snapshot(),
      payout: this.data,
      account: this.account.validation?.data ?? null,
      corrections: this.corrections,
    };
  }
}
