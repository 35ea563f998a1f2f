import { freshDecisionMs } from './cadence.js';
import { attemptPartnerCode } from './ids.js';
import { maskedPayee, redirection } from './masked-payee.js';
import { newAttempt, provenFailed, shownFrom } from './payout-attempts.js';
import type { Look, ReadResult } from './payout-readings.js';
import { awaitsDecision, type PayoutStage } from './payout-stages.js';
import {
  failed,
  latestOf,
  previousOf,
  undecided,
  type Payout,
  type PayoutChange,
  type PayoutCorrections,
} from './payout.js';
import { Refused } from './refused.js';
import { newSubmission, type SubmissionState } from './submission.js';

/**
 * What a fresh look at all attempts means for the latest one, which was to be sent: `send` it; it has `moved_on`; a
 * previous one did not fail after all (`previous_moved`); the service's list holds it already (`listed`); or nothing is
 * proven (`unclear`), also because the look took so long that what it saw first may have changed (`too_slow`).
 */
export type SendVerdict = 'send' | 'moved_on' | 'previous_moved' | 'listed' | 'unclear' | 'too_slow';

export function sendVerdict(
  payout: Payout,
  { result, stage, tookMs }: { result: ReadResult; stage: PayoutStage; tookMs: number },
): SendVerdict {
  if (stage !== 'submit') return 'moved_on';
  if (!previousOf(payout).every(provenFailed)) return 'previous_moved';
  if (latestOf(payout).listed === true) return 'listed';
  if (result !== 'clear') return 'unclear';
  return tookMs > freshDecisionMs ? 'too_slow' : 'send';
}

/** What a fresh look at all attempts has come to, for a command. */
export type FreshLook = {
  readonly stage: PayoutStage;
  readonly status: string;
  readonly result: ReadResult;
  /** What did not fit before is still to be seen by an operator. */
  readonly isInconsistent: boolean;
};

/** Why the look does not prove that every attempt has failed; undefined when it does. */
export function notProvenFailed({ isInconsistent, result, stage, status }: FreshLook): Refused | undefined {
  if (!awaitsDecision(stage)) {
    const what = `A fresh read shows that a previous attempt did not fail: ${status}. Nothing was sent.`;
    return new Refused('AlreadyMoving', what);
  }
  if (result === 'unreadable') {
    const what = 'The previous attempts could not be read just now, so nothing was sent. Try again later.';
    return new Refused('CouldNotRead', what);
  }
  if (result === 'clear' && !isInconsistent) return undefined;
  const what = 'What the service shows of a previous attempt is not clear, so nothing was sent.';
  return new Refused('CouldNotRead', what);
}

/**
 * Whether a read shows the failure of an attempt that the list holds under another identifier as well: that other one may
 * be what moves, so that the list is looked at before the failure is concluded.
 */
export function isDoubtful({ attempts }: Payout, { number, shown }: Look['read'][number]): boolean {
  const attempt = attempts.find((each) => each.number === number);
  if (attempt === undefined || shown.status !== 'error' || attempt.status === 'error') return false;
  return attempt.listId !== null || (attempt.listFault ?? null) !== null;
}

/** The service answered that it did nothing, which proves nothing: only a scan that begins after that counts. */
export function unconfirmed(
  payout: Payout,
  submission: SubmissionState,
  { now, scale }: { now: number; scale: number },
): PayoutChange {
  const at = Math.max(submission.at, shownFrom([{ deniedAt: now }], scale));
  return {
    ...undecided(payout, { deniedAt: now }),
    submission: { ...submission, at },
    scanBegunAt: null,
  };
}

/** The service refused it, which proves nothing either. */
export function refused(payout: Payout, reason: string, now: number): PayoutChange {
  const change = failed(payout, 'refused', `The service refused the payout: ${reason}`, { deniedAt: now });
  return { ...change, scanBegunAt: null };
}

/** The attempt that waits to be sent is not sent any more. Of one that was answered the service's word is no proof. */
export function notSent(payout: Payout, why: string): PayoutChange {
  if (latestOf(payout).deniedAt === undefined) return failed(payout, 'never_sent', `Not sent. ${why}`);
  const what = `Not sent again. ${why} The service had answered that it did nothing.`;
  return { ...failed(payout, 'refused', what), scanBegunAt: null };
}

/**
 * A further attempt. The caller has proven, by a look that began at `provenAt`, that every previous one failed. Where that
 * look came too soon to show what the service has taken, another one comes before it is sent.
 */
export function nextAttempt(
  payout: Payout,
  partnerCode: string,
  {
    bulkRetryId,
    corrections = {},
    input,
    now,
    provenAt,
    scale,
  }: {
    bulkRetryId?: string | undefined;
    corrections?: PayoutCorrections | undefined;
    /** Which they correct. */
    input: object;
    now: number;
    provenAt: number;
    scale: number;
  },
): PayoutChange {
  const shown = shownFrom(payout.attempts, scale);
  const number = latestOf(payout).number + 1;
  const { latest: previous } = payout.corrections;
  const latest = { ...previous, ...corrections };
  const payee = maskedPayee({ ...input, ...latest });
  const attempt = newAttempt(number, attemptPartnerCode(partnerCode, number), now, payee);
  const redirected = redirection({ ...input, ...previous }, { ...input, ...latest });
  const corrected = Object.keys(corrections);
  const how =
    corrected.length === 0
      ? ''
      : `, corrected: ${[corrected.join(', '), redirected].filter(Boolean).join('. ')}`;
  return {
    attempts: [
      ...payout.attempts.map((each) => (each.wasDone ? { ...each, replaced: true } : each)),
      { ...attempt, ...(bulkRetryId !== undefined && { bulkRetryId }) },
    ],
    corrections: { previous, latest },
    submission: newSubmission(Math.max(now, shown)),
    overdueFrom: null,
    overdue: null,
    provenAt: provenAt < shown ? 0 : provenAt,
    news: [`Attempt ${String(number)} begun${how}`],
    what: 'The payout is submitted again.',
  };
}
