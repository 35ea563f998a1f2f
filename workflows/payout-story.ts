import { ActivityFailure, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { PayoutReading } from '../src/contract/outcomes.js';
import type { PayoutCorrections, PayoutInput } from '../src/contract/payout.js';
import type { PayoutState } from '../src/contract/state.js';
import {
  dayMs,
  followCadence,
  parkedCadence,
  scanDelaysMs,
  spans,
  watchCadence,
  watchDays,
  type CadenceStep,
} from '../src/domain/cadence.js';
import { attemptPartnerCode } from '../src/domain/ids.js';
import { formatAmount } from '../src/domain/money.js';
import {
  attemptStatus,
  isParked,
  payoutStatus,
  provenFailed,
  unrecognisedStatuses,
  type Attempt,
} from '../src/domain/payout-attempts.js';
import type { payout } from './payout.js';
import { obeyPayoutCommand, type PayoutCommand } from './payout-commands.js';
import { creating, reading, scanning } from './shared/activities.js';
import { refusal, type Reply } from './shared/inbox.js';
import type { Story } from './shared/lifecycle.js';
import { readOpening, type Opening } from './shared/opening.js';
import { PaymentRecord, type Operator, type RecordCarry } from './shared/payment-record.js';
import { StatusFollower, type FollowerCarry } from './shared/status-follower.js';
import {
  isResetRun,
  newSubmission,
  problemsText,
  sendOnce,
  type SubmissionState,
} from './shared/submission.js';

/** What a payout hands over at a continue-as-new. */
export type PayoutCarry = {
  record: RecordCarry;
  follower: FollowerCarry;
  attempts: Attempt[];
  corrections: PayoutCorrections | null;
  submission: SubmissionState;
  sendAt: number;
  scan: ScanPlan;
  submittedAt: number | null;
  abandoned: boolean;
};

type ScanPlan = { from: number; done: number };

/** How the list of payouts and our clock may differ: a scan looks so much further back than the start. */
const scanMarginMs = 15 * 60_000;

/** The facts of one payout and what is done about them, step by step. */
export class PayoutStory implements Story<PayoutCommand, PayoutState> {
  readonly record: PaymentRecord;
  readonly follower: StatusFollower;
  readonly #opening: Opening;
  readonly #facts: Omit<PayoutCarry, 'record' | 'follower'>;
  #ended = false;

  constructor(
    private readonly input: PayoutInput,
    carried?: PayoutCarry,
  ) {
    this.#opening = readOpening('payout', input, input, watchDays.payout);
    const { partnerCode, valueCentavos, scale } = this.#opening;
    this.record = new PaymentRecord('payout', partnerCode, valueCentavos, 'submitting', carried?.record);
    this.follower = new StatusFollower(scale, carried?.follower);
    this.#facts = carried ?? {
      attempts: [firstAttempt(partnerCode)],
      corrections: null,
      submission: newSubmission,
      sendAt: 0,
      scan: { from: 0, done: 0 },
      submittedAt: null,
      abandoned: false,
    };
  }

  get attempts(): readonly Attempt[] {
    return this.#facts.attempts;
  }

  get latest(): Attempt {
    return this.#facts.attempts.at(-1) ?? firstAttempt(this.#opening.partnerCode);
  }

  view(): PayoutState {
    return {
      ...this.record.state(),
      kind: 'payout',
      method: this.input?.method === 'transfer' ? 'transfer' : 'pix',
      attempts: this.attempts.map((attempt) => ({
        number: attempt.number,
        partner_code: attempt.partnerCode,
        service_id: attempt.serviceId,
        status: attemptStatus(attempt),
        error: attempt.error,
      })),
    };
  }

  ended(): boolean {
    return this.#ended || Date.now() >= this.#watchEndsAt();
  }

  dueAt(): number {
    const sendAt = this.latest.phase === 'to_send' ? this.#facts.sendAt : Infinity;
    return Math.min(sendAt, this.follower.nextReadAt, this.#watchEndsAt());
  }

  awaiting(): string {
    if (this.latest.phase === 'to_send') return 'the time to send it again';
    if (this.isParked()) return 'a retry or an abandonment; next daily look at the service';
    if (this.latest.phase === 'verifying') return 'the next scan for what became of the submission';
    if (this.latest.phase === 'unknown') return 'the word of a person on the submission';
    return Number.isFinite(this.#watchEndsAt()) ? 'the end of the watch' : 'the next status of the service';
  }

  async step(): Promise<void> {
    if (this.#opening.problem !== undefined) return this.#rejectInput(this.#opening.problem);
    if (this.latest.phase === 'to_send') return this.#send();
    return this.#look();
  }

  obey(command: PayoutCommand, reply: Reply<PayoutState>): Promise<void> {
    return obeyPayoutCommand(this, command, reply);
  }

  /** Before anything of it was sent, a cancelled payout is simply not made. */
  cancel(): boolean {
    if (this.attempts.length > 1 || this.latest.phase !== 'to_send') return false;
    this.latest.phase = 'never_sent';
    this.record.moveTo('cancelled', 'Cancelled before anything was sent. No money has moved.');
    this.#ended = true;
    return true;
  }

  /** In a run that came about by a reset nothing is ever sent; a person's decision makes a fresh one possible. */
  wantsFreshRun(): boolean {
    return isResetRun() && this.latest.phase === 'not_paid';
  }

  continueAsNew(): Promise<never> {
    const carry: PayoutCarry = {
      ...this.#facts,
      record: this.record.carry(),
      follower: this.follower.carry(),
    };
    return continueAsNew<typeof payout>(this.input, carry);
  }

  isParked(): boolean {
    return isParked(this.attempts, this.#facts.abandoned);
  }

  refuseUnlessParked(): void {
    if (!this.isParked()) {
      throw refusal(
        'NotParked',
        `This payout is ${this.record.status}, not failed: there is nothing to retry or abandon.`,
      );
    }
  }

  refuseUnlessUnknown(): void {
    if (this.latest.phase !== 'unknown') {
      throw refusal('NotUnknown', `This payout is ${this.record.status}: its submission is not in doubt.`);
    }
  }

  /** Begins a further attempt. The caller has proven that every former one failed. */
  beginAttempt(corrections: PayoutCorrections | undefined, operator: Operator): void {
    const number = this.latest.number + 1;
    this.#facts.attempts.push({
      ...firstAttempt(attemptPartnerCode(this.record.partnerCode, number)),
      number,
    });
    this.#facts.corrections =
      corrections === undefined ? this.#facts.corrections : { ...this.#facts.corrections, ...corrections };
    this.#facts.submission = newSubmission;
    this.#facts.sendAt = Date.now();
    this.#facts.submittedAt = null;
    const corrected = Object.keys(corrections ?? {});
    this.record.note(
      `Attempt ${String(number)} begun${corrected.length === 0 ? '' : `, corrected: ${corrected.join(', ')}`}`,
      operator,
    );
    this.judge('The payout is submitted again.');
  }

  abandon(operator: Operator): void {
    this.#facts.abandoned = true;
    this.record.note('Given up for good', operator);
    this.judge('The failed payout was abandoned. No money has reached the payee.');
  }

  /** A person looked and nothing had happened: the attempt counts as failed. */
  markNotPaid(operator: Operator): void {
    this.latest.phase = 'not_paid';
    this.latest.error = 'A person looked at the service and found that nothing had happened.';
    this.record.note('Resolved: nothing had happened', operator);
    this.judge('The submission came to nothing. No money has moved.');
  }

  /** Takes the service's record for an attempt's own. False when it does not fit what was sent. */
  adopt(attempt: Attempt, found: PayoutReading): boolean {
    if (found.service_id === null || !this.#fits(attempt, found)) return false;
    attempt.phase = 'known';
    attempt.serviceId = found.service_id;
    attempt.error = null;
    if (found.status !== null) this.#show(attempt, found.status);
    this.judge('The service holds the payout.');
    return true;
  }

  /** Reads what the service says of every attempt that it gave an identifier. Throws when one can't be read. */
  async readAll(): Promise<void> {
    for (const attempt of this.attempts) {
      if (attempt.serviceId === null) continue;
      const shown = await reading(`read attempt ${String(attempt.number)}`).readPayout({
        service_id: attempt.serviceId,
      });
      if (shown.status !== null && this.#fits(attempt, shown)) this.#show(attempt, shown.status);
    }
  }

  /** Walks through the service's list for attempts without an identifier. Throws when the walk is not whole. */
  async scanFor(attempts: readonly Attempt[]): Promise<void> {
    const partnerCodes = attempts.map(({ partnerCode }) => partnerCode);
    const notBefore = new Date(workflowInfo().startTime.getTime() - scanMarginMs).toISOString();
    const { found } = await scanning(
      `look for ${partnerCodes.join(', ')} in the list of payouts`,
    ).findPayouts({
      partner_codes: partnerCodes,
      not_before: notBefore,
    });
    for (const attempt of attempts) {
      const [first, ...more] = found.filter(({ partner_code: code }) => code === attempt.partnerCode);
      if (first === undefined) continue;
      const adopted = this.adopt(attempt, first);
      this.record.note(
        `Found at the service: attempt ${String(attempt.number)}${adopted ? '' : ', but it does not fit'}`,
      );
      if (more.length > 0) {
        this.record.raise(
          'inconsistent_answer',
          `The service lists ${attempt.partnerCode} ${String(more.length + 1)} times.`,
        );
      }
    }
  }

  /** Draws the conclusions from what the attempts show: the status, and whether a person is needed. */
  judge(what: string): void {
    const status = payoutStatus(this.attempts, this.#facts.abandoned);
    this.record.moveTo(status, what);
    const shown = [...this.attempts].reverse().find(({ status: word }) => word === 'done') ?? this.latest;
    if (shown.serviceId !== null) this.record.identify(shown.serviceId);
    if (this.attempts.filter(({ status: word }) => word === 'done').length > 1) {
      this.record.raise('paid_twice', 'Two attempts of this payout are done.');
    }
    if (this.isParked())
      this.record.raise('payout_failed', this.latest.error ?? 'The service shows the payout as failed.');
    else this.record.lower('payout_failed');
    if (this.latest.phase !== 'unknown') this.record.lower('submission_unknown');
    if (unrecognisedStatuses(this.attempts).length === 0) this.record.lower('unrecognised_status');
    if (status === 'done' || this.isParked()) this.record.lower('overdue');
  }

  async #send(): Promise<void> {
    const attempt = this.latest;
    this.#facts.submittedAt ??= Date.now();
    const create = creating(
      `submit attempt ${String(attempt.number)} of ${formatAmount(this.record.valueCentavos)}`,
    );
    const call = this.input.method === 'transfer' ? create.createTransferPayout : create.createPixPayout;
    const submitted = await sendOnce(this.#facts.submission, this.#opening.scale, (once) =>
      call({ ...once, payout: this.input, corrections: this.#facts.corrections, attempt: attempt.number }),
    );
    switch (submitted.kind) {
      case 'answered':
        if (submitted.serviceId === null)
          return this.#verify(Date.now(), 'The service took the payout and gave no usable identifier.');
        attempt.phase = 'known';
        attempt.serviceId = submitted.serviceId;
        if (submitted.status === null) this.follower.dueNow('cadence');
        else this.#show(attempt, submitted.status);
        this.judge('The service took the payout.');
        this.#plan();
        return;
      case 'again':
        this.#facts.submission = submitted.state;
        this.#facts.sendAt = submitted.at;
        this.record.note(`Not sent, will be sent again: ${submitted.reason}`);
        return;
      case 'refused':
        this.record.refusedBecause(submitted.reason);
        return this.#fail('refused', `The service refused the payout: ${submitted.reason}`);
      case 'invalid': {
        const problems = problemsText(submitted.problems);
        return attempt.number === 1
          ? this.#rejectInput(problems)
          : this.#fail('never_sent', `Not sent, the corrections are not usable: ${problems}`);
      }
      case 'card_gone':
        return this.#fail('never_sent', submitted.reason);
      case 'unknown':
        return this.#verify(submitted.verifyFrom, submitted.reason);
    }
  }

  #fail(phase: 'refused' | 'never_sent', error: string): void {
    this.latest.phase = phase;
    this.latest.error = error;
    this.judge(error);
    this.#plan();
  }

  #rejectInput(problems: string): void {
    this.latest.phase = 'never_sent';
    this.latest.error = problems;
    this.record.moveTo('rejected', 'The request was not usable; nothing was sent.');
    this.record.raise('invalid_input', problems);
    this.#ended = true;
  }

  #verify(from: number, reason: string): void {
    this.latest.phase = 'verifying';
    this.latest.error = reason;
    this.record.note(`Whether the service took it is not known yet: ${reason}`);
    this.#facts.scan = { from, done: 0 };
    this.follower.dueAt(this.#nextScanAt());
  }

  #nextScanAt(): number {
    const { from, done } = this.#facts.scan;
    const delayMs = scanDelaysMs[done];
    return delayMs === undefined ? Infinity : from + delayMs * this.#opening.scale;
  }

  async #look(): Promise<void> {
    const { cause } = this.follower;
    this.follower.beginLook();
    try {
      if (this.latest.phase === 'verifying' || this.latest.phase === 'unknown') await this.#scanLatest();
      await this.readAll();
      this.record.wasRead(cause, this.latest.status);
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      this.record.wasRead(cause, null);
    }
    this.#callWhenOverdue();
    this.#plan();
  }

  async #scanLatest(): Promise<void> {
    const counts = Date.now() >= this.#nextScanAt();
    await this.scanFor([this.latest]);
    if (counts) this.#facts.scan.done += 1;
    if (this.latest.phase !== 'verifying' || this.#nextScanAt() !== Infinity) return;
    this.latest.phase = 'unknown';
    this.record.raise(
      'submission_unknown',
      `${this.latest.error ?? ''} Scans of the service's list did not find it.`,
    );
    this.judge('The submission is in doubt and a person is called.');
  }

  #fits(attempt: Attempt, shown: PayoutReading): boolean {
    const { service_id: id, value_centavos: value, partner_code: code } = shown;
    const wrong =
      attempt.serviceId !== null && id !== null && id !== attempt.serviceId
        ? `The service answered with payout ${id} when asked for ${attempt.serviceId}.`
        : value !== null && value !== this.record.valueCentavos
          ? `The service shows ${formatAmount(value)} for ${attempt.partnerCode}, asked for were ${formatAmount(this.record.valueCentavos)}.`
          : code !== null && code !== attempt.partnerCode
            ? `The service shows the partner_code ${code} for ${attempt.partnerCode}.`
            : undefined;
    if (wrong !== undefined) this.record.raise('inconsistent_answer', wrong);
    return wrong === undefined;
  }

  /** Takes over a status that the service itself has shown. */
  #show(attempt: Attempt, status: string): void {
    const former = attempt.status;
    if (status === former) return;
    attempt.status = status;
    this.follower.changed();
    const change = `Attempt ${String(attempt.number)}: ${former ?? 'submitted'} → ${status}`;
    if (status === 'done') {
      this.record.lower('payout_returned');
      if (this.#facts.abandoned)
        this.record.raise(
          'inconsistent_answer',
          'The payout was abandoned as failed, and is done after all.',
        );
      attempt.wasDone = true;
    } else if (attempt.wasDone) {
      this.record.raise(
        'payout_returned',
        `Attempt ${String(attempt.number)} was done and is now ${status}.`,
      );
    }
    for (const word of unrecognisedStatuses([attempt])) {
      this.record.raise(
        'unrecognised_status',
        `The service calls attempt ${String(attempt.number)} "${word}".`,
      );
    }
    if (provenFailed(attempt)) attempt.error = 'The service shows the payout as failed.';
    const statusBefore = this.record.status;
    this.judge(change);
    if (this.record.status === statusBefore) this.record.note(change);
  }

  #callWhenOverdue(): void {
    const { submittedAt } = this.#facts;
    const deadline = (submittedAt ?? Infinity) + spans.payoutDoneMs * this.#opening.scale;
    if (Date.now() < deadline || this.#isAtRest() || this.isParked() || this.latest.phase === 'unknown')
      return;
    this.#facts.submittedAt = null;
    this.record.raise('overdue', `The payout is still ${this.record.status} after its deadline.`);
  }

  #isAtRest(): boolean {
    return this.record.status === 'done' || this.record.status === 'abandoned';
  }

  /** The end of the watch; never while a person is called for. A refused payout of a caller who waits ends at once. */
  #watchEndsAt(): number {
    const { scale, watchDays: days } = this.#opening;
    if (days === 0 && this.record.status === 'rejected') return this.record.changedAt;
    if (!this.#isAtRest() || this.record.attention !== null) return Infinity;
    return this.record.changedAt + days * dayMs * scale;
  }

  #plan(): void {
    if (this.latest.phase === 'verifying') {
      this.follower.dueAt(Math.max(this.#nextScanAt(), Date.now() + scanRetryMs * this.#opening.scale));
      return;
    }
    this.follower.plan(this.#cadence(), this.record.changedAt);
  }

  #cadence(): readonly CadenceStep[] {
    if (this.isParked() || this.latest.phase === 'unknown') return parkedCadence;
    return this.#isAtRest() ? watchCadence : followCadence;
  }
}

/** After a scan that was not whole, the next one comes no sooner than this. */
const scanRetryMs = 5_000;

function firstAttempt(partnerCode: string): Attempt {
  return {
    number: 1,
    partnerCode,
    phase: 'to_send',
    serviceId: null,
    status: null,
    error: null,
    wasDone: false,
  };
}
