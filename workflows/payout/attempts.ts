import { attemptPartnerCode } from '../../src/domain/ids.js';
import { newAttempt, provenFailed, type Attempt } from '../../src/domain/payout-attempts.js';
import { payoutStage, type PayoutStage } from '../../src/domain/payout-stages.js';
import type { Operator, PaymentRecord } from '../shared/payment-record.js';
import type { ReadSchedule } from '../shared/read-schedule.js';

/** What the attempts of a payout carry through a continue-as-new. */
export type AttemptsSnapshot = { attempts: Attempt[]; abandoned: boolean };

/** The attempts of one payout. How readings of the service are matched to them: `adoption.ts`. */
export class Attempts {
  readonly data: AttemptsSnapshot;

  constructor(
    readonly record: PaymentRecord,
    private readonly reads: ReadSchedule,
    /** Shows what follows from all that is known of the payout. */
    readonly conclude: (what: string) => void,
    startedAt: number,
    snapshot?: AttemptsSnapshot,
  ) {
    this.data = snapshot ?? {
      attempts: [newAttempt(1, record.partnerCode, startedAt)],
      abandoned: false,
    };
  }

  get all(): readonly Attempt[] {
    return this.data.attempts;
  }

  get latest(): Attempt {
    return this.all.at(-1) ?? newAttempt(1, this.record.partnerCode, 0);
  }

  get previous(): readonly Attempt[] {
    return this.all.slice(0, -1);
  }

  get stage(): PayoutStage {
    return payoutStage(this.all, this.data);
  }

  /** Adds a further attempt. The caller has proven that every previous one failed. */
  begin(correctedFields: string[], decidedAt: number, operator: Operator, bulkRetryId?: string): void {
    const number = this.latest.number + 1;
    const code = attemptPartnerCode(this.record.partnerCode, number);
    this.data.attempts.push({
      ...newAttempt(number, code, decidedAt),
      ...(bulkRetryId !== undefined && { bulkRetryId }),
    });
    const corrected = correctedFields.length === 0 ? '' : `, corrected: ${correctedFields.join(', ')}`;
    this.record.note(`Attempt ${String(number)} begun${corrected}`, operator);
    this.conclude('The payout is submitted again.');
  }

  /** The service took the latest attempt under this identifier; its first status is what it answered, if it did. */
  accept(serviceId: string, status: string | null): void {
    this.latest.phase = 'known';
    this.latest.serviceId = serviceId;
    if (status !== null) this.show(this.latest, status);
    this.conclude('The service took the payout.');
  }

  /** The latest attempt came to nothing. */
  fail(phase: 'refused' | 'never_sent', error: string, stopped?: Attempt['stopped']): void {
    this.latest.phase = phase;
    this.latest.error = error;
    if (stopped !== undefined) this.latest.stopped = stopped;
    this.conclude(error);
  }

  /** It is not known whether the service took the latest attempt; scans follow. */
  markUnknown(reason: string): void {
    this.latest.phase = 'verifying';
    this.latest.error = reason;
    this.record.note(`Whether the service took it is not known yet: ${reason}`);
    this.conclude(reason);
  }

  /** Scans have not settled it: an operator is asked. An empty list is no proof. */
  askOperator(why: string): void {
    this.latest.phase = 'unknown';
    this.latest.error = `${this.latest.error ?? ''} ${why}`.trim();
    this.conclude('The outcome of the submission is unknown and needs an operator.');
  }

  /** An operator looked and nothing had happened: the attempt counts as failed. */
  markNotPaid(operator: Operator): void {
    this.latest.phase = 'not_paid';
    this.latest.error = 'An operator looked at the service and found that nothing had happened.';
    this.record.note('Resolved: nothing had happened', operator);
    this.conclude('The submission came to nothing. No money has moved.');
  }

  abandon(operator: Operator): void {
    this.data.abandoned = true;
    this.record.note('Given up for good', operator);
    this.conclude('The failed payout was abandoned. No money has reached the payee.');
  }

  /** Applies a status that the service itself has shown. */
  show(attempt: Attempt, status: string): void {
    const previous = attempt.status;
    if (status === previous) return;
    attempt.status = status;
    this.reads.changed();
    attempt.wasDone ||= status === 'done';
    const failedForGood = previous === 'error' && (this.data.abandoned || attempt !== this.latest);
    attempt.revived = status !== 'error' && (attempt.revived === true || failedForGood);
    attempt.error = provenFailed(attempt) ? 'The service shows the payout as failed.' : null;
    const change = `Attempt ${String(attempt.number)}: ${previous ?? 'submitted'} → ${status}`;
    const statusBefore = this.record.status;
    this.conclude(change);
    if (this.record.status === statusBefore) this.record.note(change);
  }
}
