import { ActivityFailure, continueAsNew, patched, workflowInfo } from '@temporalio/workflow';
import type { PostbackReceived } from '../src/contract/messages.js';
import type { PayoutCorrections, PayoutInput } from '../src/contract/payout.js';
import type { PayoutState } from '../src/contract/state.js';
import { watchDays } from '../src/domain/cadence.js';
import { attemptPartnerCode } from '../src/domain/ids.js';
import { formatAmount } from '../src/domain/money.js';
import { provenFailed } from '../src/domain/payout-attempts.js';
import type { payout } from './payout.js';
import { AccountFirst } from './payout-account-first.js';
import { PayoutAttempts, type AttemptsCarry } from './payout-attempts.js';
import { PayoutLooks } from './payout-looks.js';
import { obeyPayoutCommand, type PayoutCommand } from './payout-commands.js';
import type { AccountCheckCarry } from './shared/account-check.js';
import { PayoutPace, type PayoutPaceCarry } from './payout-pace.js';
import { creating } from './shared/activities.js';
import type { Story } from './shared/lifecycle.js';
import { readOpening, type Opening } from './shared/opening.js';
import { PaymentRecord, type Operator, type RecordCarry } from './shared/payment-record.js';
import { sentBeforeReset } from './shared/reset.js';
import type { Sent } from './shared/sending.js';
import { StatusFollower, type FollowerCarry } from './shared/status-follower.js';
import {
  isUntried,
  newSubmission,
  problemsText,
  sendOnce,
  type SubmissionState,
} from './shared/submission.js';

/** What a payout hands over at a continue-as-new. */
export type PayoutCarry = Sending & {
  account: AccountCheckCarry | null;
  record: RecordCarry;
  follower: FollowerCarry;
  attempts: AttemptsCarry;
  pace: PayoutPaceCarry;
  /** When the payout began: `startTime` is that of a run. */
  begunAt?: number;
};

type Sending = {
  submission: SubmissionState;
  sendAt: number;
  corrections: PayoutCorrections | null;
  /** An activity saw that this run came about by a reset, or was reset itself: here nothing can be sent any more. */
  cannotSendHere: boolean;
  /** A run before this one came about by a reset: attempts may have been made of which nobody here knows. */
  afterReset?: boolean;
};

/** Before a further attempt is sent again, the former ones are read so much later when they could not be. */
const proofRetryMs = 5 * 60_000;

