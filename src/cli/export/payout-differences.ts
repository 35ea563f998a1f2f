import { attemptNumberOf } from '../../domain/ids.js';
import { toCentavos, decimalText, unreadableAmount } from '../../domain/money.js';
import { isAsListed } from '../../domain/reconciling.js';
import { isSameIdentifier } from '../../domain/service-ids.js';

/** What may be different between a record of the service's list and our payout, the gravest first. */
export const payoutDifferences = [
  'two_attempts_done',
  'not_ours',
  'only_ours',
  'another_value',
  'another_status',
] as const;
export type PayoutDifference = (typeof payoutDifferences)[number];

/** Our payout, as search shows it. */
export type OurPayout = {
  partner_code: string | null;
  service_id: string | null;
  status: string | null;
  /** In reais. */
  value: number | null;
};

/** A record that the service's list has under the code of that payout; `value` is a decimal text. */
export type ListedAttempt = {
  id: string | null;
  partner_code: string | null;
  status: string | null;
  value: string | null;
};

/**
 * The difference of each record of one payout, in their order; null where there is none. A record without a code counts
 * as the attempt whose identifier it has.
 */
export function differencesOf(
  own: OurPayout,
  records: readonly ListedAttempt[],
): (PayoutDifference | null)[] {
  const numbers = records.map((record) => numberOf(own, record));
  const latest = latestOf(own, records, numbers);
  const doneCount = records.filter(({ status }) => status === 'done').length;
  const value = own.value === null ? undefined : toCentavos(own.value);
  return records.map((record, at) => {
    if (record.status === 'done' && doneCount > 1) return 'two_attempts_done';
    if (isTwin(own, records, numbers, at)) return 'not_ours';
    if (isAnotherValue(record.value, value)) return 'another_value';
    // An attempt that failed is no contradiction to a payout that was retried.
    if (record !== latest && record.status === 'error') return null;
    // Money may have left by a previous attempt, though the latest failed.
    if (record.status === 'error' && own.status === 'done' && doneCount > 0) return null;
    return isAsListed(own.status, record.status) ? null : 'another_status';
  });
}

/** The number of the attempt that a record stands for; null when that is not known. */
export function numberOf({ partner_code }: OurPayout, record: ListedAttempt): number | null {
  if (partner_code === null || record.partner_code === null) return null;
  return attemptNumberOf(partner_code, record.partner_code) ?? null;
}

/** By our identifier; the list may use others, then by the number of the attempt. */
function latestOf(
  own: OurPayout,
  records: readonly ListedAttempt[],
  numbers: readonly (number | null)[],
): ListedAttempt | undefined {
  const known = records.find(({ id }) => id !== null && isSameIdentifier(id, own.service_id));
  if (known !== undefined) return known;
  const highest = Math.max(...numbers.map((number) => number ?? 0));
  return records.find((_, at) => (numbers[at] ?? 0) === highest);
}

/** A second record of an attempt that we have sent once: that which has our identifier, or is the oldest, is ours. */
function isTwin(
  own: OurPayout,
  records: readonly ListedAttempt[],
  numbers: readonly (number | null)[],
  at: number,
): boolean {
  const same = records.filter((_, other) => numbers[other] !== null && numbers[other] === numbers[at]);
  if (same.length < 2) return false;
  const ours = same.find(({ id }) => id !== null && isSameIdentifier(id, own.service_id)) ?? same.at(-1);
  return records[at] !== ours;
}

function isAnotherValue(listed: string | null, ours: number | undefined): boolean {
  if (listed === null || ours === undefined) return false;
  return listed === unreadableAmount || listed !== decimalText(ours);
}
