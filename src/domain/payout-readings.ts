import { payoutMisfit, type PayoutShown } from './misfit.js';
import { provenFailed, type Attempt } from './payout-attempts.js';
import { Draft, know, type AttemptShown, type Right } from './payout-draft.js';
import { payoutStage } from './payout-stages.js';
import { latestOf, unknown, type Payout, type PayoutChange } from './payout.js';
import { isSameIdentifier } from './service-ids.js';

/** What was just looked at. */
export type Look = {
  /** What reads by its identifier have shown of an attempt. */
  readonly read: readonly AttemptShown[];
  /** Attempts of which a read by identifier has shown nothing. */
  readonly missing: readonly number[];
  /** What the list shows; null when it was not looked at, undefined when it could not be read completely. */
  readonly listed: readonly PayoutShown[] | null | undefined;
  readonly now: number;
};

/** What reads of all attempts came to: `unclear` when some reading does not fit. */
export type ReadResult = 'clear' | 'unclear' | 'unreadable';

/**
 * Draws the conclusions from all that was shown at once. Movement comes first: no failure is concluded before all that
 * was shown is known, after a reset also of other attempts; and movement that any reading shows outweighs a failure.
 */
export function lookedAt(
  payout: Payout,
  { listed, missing, now, read }: Look,
  right: Right,
): { change: PayoutChange; result: ReadResult } {
  const draft = new Draft(payout, right);
  const failures = read.filter(({ shown }) => shown.status === 'error');
  const moving = draft.applyReads(read.filter((each) => !failures.includes(each)));
  if (listed === undefined) {
    if (!payout.owesScan) draft.applyReads(failures);
    return { change: draft.change(), result: 'unreadable' };
  }
  const wasVerified = isVerified(draft);
  const isListClear = listed === null || draft.applyList(listed, moving.fitting);
  const isLostAgain = !wasVerified && isVerified(draft);
  const isListed = ({ partnerCode }: Attempt) => listed?.some((each) => each.partner_code === partnerCode);
  const isListedMoving = ({ partnerCode }: Attempt) =>
    listed?.some(({ partner_code: code, status }) => code === partnerCode && status !== 'error') === true;
  // Movement that the list shows is news to a read that showed a failure.
  const failed = draft.applyReads(
    failures.map(({ number, shown }) => {
      const attempt = draft.attempt(number);
      return { number, shown: isListedMoving(attempt) ? { ...shown, status: attempt.status } : shown };
    }),
  );
  for (const each of read) {
    const attempt = draft.attempt(each.number);
    draft.contradict(attempt, failures.includes(each) && isListedMoving(attempt));
  }
  const change = isLostAgain ? lookingAgain(payout, draft.change(), now) : draft.change();
  const isInNeither = (attempt: Attempt) => listed === null || attempt.wasRead || isListed(attempt) !== true;
  if (missing.some((number) => isInNeither(draft.attempt(number)))) return { change, result: 'unreadable' };
  const isMoving = (attempt: Attempt) => moving.fitting.has(attempt.number) || isListedMoving(attempt);
  const isProven = !draft.attempts.some((each) => isMoving(each) && provenFailed(each));
  return { change, result: isProven && isListClear && moving.clear && failed.clear ? 'clear' : 'unclear' };
}

/** An operator has found this identifier for the latest attempt, and a read or the list has confirmed it. */
export function adopted(
  payout: Payout,
  serviceId: string,
  { shown, wasRead }: { shown: PayoutShown; wasRead: boolean },
  right: Right,
): PayoutChange {
  const draft = new Draft(payout, right);
  const latest = draft.attempt(latestOf(payout).number);
  Object.assign(latest, { wasRead, ...(!wasRead && { listed: true }) });
  if (latest.listId === null && !isSameIdentifier(shown.service_id, serviceId))
    latest.listId = shown.service_id;
  know(latest, serviceId);
  if (shown.status !== null) draft.show(latest, shown.status);
  return draft.change('The service holds the payout.');
}

/** What a command has looked at. */
export type SeenByCommand = {
  /** What a read by the identifier of the latest attempt has shown; null when nothing. */
  readonly own: PayoutShown | null;
  /** What the list, and reads by other identifiers, have shown. */
  readonly records: readonly PayoutShown[];
};

/**
 * What a command has seen of the latest attempt is known from then on, also when the command is refused: that a record
 * of it was shown, and movement that its own identifier shows. A failure waits for a look at all attempts, and where
 * another identifier has shown movement for one at the list.
 */
export function seenByCommand(payout: Payout, { own, records }: SeenByCommand, right: Right): PayoutChange {
  const draft = new Draft(payout, right);
  const latest = draft.attempt(latestOf(payout).number);
  const ofIt = records.filter(({ partner_code: code }) => code === latest.partnerCode);
  const [listed] = ofIt;
  if (listed !== undefined) {
    latest.listed = true;
    if (latest.phase !== 'known') {
      draft.note(latest, listed);
      // By that an operator can have it followed, also once the service has lost the record.
      latest.listId ??= listed.service_id;
    }
  }
  const movesElsewhere = ofIt.some(
    (each) => each.status !== 'error' && !isSameIdentifier(each.service_id, latest.serviceId),
  );
  const fits = own !== null && payoutMisfit(latest, right.rightCentavos, own) === null;
  if (fits && own.status !== 'error') draft.applyReads([{ number: latest.number, shown: own }]);
  return { ...draft.change(), owesScan: payout.owesScan || movesElsewhere };
}

function isVerified({ attempts }: Draft): boolean {
  return payoutStage(attempts) === 'verify';
}

/** An attempt that nothing was known of, and that can't be followed as it is listed, is looked for from now on. */
function lookingAgain(payout: Payout, change: PayoutChange, now: number): PayoutChange {
  const again = unknown({ ...payout, ...change }, 'It can not be followed as the list shows it.', now);
  return { ...change, ...again, news: [...(change.news ?? []), ...(again.news ?? [])] };
}
