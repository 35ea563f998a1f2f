import { attemptNumberOf } from './ids.js';
import { payoutMisfit, type PayoutShown } from './misfit.js';
import { changeOf, contradiction, newAttempt, type Attempt } from './payout-attempts.js';
import { shownOf, type Payout, type PayoutChange } from './payout.js';
import { isSameIdentifier } from './service-ids.js';

/** What is right for this payout. */
export type Right = { readonly partnerCode: string; readonly rightCentavos: readonly number[] };

/** What a read by its identifier has shown of an attempt. */
export type AttemptShown = { readonly number: number; readonly shown: PayoutShown };

export type Changing = { -readonly [Field in keyof Attempt]: Attempt[Field] };

/** A copy of the attempts, to which readings are applied one after the other. */
export class Draft {
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

  /** Notes whether the list shows movement of an attempt that a read has just shown as failed; it is said once. */
  contradict(attempt: Changing, isContradicted: boolean): void {
    if (isContradicted && attempt.isContradicted !== true) this.#news.push(contradiction(attempt.number));
    if (isContradicted) attempt.isContradicted = true;
    else delete attempt.isContradicted;
  }

  attempt(number: number): Changing {
    return this.attempts.find((each) => each.number === number) ?? newAttempt(number, '', 0);
  }

  /** Applies reads by identifier: of which attempts they fit, and whether all of them do. */
  applyReads(read: readonly AttemptShown[]): { clear: boolean; fitting: ReadonlySet<number> } {
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

  /** Notes what speaks against a record being of this attempt. */
  note(
    attempt: Changing,
    shown: PayoutShown,
    fault = payoutMisfit(attempt, this.right.rightCentavos, shown),
  ): void {
    // Another status under the same misfit is news to an operator who has acknowledged it.
    attempt.misfit = fault === null ? null : `${fault} (${shown.status ?? 'no status'})`;
  }

  /** Applies a status that the service itself has shown. */
  show(attempt: Changing, status: string): void {
    if (status === attempt.status) return;
    this.#news.push(changeOf(attempt, status));
    Object.assign(attempt, shownOf({ ...this.payout, attempts: this.attempts }, attempt, status));
  }

  /** False when a read by its identifier shows nothing of an attempt, or not this one. */
  #applyRead(attempt: Changing, shown: PayoutShown): boolean {
    const isOther = shown.service_id !== null && !isSameIdentifier(shown.service_id, attempt.serviceId);
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
    if (!isSameIdentifier(shown.service_id, attempt.serviceId)) attempt.listId = shown.service_id;
    // Of what was read just now only a failure is open to news from the list: that it moves after all.
    const mayLag = wasReadNow && attempt.status !== 'error';
    const applied = this.#apply(attempt, mayLag ? { ...shown, status: attempt.status } : shown, fault);
    return applied && records.every((each) => each === shown || each.status === 'error');
  }

  #apply(attempt: Changing, shown: PayoutShown, fault: string | null): boolean {
    this.note(attempt, shown, fault);
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

export function know(attempt: Changing, serviceId: string | null): void {
  attempt.phase = 'known';
  attempt.serviceId = serviceId;
  attempt.error = null;
}
