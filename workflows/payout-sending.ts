import { ActivityFailure, patched } from '@temporalio/workflow';
import type { PayoutCorrections, PayoutInput } from '../src/contract/payout.js';
import { attemptPartnerCode } from '../src/domain/ids.js';
import { formatAmount } from '../src/domain/money.js';
import { provenFailed } from '../src/domain/payout-attempts.js';
import type { PayoutAttempts } from './payout-attempts.js';
import type { PayoutLooks } from './payout-looks.js';
import type { PayoutPace } from './payout-pace.js';
import { creating } from './shared/activities.js';
import type { Operator, PaymentRecord } from './shared/payment-record.js';
import type { Sent } from './shared/sending.js';
import type { StatusFollower } from './shared/status-follower.js';
import {
  isUntried,
  newSubmission,
  problemsText,
  sendOnce,
  type SubmissionState,
} from './shared/submission.js';

/** What the sending of a payout hands over at a continue-as-new. */
export type PayoutSendingCarry = {
  submission: SubmissionState;
  sendAt: number;
  corrections: PayoutCorrections | null;
  /** What was corrected before the latest attempt: those of it may turn out not to be usable. */
  formerCorrections?: PayoutCorrections | null;
  /** An activity saw that this run came about by a reset, or was reset itself: here nothing can be sent any more. */
  cannotSendHere: boolean;
  /** A run before this one came about by a reset: attempts may have been made of which nobody here knows. */
  afterReset?: boolean;
};

/** The payout whose attempts are sent. */
export type PayoutSendingOf = {
  readonly record: PaymentRecord;
  readonly follower: StatusFollower;
  readonly attempts: PayoutAttempts;
  readonly looks: PayoutLooks;
  readonly pace: PayoutPace;
};

/** Before a further attempt is sent again, the former ones are read so much later when they could not be. */
const proofRetryMs = 5 * 60_000;

/** Sends each attempt of a payout once, and again only after a proof that it did nothing. */
export class PayoutSending {
  readonly #facts: PayoutSendingCarry;

