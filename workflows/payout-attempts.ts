import type { PayoutReading } from '../src/contract/outcomes.js';
import type { PayoutAttempt } from '../src/contract/state.js';
import { attemptPartnerCode } from '../src/domain/ids.js';
import { formatAmount } from '../src/domain/money.js';
import {
  attemptStatus,
  isParked,
  isSettled,
  payoutStatus,
  provenFailed,
  unrecognisedStatuses,
  type Attempt,
} from '../src/domain/payout-attempts.js';
import { refusal } from './shared/inbox.js';
import type { Operator, PaymentRecord } from './shared/payment-record.js';
import type { StatusFollower } from './shared/status-follower.js';

/** What the attempts of a payout hand over at a continue-as-new. */
export type AttemptsCarry = {
  attempts: Attempt[];
  abandoned: boolean;
};

/**
 * The attempts of one payout: what the service shows of each, and what follows from all of them together for the
 * payment's status and for whether a person is needed.
 */
export class PayoutAttempts {
  readonly #facts: AttemptsCarry;

  constructor(
    private readonly record: PaymentRecord,
    private readonly follower: StatusFollower,
    carried?: AttemptsCarry,
  ) {
    this.#facts = carried ?? { attempts: [firstAttempt(record.partnerCode)], abandoned: false };
  }

  get all(): readonly Attempt[] {
    return this.#facts.attempts;
  }

  get latest(): Attempt {
    return this.#facts.attempts.at(-1) ?? firstAttempt(this.record.partnerCode);
  }

