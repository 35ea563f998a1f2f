import { attemptNumberOf } from './ids.js';
import { payoutMisfit } from './misfit.js';
import { newAttempt, provenFailed, type Attempt } from './payout-attempts.js';
import { payoutStage } from './payout-stages.js';
import { changeOf, latestOf, shownOf, unknown, type Payout, type PayoutChange } from './payout.js';

/** A payout of the service, as a read or its list shows it; null where it shows nothing. */
export type PayoutShown = {
  readonly service_id: string | null;
  readonly partner_code: string | null;
  readonly value_centavos: number | null;
  readonly status: string | null;
};

/** What was just looked at. */
export type Look = {
  /** What reads by its identifier have shown of an attempt. */
  readonly read: readonly { readonly number: number; readonly shown: PayoutShown }[];
  /** Attempts of which a read by identifier has shown nothing. */
  readonly missing: readonly number[];
  /** What the list shows; null when it was not looked at, undefined when it could not be read completely. */
  readonly listed: readonly PayoutShown[] | null | undefined;
  readonly now: number;
};

/** What is right for this payout. */
export type Right = { readonly partnerCode: string; readonly rightCentavos: readonly number[] };

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
  Object.assign(latest, wasRead ? { wasRead } : { listed: true });
  if (latest.listId === null && shown.service_id !== serviceId) latest.listId = shown.service_id;
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
  if (ofIt.length > 0) latest.listed = true;
  const movesElsewhere = ofIt.some((each) => each.status !== 'error' && each.service_id !== latest.serviceId);
  const fits = own !== null && payoutMisfit(latest, right.rightCentavos, own) === null;
  if (fits && own.status !== 'error') draft.applyReads([{ number: latest.number, shown: own }]);
  return { ...draft.change(), owesScan: payout.owesScan || movesElsewhere };
}

type Changing = { -readonly [Field in keyof Attempt]: Attempt[Field] };

/** A copy of the attempts, to which readings are applied one after the other. */
class Draft {
  readonly attempts: Changing[];
  readonly #news: string[] = [];

  constructor(
    private readonly payout: Payout,
    private readonly right: Right,
  ) {
    this.attempts = payout.attempts.map((attempt) => ({ ...attempt }));
  }

  /** What has changed. @param what has happened, where there is no other news */
  change(what = 'Read at the service.'): PayoutChange {
    const news = this.#news;
    return { attempts: this.attempts, news, ...(news.length === 0 && { what }) };
  }

  attempt(number: number): Changing {
    return this.attempts.find((each) => each.number === number) ?? newAttempt(number, '', 0);
  }

  /** Applies reads by identifier: of which attempts they fit, and whether all of them do. */
  applyReads(read: Look['read']): { clear: boolean; fitting: ReadonlySet<number> } {
    const fitting = read.filter(({ number, shown }) => this.#applyRead(this.attempt(number), shown));
    const numbers = new Set(fitting.map(({ number }) => number));
    return { clear: numbers.size === read.length, fitting: numbers };
  }

  /**
   * Applies what a complete scan found under the codes of this payout. A record that no attempt is known of becomes one.
   * Answers whether all that was found is followed from now on, or proven failed.
   *
   * @param readNow attempts that were read by their identifier just before: the list may lag behind
   */
  applyList(records: readonly PayoutShown[], readNow: ReadonlySet<number>): boolean {
    let clear = true;
    for (const code of new Set(records.map(({ partner_code: listed }) => listed))) {
      const number = code === null ? undefined : attemptNumberOf(this.right.partnerCode, code);
      if (code === null || number === undefined) continue;
      const found = records.filter(({ partner_code: listed }) => listed === code);
      clear = this.#applyListed(this.#attemptOf(number, code), found, readNow.has(number)) && clear;
    }
    this.#concludePrevious();
    return clear;
  }

  /** Applies a status that the service itself has shown. */
  show(attempt: Changing, status: string): void {
    if (status === attempt.status) return;
    this.#news.push(changeOf(attempt, status));
    Object.assign(attempt, shownOf({ ...this.payout, attempts: this.attempts }, attempt, status));
  }

  /** False when a read by its identifier shows nothing of an attempt, or not this one. */
  #applyRead(attempt: Changing, shown: PayoutShown): boolean {
    const isOther = shown.service_id !== null && shown.service_id !== attempt.serviceId;
    const fault = isOther
      ? `The service answered with payout ${String(shown.service_id)} when asked for ${String(attempt.serviceId)}.`
      : payoutMisfit(attempt, this.right.rightCentavos, shown);
    // A read outweighs an operator who has stated that nothing had happened.
    if (attempt.phase !== 'known' && fault === null && shown.status !== null) {
      this.#adopt(attempt, attempt.serviceId);
    }
    const applied = this.#apply(attempt, shown, fault);
    attempt.wasRead ||= applied;
    return applied;
  }

