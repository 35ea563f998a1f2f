import { dayMs } from './cadence.js';

/** By how much the times of a list may rise where it is sorted by another time that is near them. */
const slackMs = 5 * 60_000;

/** The times of the records of a list, as far as it was read, from its first page on: milliseconds since the epoch. */
export type ListOrder = {
  readonly first: number | null;
  readonly lowest: number;
  /** The youngest of the last page. */
  readonly youngest: number;
  /** No record is younger than one before it, but for the slack. */
  readonly descends: boolean;
  /** Every record of the last page has a time. */
  readonly allTimed: boolean;
};

export const unreadList: ListOrder = {
  first: null,
  lowest: Infinity,
  youngest: Infinity,
  descends: true,
  allTimed: false,
};

/** The order of a list after one more of its pages. A record without a time is undefined. */
export function withPage(before: ListOrder, times: readonly (number | undefined)[]): ListOrder {
  const timed = times.filter((time) => time !== undefined);
  const rises = (lowest: number, time: number) => time > lowest + slackMs;
  let { descends, lowest } = before;
  for (const time of timed) {
    descends &&= !rises(lowest, time);
    lowest = Math.min(lowest, time);
  }
  const allTimed = timed.length > 0 && timed.length === times.length;
  return {
    first: before.first ?? timed[0] ?? null,
    lowest,
    youngest: Math.max(...timed),
    descends,
    allTimed,
  };
}

/**
 * Whether all that follows is older than that time: a whole page of it was, for one time alone may be wrong. Only a list of which the times were seen to descend is taken to go on
 * so. One whose first record is older already may have its times off by hours: it is read for a day more.
 */
export function isPast(
  { allTimed, descends, first, lowest, youngest }: ListOrder,
  notBefore: number,
): boolean {
  if (first === null || !allTimed || !descends || first <= lowest + slackMs) return false;
  return youngest < (first >= notBefore ? notBefore : notBefore - dayMs);
}