  /** Whether every attempt is proven failed and a person is to decide what follows. */
  get parked(): boolean {
    return isParked(this.all, this.#facts.abandoned);
  }

  view(): PayoutAttempt[] {
    return this.all.map((attempt) => ({
      number: attempt.number,
      partner_code: attempt.partnerCode,
      service_id: attempt.serviceId,
      status: attemptStatus(attempt),
      error: attempt.error,
    }));
  }

  refuseUnlessParked(): void {
    if (this.parked) return;
    const { status } = this.record;
    throw refusal('NotParked', `This payout is ${status}, not failed: there is nothing to retry or abandon.`);
  }

  /** Money that has come back once may have been paid again elsewhere: only who names the attempt means it. */
  refuseUnlessNamed(attempt: number | undefined): void {
    const returned = this.all.find(({ wasDone }) => wasDone);
    if (attempt !== undefined || returned === undefined) return;
    throw refusal(
      'DecisionNeeded',
      `Attempt ${String(returned.number)} was done before it failed. When it is still owed, name the latest one: attempt ${String(this.latest.number)}.`,
    );
  }

  refuseUnlessUnknown(): void {
    if (this.latest.phase === 'unknown') return;
    throw refusal('NotUnknown', `This payout is ${this.record.status}: its submission is not in doubt.`);
  }

  refuseIfListed(): void {
    if (this.latest.listed !== true) return;
    throw refusal(
      'InvalidMessage',
      "The service's list holds this payout, so something has happened. Give its service_id. Nothing was changed.",
    );
  }

  /** Adds a further attempt. The caller has proven that every former one failed. */
  begin(correctedFields: string[], operator: Operator): void {
    const number = this.latest.number + 1;
    const partnerCode = attemptPartnerCode(this.record.partnerCode, number);
    this.#facts.attempts.push({ ...firstAttempt(partnerCode), number });
    const corrected = correctedFields.length === 0 ? '' : `, corrected: ${correctedFields.join(', ')}`;
    this.record.note(`Attempt ${String(number)} begun${corrected}`, operator);
    this.#judge('The payout is submitted again.');
  }

  /** The service took the latest attempt under this identifier; its first status is what it answered, if it did. */
  accept(serviceId: string, status: string | null): void {
    this.latest.phase = 'known';
    this.latest.serviceId = serviceId;
    if (status !== null) this.#show(this.latest, status);
    this.#judge('The service took the payout.');
  }

  /** The latest attempt came to nothing. */
  fail(phase: 'refused' | 'never_sent', error: string): void {
    this.latest.phase = phase;
    this.latest.error = error;
    this.#judge(error);
  }

  /** Nobody knows whether the service took the latest attempt; scans go on. */
  doubt(reason: string): void {
    this.latest.phase = 'verifying';
    this.latest.error = reason;
    this.record.note(`Whether the service took it is not known yet: ${reason}`);
  }

  /** Scans have not settled it: a person is called. An empty list is no proof. */
  callForTheUnknown(why: string): void {
    this.latest.phase = 'unknown';
    this.record.raise('submission_unknown', `${this.latest.error ?? ''} ${why}`.trim());
    this.#judge('The submission is in doubt and a person is called.');
  }

  /** A person looked and nothing had happened: the attempt counts as failed. */
  markNotPaid(operator: Operator): void {
    this.latest.phase = 'not_paid';
    this.latest.error = 'A person looked at the service and found that nothing had happened.';
    this.record.note('Resolved: nothing had happened', operator);
    this.#judge('The submission came to nothing. No money has moved.');
  }

  abandon(operator: Operator): void {
    this.#facts.abandoned = true;
    this.record.note('Given up for good', operator);
    this.#judge('The failed payout was abandoned. No money has reached the payee.');
  }

  /** What in a record of the service speaks against its being the latest attempt; null when nothing does. */
  misfitOfLatest(found: PayoutReading): string | null {
    return misfit(this.latest, this.record.valueCentavos, found);
  }

  /** Takes a record of the service for an attempt's own. False when it does not fit what was sent. */
  adopt(attempt: Attempt, found: PayoutReading): boolean {
    if (found.service_id === null || !this.#fits(attempt, found)) return false;
    attempt.phase = 'known';
    attempt.serviceId = found.service_id;
    attempt.error = null;
    if (found.status !== null) this.#show(attempt, found.status);
    this.#judge('The service holds the payout.');
    return true;
  }

  /** Takes over what the service shows of an attempt; false when that is nothing, or not of this attempt. */
  take(attempt: Attempt, shown: PayoutReading): boolean {
    if (!this.#fits(attempt, shown) || shown.status === null) return false;
    this.#show(attempt, shown.status);
    return true;
  }

  carry(): AttemptsCarry {
    return this.#facts;
  }

  /** Takes over a status that the service itself has shown. */
  #show(attempt: Attempt, status: string): void {
    const former = attempt.status;
    if (status === former) return;
    attempt.status = status;
    this.follower.changed();
    const name = `Attempt ${String(attempt.number)}`;
    if (status === 'done') {
      this.record.lower('payout_returned');
      attempt.wasDone = true;
      if (this.#facts.abandoned) {
        this.record.raise(
          'inconsistent_answer',
          'The payout was abandoned as failed, and is done after all.',
        );
      }
    } else if (attempt.wasDone) {
      this.record.raise('payout_returned', `${name} was done and is now ${status}.`);
    } else if (former === 'error' && (this.#facts.abandoned || attempt !== this.latest)) {
      this.record.raise('inconsistent_answer', `${name} had failed for good, and is now ${status}.`);
    }
    for (const word of unrecognisedStatuses([attempt])) {
      this.record.raise('unrecognised_status', `${name} is "${word}" at the service.`);
    }
    if (provenFailed(attempt)) attempt.error = 'The service shows the payout as failed.';
    const change = `${name}: ${former ?? 'submitted'} → ${status}`;
    const statusBefore = this.record.status;
    this.#judge(change);
    if (this.record.status === statusBefore) this.record.note(change);
  }

  /** Draws the conclusions from what all attempts show. */
  #judge(what: string): void {
    const status = payoutStatus(this.all, this.#facts.abandoned);
    this.record.moveTo(status, what);
    const done = this.all.filter(({ status: word }) => word === 'done');
    const shown = done.at(-1) ?? this.latest;
    if (shown.serviceId !== null) this.record.identify(shown.serviceId);
    if (done.length > 1) this.record.raise('paid_twice', 'Two attempts of this payout are done.');
    if (this.parked) {
      this.record.raise('payout_failed', this.latest.error ?? 'The service shows the payout as failed.');
    } else {
      this.record.lower('payout_failed');
    }
    if (this.latest.phase !== 'unknown') this.record.lower('submission_unknown');
    if (unrecognisedStatuses(this.all).length === 0) this.record.lower('unrecognised_status');
    if (status === 'done' || isSettled(this.all)) this.record.lower('overdue');
  }

  /** Whether a reading is of this attempt at all; if not, a person is called, once for each fault. */
  #fits(attempt: Attempt, shown: PayoutReading): boolean {
    const fault = misfit(attempt, this.record.valueCentavos, shown);
    if (fault !== null && fault !== attempt.misfit) this.record.raise('inconsistent_answer', fault);
    attempt.misfit = fault;
    return fault === null;
  }
}

function misfit(attempt: Attempt, valueCentavos: number, shown: PayoutReading): string | null {
  const { service_id: id, value_centavos: value, partner_code: code } = shown;
  if (attempt.serviceId !== null && id !== null && id !== attempt.serviceId) {
    return `The service answered with payout ${id} when asked for ${attempt.serviceId}.`;
  }
  if (value !== null && value !== valueCentavos) {
    return `The service shows ${formatAmount(value)} for ${attempt.partnerCode}, asked for were ${formatAmount(valueCentavos)}.`;
  }
  const otherCode = code !== null && code !== attempt.partnerCode;
  return otherCode ? `The service shows the partner_code ${code} for ${attempt.partnerCode}.` : null;
}

function firstAttempt(partnerCode: string): Attempt {
  return {
    number: 1,
    partnerCode,
    phase: 'to_send',
    serviceId: null,
    status: null,
    error: null,
    wasDone: false,
    misfit: null,
  };
}
