import { freshDecisionMs } from './cadence.js';
import { provenFailed } from './payout-attempts.js';
import type { Look, ReadResult } from './payout-readings.js';
import type { PayoutStage } from './payout-stages.js';
import { failed, latestOf, previousOf, undecided, type Payout, type PayoutChange } from './payout.js';
import { Refused } from './refused.js';
import type { SubmissionState } from './submission.js';

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
  if (stage !== 'decide') {
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

/** Its list has so long to show what it has taken. */
const soonestLookMs = 15_000;

/** The service answered that it did nothing, which proves nothing: only a scan that begins after that counts. */
export function unconfirmed(
  payout: Payout,
  submission: SubmissionState,
  { now, scale }: { now: number; scale: number },
): PayoutChange {
  const at = Math.max(submission.at, now + soonestLookMs * scale);
  return {
    ...undecided(payout, { answeredAsNothing: true }),
    submission: { ...submission, at },
    scanBegunAt: null,
  };
}

/** The attempt that waits to be sent is not sent any more. Of one that was answered the service's word is no proof. */
export function notSent(payout: Payout, why: string): PayoutChange {
  return latestOf(payout).answeredAsNothing === true
    ? failed(payout, 'refused', `Not sent again. ${why} The service had answered that it did nothing.`)
    : failed(payout, 'never_sent', `Not sent. ${why}`);
}