/** One payout, step by step: it is sent once, looked for when in doubt, and read until its watch ends. */
export class PayoutStory implements Story<PayoutCommand, PayoutState> {
  readonly record: PaymentRecord;
  readonly follower: StatusFollower;
  readonly attempts: PayoutAttempts;
  readonly looks: PayoutLooks;
  readonly #account: AccountFirst;
  readonly #opening: Opening;
  readonly #pace: PayoutPace;
  readonly #sending: Sending;
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
    this.#pace = new PayoutPace(this.record, this.follower, this.attempts, opening, carried?.pace);
    this.#account = new AccountFirst(this.record, scale, input, carried?.account);
    this.#sending = carried ?? {
      submission: newSubmission,
      sendAt: 0,
      corrections: null,
      cannotSendHere: false,
    };
  }

  view(): PayoutState {
    const method = this.input?.method === 'transfer' ? 'transfer' : 'pix';
    return { ...this.record.state(), kind: 'payout', method, attempts: this.attempts.view() };
  }

  ended(): boolean {
    return this.#ended || Date.now() >= this.#pace.watchEndsAt;
  }

  dueAt(): number {
    if (this.#awaitsAccount()) return this.#account.dueAt;
    if (this.attempts.latest.phase === 'to_send') return this.#sending.sendAt;
    return Math.min(this.follower.nextReadAt, this.#pace.watchEndsAt);
  }

  awaiting(): string {
    const { phase } = this.attempts.latest;
    if (this.#awaitsAccount()) return 'the validation of the account';
    if (phase === 'to_send') return 'the time to send it again';
    if (this.attempts.parked) return 'a retry or an abandonment; next daily look at the service';
    if (phase === 'verifying') return 'the next scan for what became of the submission';
    if (phase === 'unknown') return 'the word of a person on the submission';
    return Number.isFinite(this.#pace.watchEndsAt)
      ? 'the end of the watch'
      : 'the next status of the service';
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
    return this.attempts.latest.phase === 'to_send' && isUntried(this.#sending.submission);
  }

  /** A run that came about by a reset never sends; once a person has decided, the payout goes on in a fresh one. */
  wantsFreshRun(): boolean {
    return this.#sending.cannotSendHere && this.attempts.latest.phase === 'not_paid';
  }

  continueAsNew(): Promise<never> {
    return continueAsNew<typeof payout>(this.input, {
      ...this.#sending,
      cannotSendHere: false,
      afterReset: this.#sending.afterReset === true || this.#sending.cannotSendHere,
      begunAt: this.#begunAt,
      record: this.record.carry(),
      follower: this.follower.carry(),
      attempts: this.attempts.carry(),
      pace: this.#pace.carry(),
      account: this.#account.carry(),
    });
  }

  /** Begins a further attempt with what is corrected. The caller has proven that every former one failed. */
  beginAttempt(corrections: PayoutCorrections = {}, operator: Operator): void {
    this.attempts.begin(Object.keys(corrections), operator);
    this.#sending.corrections = { ...this.#sending.corrections, ...corrections };
    this.#sending.submission = newSubmission;
    this.#sending.sendAt = Date.now();
    this.#pace.renew();
  }

  /**
   * After a reset: follows a further attempt that was made before it. Answers whether the service holds one; throws
   * when its list could not be read.
   */
  async followFormerAttempt(operator: Operator): Promise<boolean> {
    if (this.#sending.afterReset !== true) return false;
    const next = attemptPartnerCode(this.record.partnerCode, this.attempts.latest.number + 1);
    if ((await this.looks.listed({ partner_codes: [next] })).length === 0) return false;
    this.attempts.begin([], operator);
    this.#pace.renew();
    this.#verify(Date.now(), 'It was made before this workflow was reset.');
    return true;
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
    if (before !== undefined) return this.#doubt(before);
    this.attempts.fail('never_sent', `Not sent. ${verdict.reason}`);
    this.#pace.plan();
  }

  async #send(): Promise<void> {
    const { number } = this.attempts.latest;
    if (number > 1 && !isUntried(this.#sending.submission) && patched('proof-before-each-send')) {
      if (!(await this.#formerStillFailed())) return;
    }
    this.#pace.sending();
    const create = creating(`submit attempt ${String(number)} of ${formatAmount(this.record.valueCentavos)}`);
    const call = this.input.method === 'transfer' ? create.createTransferPayout : create.createPixPayout;
    const submitted = await sendOnce(this.#sending.submission, this.#opening.scale, (once) =>
      call({ ...once, payout: this.input, corrections: this.#sending.corrections, attempt: number }),
    );
    switch (submitted.kind) {
      case 'answered':
        if (submitted.serviceId === null) {
          return this.#verify(Date.now(), 'The service took the payout and gave no usable identifier.');
        }
        this.attempts.accept(submitted.serviceId, submitted.status);
        if (submitted.status === null) this.follower.dueNow('cadence');
        return this.#pace.plan();
      case 'again':
        this.#sending.submission = submitted.state;
        this.#sending.sendAt = submitted.at;
        this.record.note(`Not sent, will be sent again: ${submitted.reason}`);
        return this.#pace.callWhenOverdue();
      case 'refused':
        this.record.refusedBecause(submitted.reason);
        this.attempts.fail('refused', `The service refused the payout: ${submitted.reason}`);
        return this.#pace.plan();
      case 'invalid':
        return this.#notUsable(problemsText(submitted.problems));
      case 'card_gone':
        return this.#notUsable(submitted.reason);
      case 'unknown':
        return this.#doubt(submitted);
    }
  }

  #doubt({ dispatchedBefore, reason, verifyFrom }: Extract<Sent, { kind: 'unknown' }>): void {
    this.#sending.cannotSendHere ||= dispatchedBefore;
    this.#verify(verifyFrom, reason);
  }

  /** Time has passed since the retry: what was proven then has to be proven anew. */
  async #formerStillFailed(): Promise<boolean> {
    const former = this.attempts.all.slice(0, -1);
    const clear = await this.looks.again(former).catch((error: unknown) => {
      if (!(error instanceof ActivityFailure)) throw error;
      return false;
    });
    if (!former.every(provenFailed)) {
      this.attempts.fail('never_sent', 'Not sent: a former attempt did not fail after all.');
      this.#pace.plan();
      return false;
    }
    if (clear) return true;
    this.#sending.sendAt = Date.now() + proofRetryMs * this.#opening.scale;
    this.record.note('Not sent yet: the former attempts can not be read clearly.');
    this.#pace.callWhenOverdue();
    return false;
  }

  #notUsable(problems: string): void {
    if (this.attempts.all.length === 1) return this.#rejectInput(problems);
    this.attempts.fail('never_sent', `Not sent, the corrections are not usable: ${problems}`);
    this.#pace.plan();
  }

  #rejectInput(problems: string): void {
    this.attempts.latest.phase = 'never_sent';
    this.attempts.latest.error = problems;
    this.record.moveTo('rejected', 'The request was not usable; nothing was sent.');
    this.record.raise('invalid_input', problems);
    this.#ended = true;
  }

  #verify(from: number, reason: string): void {
    this.attempts.doubt(reason);
    this.#pace.scanFrom(from);
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
      if (this.attempts.latest.phase === 'verifying' && this.#pace.scanPlanIsOver) {
        this.attempts.callForTheUnknown("The service's list could not be read whole.");
      }
    }
    this.#pace.callWhenOverdue();
    this.#pace.plan();
  }

  async #scanLatest(): Promise<void> {
    const { scanIsDue } = this.#pace;
    await this.looks.scanFor([this.attempts.latest]);
    if (scanIsDue) this.#pace.scanned();
    const { latest } = this.attempts;
    if (!this.#pace.scansAreOver || latest.phase !== 'verifying') return;
    this.attempts.callForTheUnknown(
      latest.listed === true
        ? "The service's list holds it, but without what it takes to follow it."
        : "Scans of the service's list did not find it.",
    );
  }
}
