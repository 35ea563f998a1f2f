import { ActivityFailure, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { PostbackReceived } from '../src/contract/messages.js';
import type { PayoutInput } from '../src/contract/payout.js';
import type { PayoutState } from '../src/contract/state.js';
import { watchDays } from '../src/domain/cadence.js';
import type { payout } from './payout.js';
import { AccountFirst } from './payout-account-first.js';
import { PayoutAttempts, type AttemptsCarry } from './payout-attempts.js';
import { PayoutLooks } from './payout-looks.js';
import { obeyPayoutCommand, type PayoutCommand } from './payout-commands.js';
import type { AccountCheckCarry } from './shared/account-check.js';
import { PayoutPace, type PayoutPaceCarry } from './payout-pace.js';
import { PayoutSending, type PayoutSendingCarry } from './payout-sending.js';
import type { Story } from './shared/lifecycle.js';
import { readOpening, type Opening } from './shared/opening.js';
import { PaymentRecord, type RecordCarry } from './shared/payment-record.js';
import { sentBeforeReset } from './shared/reset.js';
import { StatusFollower, type FollowerCarry } from './shared/status-follower.js';

/** What a payout hands over at a continue-as-new. */
export type PayoutCarry = PayoutSendingCarry & {
  account: AccountCheckCarry | null;
  record: RecordCarry;
  follower: FollowerCarry;
  attempts: AttemptsCarry;
  pace: PayoutPaceCarry;
  /** When the payout began: `startTime` is that of a run. */
  begunAt?: number;
};

/** One payout, step by step: it is sent once, looked for when in doubt, and read until its watch ends. */
export class PayoutStory implements Story<PayoutCommand, PayoutState> {
  readonly record: PaymentRecord;
  readonly follower: StatusFollower;
  readonly attempts: PayoutAttempts;
  readonly looks: PayoutLooks;
  readonly pace: PayoutPace;
  readonly sending: PayoutSending;
  readonly #account: AccountFirst;
  readonly #opening: Opening;
  readonly #begunAt: number;
  #ended = false;

  constructor(
    private readonly input: PayoutInput,
    carried?: PayoutCarry,
  ) {
    this.#opening = readOpening('payout', input, input, watchDays.payout);
    const { partnerCode, valueCentavos, scale, notify } = this.#opening;
    this.record = new PaymentRecord(
      'payout',
      partnerCode,
      valueCentavos,
      'submitting',
      carried?.record,
      notify,
    );
    this.follower = new StatusFollower(scale, carried?.follower);
    this.attempts = new PayoutAttempts(this.record, this.follower, carried?.attempts);
    this.#begunAt = carried?.begunAt ?? workflowInfo().startTime.getTime();
    this.looks = new PayoutLooks(this.record, this.attempts, this.#begunAt);
    const opening = { ...this.#opening, reconciled: input?.reconciled === true };
    this.pace = new PayoutPace(this.record, this.follower, this.attempts, opening, carried?.pace);
    this.#account = new AccountFirst(this.record, scale, input, carried?.account);
    this.sending = new PayoutSending(this, input, scale, carried);
  }

  get method(): 'pix' | 'transfer' {
    return this.input?.method === 'transfer' ? 'transfer' : 'pix';
  }

  view(): PayoutState {
    return { ...this.record.state(), kind: 'payout', method: this.method, attempts: this.attempts.view() };
  }

  ended(): boolean {
    return this.#ended || Date.now() >= this.pace.watchEndsAt;
  }

  dueAt(): number {
    if (this.#awaitsAccount()) return this.#account.dueAt;
    if (this.attempts.latest.phase === 'to_send') return this.sending.at;
    return Math.min(this.follower.nextReadAt, this.pace.watchEndsAt);
  }

  awaiting(): string {
    const { phase } = this.attempts.latest;
    if (this.#awaitsAccount()) return 'the validation of the account';
    if (phase === 'to_send') return 'the time to send it again';
    if (this.attempts.parked) return 'a retry or an abandonment; next daily look at the service';
    if (phase === 'verifying') return 'the next scan for what became of the submission';
    if (phase === 'unknown') return 'the word of a person on the submission';
    return Number.isFinite(this.pace.watchEndsAt) ? 'the end of the watch' : 'the next status of the service';
  }

  async step(): Promise<void> {
    if (this.#opening.problem !== undefined) this.#rejectInput(this.#opening.problem);
    else if (this.#awaitsAccount()) await this.#askForAccount();
    else if (this.attempts.latest.phase === 'to_send') await this.#send();
    else await this.#look();
  }

  onPostback(postback: PostbackReceived): void {
    if (this.#awaitsAccount()) this.#account.hear(postback);
  }

  obey(command: PayoutCommand): Promise<void> {
    return obeyPayoutCommand(this, command);
  }

  /** Before anything of it was sent, a cancelled payout is simply not made. */
  cancel(): boolean {
    if (this.attempts.all.length > 1 || this.attempts.latest.phase !== 'to_send') return false;
    this.attempts.latest.phase = 'never_sent';
    this.record.moveTo('cancelled', 'Cancelled before anything was sent. No money has moved.');
    this.#ended = true;
    return true;
  }

  untried(): boolean {
    if (this.#awaitsAccount()) return this.#account.untried;
    return this.attempts.latest.phase === 'to_send' && this.sending.untried;
  }

  /** A run that came about by a reset never sends; once a person has decided, the payout goes on in a fresh one. */
  wantsFreshRun(): boolean {
    return this.sending.impossibleHere && this.attempts.latest.phase === 'not_paid';
  }

  continueAsNew(): Promise<never> {
    return continueAsNew<typeof payout>(this.input, {
      ...this.sending.carry(),
      begunAt: this.#begunAt,
      record: this.record.carry(),
      follower: this.follower.carry(),
      attempts: this.attempts.carry(),
      pace: this.pace.carry(),
      account: this.#account.carry(),
    });
  }

  /** Before the first attempt alone: a person who has a payout sent again has decided. */
  #awaitsAccount(): boolean {
    return (
      this.attempts.all.length === 1 &&
      this.attempts.latest.phase === 'to_send' &&
      this.#account.verdict.kind !== 'pass'
    );
  }

  async #askForAccount(): Promise<void> {
    if (this.#account.verdict.kind === 'asking') await this.#account.step();
    const { verdict } = this.#account;
    if (verdict.kind === 'pass') this.record.note('The account was validated; the answer is not verified.');
    if (verdict.kind !== 'stop') return;
    const before = await sentBeforeReset();
    if (before !== undefined) return this.sending.doubt(before);
    this.attempts.fail('never_sent', `Not sent. ${verdict.reason}`);
    this.pace.plan();
  }

  async #send(): Promise<void> {
    const unusable = await this.sending.send();
    if (unusable !== undefined) this.#rejectInput(unusable);
  }

  #rejectInput(problems: string): void {
    this.attempts.latest.phase = 'never_sent';
    this.attempts.latest.error = problems;
    this.record.moveTo('rejected', 'The request was not usable; nothing was sent.');
    this.record.raise('invalid_input', problems);
    this.#ended = true;
  }

  async #look(): Promise<void> {
    const { cause } = this.follower;
    this.follower.beginLook();
    try {
      if (['verifying', 'unknown'].includes(this.attempts.latest.phase)) await this.#scanLatest();
      await this.looks.readAll();
      this.record.wasRead(cause, this.attempts.latest.status);
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      this.record.wasRead(cause, null);
      if (this.attempts.latest.phase === 'verifying' && this.pace.scanPlanIsOver) {
        this.attempts.callForTheUnknown("The service's list could not be read whole.");
      }
    }
    this.pace.callWhenOverdue();
    this.pace.plan();
  }

  async #scanLatest(): Promise<void> {
    const { scanIsDue } = this.pace;
    await this.looks.scanFor([this.attempts.latest]);
    if (scanIsDue) this.pace.scanned();
    const { latest } = this.attempts;
    if (!this.pace.scansAreOver || latest.phase !== 'verifying') return;
    this.attempts.callForTheUnknown(
      latest.listed === true
        ? "The service's list holds it, but without what it takes to follow it."
        : "Scans of the service's list did not find it.",
    );
  }
}