  #applyListed(attempt: Changing, records: readonly PayoutShown[], wasReadNow: boolean): boolean {
    const shown = records.find(({ status }) => status !== 'error') ?? records[0];
    if (shown === undefined) return true;
    attempt.listed = true;
    const wasKnown = attempt.phase === 'known';
    const isNameless = !wasKnown && shown.service_id === null;
    attempt.listFault = isNameless
      ? `The service lists attempt ${String(attempt.number)} without a usable identifier.`
      : records.length > 1
        ? `The service lists ${attempt.partnerCode} ${String(records.length)} times.`
        : null;
    if (isNameless) return false;
    const fault = payoutMisfit(attempt, this.right.rightCentavos, shown);
    if (!wasKnown && fault === null) this.#adopt(attempt, shown.service_id);
    if (shown.service_id !== attempt.serviceId) attempt.listId = shown.service_id;
    // Of what was read just now only a failure is open to news from the list: that it moves after all.
    const mayLag = wasReadNow && attempt.status !== 'error';
    const applied = this.#apply(attempt, mayLag ? { ...shown, status: attempt.status } : shown, fault);
    return applied && records.every((each) => each === shown || each.status === 'error');
  }

  #apply(attempt: Changing, shown: PayoutShown, fault: string | null): boolean {
    // Another status under the same misfit is news to an operator who has acknowledged it.
    attempt.misfit = fault === null ? null : `${fault} (${shown.status ?? 'no status'})`;
    if (fault !== null || shown.status === null) return false;
    this.show(attempt, shown.status);
    return true;
  }

  /** The attempt with this number; one that the service shows and that is not known here was made before a reset. */
  #attemptOf(number: number, code: string): Changing {
    const known = this.attempts.find((attempt) => attempt.number === number);
    if (known !== undefined) return known;
    const found: Changing = { ...newAttempt(number, code, 0), phase: 'verifying' };
    this.attempts.push(found);
    this.attempts.sort((one, other) => one.number - other.number);
    this.#news.push(`The service lists attempt ${String(number)}, of which nothing was known here.`);
    return found;
  }

  /** A further attempt is only made once every previous one is proven failed: what exists shows that they had been. */
  #concludePrevious(): void {
    for (const attempt of this.attempts.slice(0, -1)) {
      if (!['to_send', 'verifying', 'unknown'].includes(attempt.phase)) continue;
      attempt.phase = 'not_paid';
      attempt.error =
        'The service does not list it, and holds a later attempt, which was only made after it had failed.';
    }
  }

  #adopt(attempt: Changing, serviceId: string | null): void {
    this.#news.push(`Found at the service: attempt ${String(attempt.number)}`);
    know(attempt, serviceId);
  }
}

function isVerified({ attempts }: Draft): boolean {
  return payoutStage(attempts) === 'verify';
}

/** An attempt that nothing was known of, and that can't be followed as it is listed, is looked for from now on. */
function lookingAgain(payout: Payout, change: PayoutChange, now: number): PayoutChange {
  const again = unknown({ ...payout, ...change }, 'It can not be followed as the list shows it.', now);
  return { ...change, ...again, news: [...(change.news ?? []), ...(again.news ?? [])] };
}

function know(attempt: Changing, serviceId: string | null): void {
  attempt.phase = 'known';
  attempt.serviceId = serviceId;
  attempt.error = null;
}
