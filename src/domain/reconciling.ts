import { isEarly, type Closing } from './closings.js';
import { partnerCodeProblem } from './ids.js';
import { isFinalPayoutStatus, ownStatuses } from './statuses.js';

const minute = 60_000;
const day = 24 * 60 * minute;

/** How often the payouts under way are compared, how often all are, and at which time of the day (UTC). */
export const reconcileEveryMs = 10 * minute;
export const fullScanEveryMs = day;
export const fullScanAtMs = 4 * 60 * minute;

/**
 * How far back a full reconciliation looks: as long as a payout is watched by default. Of older records nobody can know whether
 * they are ours, for their workflows may have been removed.
 */
export const fullScanBackMs = 14 * day;

/** Until when the full reconciliations show any change of a payout whose first attempt was decided upon at this time. */
export function listCoversUntil(decidedAt: number): number {
  return decidedAt + fullScanBackMs + fullScanEveryMs;
}

/** A payout so young may not have come to Temporal's search or to the service's list yet: nothing is reported of it. */
export const tooYoungMs = minute;

/** Whether runs were missed between the end of the last one and the start of this one, both in milliseconds. */
export function missedRuns(full: boolean, lastEndedAt: number, startedAt: number): boolean {
  const every = full ? fullScanEveryMs : reconcileEveryMs;
  return startedAt - lastEndedAt > 2 * every;
}

/** How many of what was found a report names. */
export const listedFindings = 50;

/** Statuses here in which no change is expected soon, or the service's list shows nothing yet. */
export const statusesNotUnderWay = [
  'submitting',
  'submission_unknown',
  'done',
  'error',
  'rejected',
  'abandoned',
  'cancelled',
] as const;

/** The partner_code of the payout that an attempt belongs to; undefined when no payout of ours can have it. */
export function payoutOfAttempt(attemptCode: string): string | undefined {
  const partnerCode = attemptCode.replace(/-r\d+$/, '');
  return partnerCodeProblem('payout', partnerCode) === undefined ? partnerCode : undefined;
}

/** Whether a payout of this status here is listed by the service as it should be. */
export function isAsListed(status: string | null, listed: string | null): boolean {
  if (listed === null || status === listed || status === 'submitting') return true;
  // Statuses of our own stand over attempts that the service shows as failed.
  const isOurs = (ownStatuses.payout as readonly string[]).includes(status ?? '');
  return isOurs && listed === 'error';
}

/**
 * Whether nobody follows what the service lists of a payout: its workflow was ended from outside while money moves, or
 * has closed and the service shows something else since.
 *
 * @param closedAs null while its workflow is open
 */
export function isUnfollowed(
  { closedAs, status }: { closedAs: Closing | null; status: string | null },
  listed: string | null,
): boolean {
  if (closedAs === null) return false;
  const isOver = listed === null || isFinalPayoutStatus(listed);
  return !isAsListed(status, listed) || (isEarly(closedAs) && !isOver);
}
