import type { PayoutReading } from '../../src/contract/outcomes.js';
import { attemptNumberOf } from '../../src/domain/ids.js';
import { payoutMisfit } from '../../src/domain/misfit.js';
import { newAttempt, type Attempt } from '../../src/domain/payout-attempts.js';
import type { Attempts } from './attempts.js';

/** Applies what a read by its identifier shows of an attempt; false when that is nothing, or not of this attempt. */
export function applyReading(attempts: Attempts, attempt: Attempt, shown: PayoutReading): boolean {
  const isOther = shown.service_id !== null && shown.service_id !== attempt.serviceId;
  const fault = isOther
    ? `The service answered with payout ${String(shown.service_id)} when asked for ${String(attempt.serviceId)}.`
    : misfitOf(attempts, attempt, shown);
  // A read outweighs an operator who has stated that nothing had happened.
  const isFound = attempt.phase !== 'known' && fault === null && shown.status !== null;
  if (isFound) adoptFound(attempts, attempt, attempt.serviceId);
  const applied = apply(attempts, attempt, shown, fault);
  if (isFound) attempts.conclude('The service holds the payout.');
  attempt.wasRead ||= applied;
  return applied;
}

/**
 * Applies what a complete scan found under the codes of this payout. A record that no attempt is known of becomes one.
 * Answers whether all that was found is followed from now on, or proven failed.
 *
 * @param readNow attempts that were read by their identifier just before: the list may lag behind
 */
export function applyScan(
  attempts: Attempts,
  records: readonly PayoutReading[],
  readNow: ReadonlySet<number> = new Set(),
): boolean {
  let clear = true;
  for (const code of new Set(records.map(({ partner_code: listed }) => listed))) {
    const number = code === null ? undefined : attemptNumberOf(attempts.record.partnerCode, code);
    if (code === null || number === undefined) continue;
    const found = records.filter(({ partner_code: listed }) => listed === code);
    clear = applyListed(attempts, attemptOf(attempts, number, code), found, readNow.has(number)) && clear;
  }
  concludePrevious(attempts);
  attempts.conclude('A complete scan of the service.');
  return clear;
}

/** An operator has found this identifier for the latest attempt, and a read or the list has confirmed it. */
export function adopt(
  attempts: Attempts,
  serviceId: string,
  { shown, wasRead }: { shown: PayoutReading; wasRead: boolean },
): void {
  const { latest } = attempts;
  Object.assign(latest, wasRead ? { wasRead } : { listed: true });
  if (latest.listId === null && shown.service_id !== serviceId) latest.listId = shown.service_id;
  know(latest, serviceId);
  if (shown.status !== null) attempts.show(latest, shown.status);
  attempts.conclude('The service holds the payout.');
}

/** What speaks against a record of the service being this attempt; null when nothing does. */
export function misfitOf({ record }: Attempts, attempt: Attempt, shown: PayoutReading): string | null {
  return payoutMisfit(attempt, record.rightCentavos, shown);
}

/** The attempt with this number; one that the service shows and that is not known here was made before a reset. */
function attemptOf({ all, data, record }: Attempts, number: number, code: string): Attempt {
  const known = all.find((attempt) => attempt.number === number);
  if (known !== undefined) return known;
  const found = { ...newAttempt(number, code, 0), phase: 'verifying' as const };
  data.attempts.push(found);
  data.attempts.sort((one, other) => one.number - other.number);
  record.note(`The service lists attempt ${String(number)}, of which nothing was known here.`);
  return found;
}

/** A further attempt is only made once every previous one is proven failed: what exists shows that they had been. */
function concludePrevious({ previous }: Attempts): void {
  for (const attempt of previous) {
    if (!['to_send', 'verifying', 'unknown'].includes(attempt.phase)) continue;
    attempt.phase = 'not_paid';
    attempt.error =
      'The service does not list it, and holds a later attempt, which was only made after it had failed.';
  }
}

function applyListed(
  attempts: Attempts,
  attempt: Attempt,
  records: readonly PayoutReading[],
  wasReadNow: boolean,
): boolean {
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
  const fault = misfitOf(attempts, attempt, shown);
  if (!wasKnown && fault === null) {
    adoptFound(attempts, attempt, shown.service_id);
  }
  if (shown.service_id !== attempt.serviceId) attempt.listId = shown.service_id;
  // Of what was read just now only a failure is open to news from the list: that it moves after all.
  const mayLag = wasReadNow && attempt.status !== 'error';
  const applied = apply(attempts, attempt, mayLag ? { ...shown, status: attempt.status } : shown, fault);
  attempts.conclude('The service holds the payout.');
  return applied && records.every((each) => each === shown || each.status === 'error');
}

function apply(attempts: Attempts, attempt: Attempt, shown: PayoutReading, fault: string | null): boolean {
  // Another status under the same misfit is news to an operator who has acknowledged it.
  attempt.misfit = fault === null ? null : `${fault} (${shown.status ?? 'no status'})`;
  if (fault !== null || shown.status === null) return false;
  attempts.show(attempt, shown.status);
  return true;
}

function adoptFound({ record }: Attempts, attempt: Attempt, serviceId: string | null): void {
  record.note(`Found at the service: attempt ${String(attempt.number)}`);
  know(attempt, serviceId);
}

function know(attempt: Attempt, serviceId: string | null): void {
  attempt.phase = 'known';
  attempt.serviceId = serviceId;
  attempt.error = null;
}