  constructor(
    private readonly of: PayoutSendingOf,
    private readonly input: PayoutInput,
    private readonly scale: number,
    carried?: PayoutSendingCarry,
  ) {
    this.#facts = {
      submission: carried?.submission ?? newSubmission,
      sendAt: carried?.sendAt ?? 0,
      corrections: carried?.corrections ?? null,
      formerCorrections: carried?.formerCorrections ?? null,
      cannotSendHere: carried?.cannotSendHere ?? false,
      afterReset: carried?.afterReset ?? false,
    };
  }

  /** When the latest attempt is to be sent: milliseconds since the epoch. */
  get at(): number {
    return this.#facts.sendAt;
  }

  /** Whether the latest attempt was decided upon and not tried yet. */
  get untried(): boolean {
    return isUntried(this.#facts.submission);
  }

  /** Whether this run can send nothing any more. */
  get impossibleHere(): boolean {
    return this.#facts.cannotSendHere;
  }

  /** Begins a further attempt with what is corrected. The caller has proven that every former one failed. */
  beginAttempt(corrections: PayoutCorrections = {}, operator: Operator): void {
    this.of.attempts.begin(Object.keys(corrections), operator);
    this.#facts.formerCorrections = this.#facts.corrections;
    this.#facts.corrections = { ...this.#facts.corrections, ...corrections };
    this.#facts.submission = newSubmission;
    this.#facts.sendAt = Date.now();
    this.of.pace.renew();
  }

  /**
   * After a reset: follows a further attempt that was made before it. Answers whether the service holds one; throws
   * when its list could not be read.
   */
  async followFormerAttempt(operator: Operator): Promise<boolean> {
    if (this.#facts.afterReset !== true) return false;
    const { attempts, looks, pace, record } = this.of;
    const next = attemptPartnerCode(record.partnerCode, attempts.latest.number + 1);
    if ((await looks.listed({ partner_codes: [next] })).length === 0) return false;
    attempts.begin([], operator);
    pace.renew();
    this.#verify(Date.now(), 'It was made before this workflow was reset.');
    return true;
  }

  /** Sends the latest attempt. Answers what makes the payout's own input unusable, when that is so. */
  async send(): Promise<string | undefined> {
    const { attempts, follower, pace, record } = this.of;
    const { number } = attempts.latest;
    if (number > 1 && !this.untried && patched('proof-before-each-send')) {
      if (!(await this.#formerStillFailed())) return undefined;
    }
    pace.sending();
    const create = creating(`submit attempt ${String(number)} of ${formatAmount(record.valueCentavos)}`);
    const call = this.input.method === 'transfer' ? create.createTransferPayout : create.createPixPayout;
    const sent = await sendOnce(this.#facts.submission, this.scale, (once) =>
      call({ ...once, payout: this.input, corrections: this.#facts.corrections, attempt: number }),
    );
    switch (sent.kind) {
      case 'answered':
        if (sent.serviceId === null) {
          this.#verify(Date.now(), 'The service took the payout and gave no usable identifier.');
          return undefined;
        }
        attempts.accept(sent.serviceId, sent.status);
        if (sent.status === null) follower.dueNow('cadence');
        pace.plan();
        return undefined;
      case 'again':
        this.#facts.submission = sent.state;
        this.#sendLater(sent.at, `Not sent, will be sent again: ${sent.reason}`);
        return undefined;
      case 'refused':
        record.refusedBecause(sent.reason);
        this.#fail('refused', `The service refused the payout: ${sent.reason}`);
        return undefined;
      case 'invalid':
        return this.#notUsable(problemsText(sent.problems));
      case 'card_gone':
        return this.#notUsable(sent.reason);
      case 'unknown':
        this.doubt(sent);
        return undefined;
    }
  }

  /** Nobody knows whether the latest attempt was made; scans will look for it. */
  doubt({ dispatchedBefore, reason, verifyFrom }: Extract<Sent, { kind: 'unknown' }>): void {
    this.#facts.cannotSendHere ||= dispatchedBefore;
    this.#verify(verifyFrom, reason);
  }

  /** For a continue-as-new: the new run is no reset, so it can send. */
  carry(): PayoutSendingCarry {
    const { afterReset, cannotSendHere } = this.#facts;
    return { ...this.#facts, cannotSendHere: false, afterReset: afterReset === true || cannotSendHere };
  }

  /** Time has passed since the retry: what was proven then has to be proven anew. */
  async #formerStillFailed(): Promise<boolean> {
    const { attempts, looks } = this.of;
    const former = attempts.all.slice(0, -1);
    const clear = await looks.again(former).catch((error: unknown) => {
      if (!(error instanceof ActivityFailure)) throw error;
      return false;
    });
    if (!former.every(provenFailed)) {
      this.#fail('never_sent', 'Not sent: a former attempt did not fail after all.');
      return false;
    }
    if (clear) return true;
    const later = Date.now() + proofRetryMs * this.scale;
    this.#sendLater(later, 'Not sent yet: the former attempts can not be read clearly.');
    return false;
  }

  #sendLater(at: number, why: string): void {
    this.#facts.sendAt = at;
    this.of.record.note(why);
    this.of.pace.callWhenOverdue();
  }

  #notUsable(problems: string): string | undefined {
    if (this.of.attempts.all.length === 1) return problems;
    this.#facts.corrections = this.#facts.formerCorrections ?? null;
    this.#fail('never_sent', `Not sent, the corrections are not usable: ${problems}`);
    return undefined;
  }

  #fail(phase: 'refused' | 'never_sent', reason: string): void {
    this.of.attempts.fail(phase, reason);
    this.of.pace.plan();
  }

  #verify(from: number, reason: string): void {
    this.of.attempts.doubt(reason);
    this.of.pace.scanFrom(from);
  }
}
