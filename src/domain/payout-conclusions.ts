import { needsOf, type Conclusions } from './conclusions.js';
import {
  failureCause,
  isSettled,
  payoutStatus,
  unrecognisedStatuses,
  type Attempt,
} from './payout-attempts.js';
import { isUnsent, type PayoutStage } from './payout-stages.js';
import type { RecordData } from './payment-record.js';

/** How a payout ended of which nothing was ever sent. */
export type PayoutEnd = 'rejected' | 'cancelled';

/** What is known of a payout beside its record. */
export type PayoutFacts = {
  /** Its stage, or the one that it was closed in. */
  readonly stage: PayoutStage;
  readonly attempts: readonly Attempt[];
  readonly abandoned: boolean;
  readonly end: PayoutEnd | null;
  /** Why its input was not usable. */
  readonly problems: string | null;
  /** What keeps it, or the validation before it, from being sent. */
  readonly unsent: string | null;
  /** What has not come about by its deadline. */
  readonly overdue: string | null;
};

/** What follows for a payout. */
export function payoutConclusions(
  { abandoned, attempts, end, overdue, problems, stage, unsent }: PayoutFacts,
  { unreadable }: Pick<RecordData, 'unreadable'>,
): Conclusions {
  const latest = attempts.at(-1);
  const status = end ?? payoutStatus(attempts, abandoned);
  const error = latest?.error ?? null;
  const isFailed = end === null && stage === 'decide';
  const isOver = status === 'done' || isSettled(attempts);
  const isPaidTwice = attempts.filter((attempt) => attempt.status === 'done').length > 1;
  return {
    status,
    cause: latest !== undefined && (isFailed || abandoned) ? failureCause(latest) : null,
    needs: needsOf([
      ['invalid_input', problems],
      ['paid_twice', isPaidTwice && 'Two attempts of this payout are done.'],
      ['submission_unknown', stage === 'resolve' && error],
      ['payout_failed', isFailed && (error ?? 'The service shows the payout as failed.')],
      ['not_sent', isUnsent(stage) && unsent],
      ['unreadable', unreadable],
      ['overdue', !isOver && overdue],
      ...attempts.flatMap((attempt) => needsOfAttempt(attempt, abandoned)),
    ]),
  };
}

function needsOfAttempt(attempt: Attempt, abandoned: boolean) {
  const { listFault, misfit, number, revived, status, wasDone } = attempt;
  const name = `Attempt ${String(number)}`;
  const now = String(status);
  const [unrecognised] = unrecognisedStatuses([attempt]);
  return [
    ['payout_returned', wasDone && status !== 'done' && `${name} was done and is now ${now}.`],
    ['inconsistent_answer', misfit],
    ['inconsistent_answer', listFault ?? null],
    [
      'inconsistent_answer',
      abandoned && status === 'done' && 'The payout was abandoned as failed, and is done after all.',
    ],
    [
      'inconsistent_answer',
      revived === true &&
        !(abandoned && status === 'done') &&
        `${name} had failed for good, and is now ${now}.`,
    ],
    ['unrecognised_status', unrecognised !== undefined && `${name} is "${unrecognised}" at the service.`],
  ] as const;
}
