import { provenFailed } from './payout-attempts.js';
import type { Look, ReadResult } from './payout-readings.js';
import type { PayoutStage } from './payout-stages.js';
import { latestOf, previousOf, type Payout } from './payout.js';
import { Refused } from './refused.js';

/**
 * What a fresh look at all attempts means for the latest one, which was to be sent: `send` it; it has `moved_on`; a
 * previous one did not fail after all (`previous_moved`); the service's list holds it already (`listed`); or nothing is
 * proven (`unclear`).
 */
export type SendVerdict = 'send' | 'moved_on' | 'previous_moved' | 'listed' | 'unclear';

export function sendVerdict(payout: Payout, stage: PayoutStage, result: ReadResult): SendVerdict {
  if (stage !== 'submit') return 'moved_on';
  if (!previousOf(payout).every(provenFailed)) return 'previous_moved';
  if (latestOf(payout).listed === true) return 'listed';
  return result === 'clear' ? 'send' : 'unclear';
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
