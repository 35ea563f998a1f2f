import type { PayoutReading } from '../../src/contract/outcomes.js';
import type { PayoutAttempt } from '../../src/contract/state.js';
import { attemptNumberOf, attemptPartnerCode } from '../../src/domain/ids.js';
import { formatAmount } from '../../src/domain/money.js';
import {
  attemptStatus,
  failureCause,
  isSettled,
  newAttempt,
  payoutStage,
  payoutStatus,
  provenFailed,
  unrecognisedStatuses,
  type Attempt,
  type PayoutStage,
} from '../../src/domain/payout-attempts.js';
import type { Operator, PaymentRecord } from '../shared/payment-record.js';
import type { ReadSchedule } from '../shared/read-schedule.js';

/** What the attempts of a payout carry through a continue-as-new. */
export type AttemptsSnapshot = { attempts: Attempt[]; abandoned: boolean };

/**
 * The attempts of one payout: what the service shows of each, and what follows from all of them together for the
 * payment's status and for whether an operator is needed.
 */
export class Attempts {
  readonly #facts: AttemptsSnapshot;

  constructor(
    private readonly record: PaymentRecord,
    private readonly reads: ReadSchedule,
    startedAt: number,
    snapshot?: AttemptsSnapshot,
  ) {
    this.#facts = snapshot ?? {
      attempts: [newAttempt(1, record.partnerCode, startedAt)],
      abandoned: false,
    };
  }

  get all(): readonly Attempt[] {
    return this.#facts.attempts;
  }

  get latest(): Attempt {
    return this.#facts.attempts.at(-1) ?? newAttempt(1, this.record.partnerCode, 0);
  }

  get previous(): readonly Attempt[] {
    return this.all.slice(0, -1);
  }

  get stage(): PayoutStage {
    return payoutStage(this.all, this.#facts.abandoned);
  }

  /** Whether the payout is over but for its watch. */
  get isSettled(): boolean {
    return this.stage === 'watch';
  }

  view(): PayoutAttempt[] {
    return this.all.map((attempt) => ({
      number: attempt.number,
      partner_code: attempt.partnerCode,
      service_id: attempt.serviceId,
      list_id: attempt.listId,
      status: attemptStatus(attempt),
      cause: failureCause(attempt),
      error: attempt.error,
    }));
  }

  /** Adds a further attempt. The caller has proven that every previous one failed. */
  begin(correctedFields: string[], decidedAt: number, operator: Operator): void {
    const number = this.latest.number + 1;
    this.#facts.attempts.push(
      newAttempt(number, attemptPartnerCode(this.record.partnerCode, number), decidedAt),
    );
    const corrected = correctedFields.length === 0 ? '' : `, corrected: ${correctedFields.join(', ')}`;
    this.record.note(`Attempt ${String(number)} begun${corrected}`, operator);
    this.#deriveStatus('The payout is submitted again.');
  }

  /** The service took the latest attempt under this identifier; its first status is what it answered, if it did. */
  accept(serviceId: string, status: string | null): void {
    this.latest.phase = 'known';
    this.latest.serviceId = serviceId;
    if (status !== null) this.#show(this.latest, status);
    this.#deriveStatus('The service took the payout.');
  }

  /** The latest attempt came to nothing. */
  fail(
    phase: 'refused' | 'never_sent',
    error: string,
    stopped?: Attempt['stopped'],
    operator?: Operator,
  ): void {
    this.latest.phase = phase;
    this.latest.error = error;
    if (stopped !== undefined) this.latest.stopped = stopped;
    if (operator !== undefined) this.record.note(error, operator);
    this.#deriveStatus(error);
  }

  /** It is not known whether the service took the latest attempt; scans follow. */
  doubt(reason: string): void {
    this.latest.phase = 'verifying';
    this.latest.error = reason;
    this.record.note(`Whether the service took it is not known yet: ${reason}`);
    this.#deriveStatus(reason);
  }

  /** Scans have not settled it: an operator is asked. An empty list is no proof. */
  askOperator(why: string): void {
    this.latest.phase = 'unknown';
    this.record.raise('submission_unknown', `${this.latest.error ?? ''} ${why}`.trim());
    this.#deriveStatus('The outcome of the submission is unknown and needs an operator.');
  }

  /** An operator looked and nothing had happened: the attempt counts as failed. */
  markNotPaid(operator: Operator): void {
    this.latest.phase = 'not_paid';
    this.latest.error = 'An operator looked at the service and found that nothing had happened.';
    this.record.note('Resolved: nothing had happened', operator);
    this.#deriveStatus('The submission came to nothing. No money has moved.');
  }

  abandon(operator: Operator): void {
    this.#facts.abandoned = true;
    this.record.note('Given up for good', operator);
    this.#deriveStatus('The failed payout was abandoned. No money has reached the payee.');
  }

  /** What speaks against a record of the service being this attempt; null when nothing does. */
  misfit(attempt: Attempt, shown: PayoutReading): string | null {
    const { value_centavos: value, partner_code: code } = shown;
    const expected = this.record.expectedCentavos;
    if (value !== null && value !== expected) {
      return `The service shows ${formatAmount(value)} for ${attempt.partnerCode}, asked for were ${formatAmount(expected)}.`;
    }
    const isOther = code !== null && code !== attempt.partnerCode;
    return isOther ? `The service shows the partner_code ${code} for ${attempt.partnerCode}.` : null;
  }

  /** Applies what a read by its identifier shows of an attempt; false when that is nothing, or not of this attempt. */
  applyReading(attempt: Attempt, shown: PayoutReading): boolean {
    const other = shown.service_id !== null && shown.service_id !== attempt.serviceId;
    const fault = other
      ? `The service answered with payout ${String(shown.service_id)} when asked for ${String(attempt.serviceId)}.`
      : this.misfit(attempt, shown);
    const applied = this.#apply(attempt, shown, fault);
    attempt.wasRead ||= applied;
    return applied;
  }

  /**
   * Applies what a complete scan found under the codes of this payout. A record that no attempt is known of becomes one.
   * Answers whether all that was found is followed from now on, or proven failed.
   */
  applyScan(records: readonly PayoutReading[]): boolean {
    let clear = true;
    for (const [code, found] of byCode(records)) {
      const number = attemptNumberOf(this.record.partnerCode, code);
      if (number === undefined) continue;
      clear = this.#applyListed(this.#attempt(number, code), found) && clear;
    }
    this.#concludePrevious();
    this.#deriveStatus('A complete scan of the service.');
    return clear;
  }

  /** An operator has found this identifier for the latest attempt, and a read or the list has confirmed it. */
  adopt(serviceId: string, shown: PayoutReading): void {
    const { latest } = this;
    if (latest.listId === null && shown.service_id !== serviceId) latest.listId = shown.service_id;
    latest.phase = 'known';
    latest.serviceId = serviceId;
    latest.error = null;
    if (shown.status !== null) this.#show(latest, shown.status);
    this.#deriveStatus('The service holds the payout.');
  }

  snapshot(): AttemptsSnapshot {
    return this.#facts;
  }

  /** The attempt with this number; one that the service shows and that is not known here was made before a reset. */
  #attempt(number: number, code: string): Attempt {
    const known = this.all.find((attempt) => attempt.number === number);
    if (known !== undefined) return known;
    const found = { ...newAttempt(number, code, 0), phase: 'verifying' as const };
    this.#facts.attempts.push(found);
    this.#facts.attempts.sort((one, other) => one.number - other.number);
    this.record.note(`The service lists attempt ${String(number)}, of which nothing was known here.`);
    return found;
  }

  /** A further attempt is only made once every previous one is proven failed: what exists shows that they had been. */
  #concludePrevious(): void {
    for (const attempt of this.previous) {
      if (attempt.phase !== 'verifying' && attempt.phase !== 'unknown') continue;
      attempt.phase = 'not_paid';
      attempt.error =
        'The service does not list it, and holds a later attempt, which was only made after it had failed.';
    }
  }

  #applyListed(attempt: Attempt, records: readonly PayoutReading[]): boolean {
    const shown = records.find(({ status }) => status !== 'error') ?? records[0];
    if (shown === undefined) return true;
    const name = `attempt ${String(attempt.number)}`;
    if (records.length > 1) {
      const what = `The service lists ${attempt.partnerCode} ${String(records.length)} times.`;
      this.record.raise('inconsistent_answer', what);
    }
    const wasKnown = attempt.phase === 'known';
    if (!wasKnown && shown.service_id === null) {
      attempt.listed = true;
      this.record.raise('inconsistent_answer', `The service lists ${name} without a usable identifier.`);
      return false;
    }
    const fault = this.misfit(attempt, shown);
    if (!wasKnown && fault === null) {
      this.record.note(`Found at the service: ${name}`);
      attempt.phase = 'known';
      attempt.serviceId = shown.service_id;
      attempt.error = null;
    }
    if (shown.service_id !== attempt.serviceId) attempt.listId = shown.service_id;
    if (!wasKnown && fault !== null) attempt.listed = true;
    const applied = this.#apply(attempt, shown, fault);
    this.#deriveStatus('The service holds the payout.');
    return applied && records.every((each) => each === shown || each.status === 'error');
  }

  #apply(attempt: Attempt, shown: PayoutReading, fault: string | null): boolean {
    if (fault !== null && fault !== attempt.misfit) this.record.raise('inconsistent_answer', fault);
    attempt.misfit = fault;
    if (fault !== null || shown.status === null) return false;
    this.#show(attempt, shown.status);
    return true;
  }

  /** Applies a status that the service itself has shown. */
  #show(attempt: Attempt, status: string): void {
    const previous = attempt.status;
    if (status === previous) return;
    attempt.status = status;
    this.reads.changed();
    this.#raiseWhatChanged(attempt, previous, status);
    if (provenFailed(attempt)) attempt.error = 'The service shows the payout as failed.';
    const change = `Attempt ${String(attempt.number)}: ${previous ?? 'submitted'} → ${status}`;
    const statusBefore = this.record.status;
    this.#deriveStatus(change);
    if (this.record.status === statusBefore) this.record.note(change);
  }

  #raiseWhatChanged(attempt: Attempt, previous: string | null, status: string): void {
    const name = `Attempt ${String(attempt.number)}`;
    const { abandoned } = this.#facts;
    if (status === 'done') {
      this.record.lower('payout_returned');
      attempt.wasDone = true;
      if (abandoned) {
        const what = 'The payout was abandoned as failed, and is done after all.';
        this.record.raise('inconsistent_answer', what);
      }
    } else if (attempt.wasDone) {
      this.record.raise('payout_returned', `${name} was done and is now ${status}.`);
    } else if (previous === 'error' && (abandoned || attempt !== this.latest)) {
      this.record.raise('inconsistent_answer', `${name} had failed for good, and is now ${status}.`);
    }
    for (const word of unrecognisedStatuses([attempt])) {
      this.record.raise('unrecognised_status', `${name} is "${word}" at the service.`);
    }
  }

  /** Draws the conclusions from what all attempts show. */
  #deriveStatus(what: string): void {
    const { record } = this;
    const done = this.all.filter(({ status }) => status === 'done');
    const shown = done.at(-1) ?? this.latest;
    if (shown.serviceId !== null) record.identify(shown.serviceId);
    const stage = this.stage;
    record.failedBecause(stage === 'decide' || this.#facts.abandoned ? failureCause(this.latest) : null);
    record.moveTo(payoutStatus(this.all, this.#facts.abandoned), what);
    if (done.length > 1) record.raise('paid_twice', 'Two attempts of this payout are done.');
    if (stage === 'decide') {
      record.raise('payout_failed', this.latest.error ?? 'The service shows the payout as failed.');
    } else {
      record.lower('payout_failed');
    }
    if (stage !== 'submit') record.lower('not_sent');
    if (stage !== 'resolve') record.lower('submission_unknown');
    if (unrecognisedStatuses(this.all).length === 0) record.lower('unrecognised_status');
    if (record.status === 'done' || isSettled(this.all)) record.lower('overdue');
  }
}

function byCode(records: readonly PayoutReading[]): Map<string, PayoutReading[]> {
  const found = new Map<string, PayoutReading[]>();
  for (const record of records) {
    if (record.partner_code === null) continue;
    found.set(record.partner_code, [...(found.get(record.partner_code) ?? []), record]);
  }
  return found;
}
