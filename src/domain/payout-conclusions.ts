import { needsOf, withObjection, type Conclusions } from './conclusions.js';
import {
  failureCause,
  isSettled,
  payoutStatus,
  unrecognisedStatuses,
  type Attempt,
} from './payout-attempts.js';
import { unnamedRetryRefusal } from './payout-command-rules.js';
import { awaitsDecision, isUnsent, type PayoutStage } from './payout-stages.js';
import type { Payout } from './payout.js';
import { whyShared, type RecordData } from './payment-record.js';
import { payoutStatement } from './statements.js';
import { quotedStatus } from './statuses.js';

/** What decides beside the payout itself. */
export type Beside = Pick<RecordData, 'shared' | 'unreadable'> & {
  /** Its stage, or the one that it was closed in. */
  readonly stage: PayoutStage;
  /** What keeps it, or the validation before it, from being sent. */
  readonly unsent: string | null;
};

/** What follows for a payout. */
export function payoutConclusions(
  payout: Payout,
  { shared, stage, unreadable, unsent }: Beside,
): Conclusions {
  const { abandoned, attempts, end, overdue, problems } = payout;
  const latest = attempts.at(-1);
  const status = end ?? payoutStatus(attempts, abandoned);
  const error = latest?.error ?? null;
  const isFailed = end === null && awaitsDecision(stage);
  const isOver = status === 'done' || isSettled(attempts);
  // Given up, or paid by another attempt: somebody has decided on what came back.
  const isOwed = !abandoned && !attempts.some((attempt) => attempt.status === 'done');
  const unnamed = unnamedRetryRefusal(attempts);
  const isPaidTwice = attempts.filter((attempt) => attempt.status === 'done').length > 1;
  return {
    status,
    cause: latest !== undefined && (isFailed || abandoned) ? failureCause(latest) : null,
    needs: needsOf([
      ['invalid_input', problems],
      ['paid_twice', isPaidTwice && 'Two attempts of this payout are done.'],
      ['inconsistent_answer', shared !== undefined && whyShared(shared)],
      ['submission_unknown', stage === 'resolve' && error],
      ['payout_failed', isFailed && (error ?? 'The service shows the payout as failed.')],
      ['not_sent', isUnsent(stage) && unsent],
      ['unreadable', unreadable],
      ['overdue', !isOver && overdue],
      ...attempts.map((attempt) => ['payout_returned', isOwed && returned(attempt)] as const),
      ...attempts.flatMap((attempt) => needsOfAttempt(attempt, abandoned)),
    ]),
    ...(isFailed && { statements: { payout_failed: withObjection(payoutStatement(payout), unnamed) } }),
  };
}

function returned({ number, replaced, status, wasDone }: Attempt): string | false {
  const isReturned = wasDone && status !== 'done' && replaced !== true;
  return isReturned && `Attempt ${String(number)} was done and is now ${String(status)}.`;
}

function needsOfAttempt(attempt: Attempt, abandoned: boolean) {
  const { listFault, misfit, number, revived, status } = attempt;
  const name = `Attempt ${String(number)}`;
  const now = String(status);
  const [unrecognised] = unrecognisedStatuses([attempt]);
  return [
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
    [
      'unrecognised_status',
      unrecognised !== undefined && `${name} is ${quotedStatus(unrecognised)} at the service.`,
    ],
  ] as const;
}
