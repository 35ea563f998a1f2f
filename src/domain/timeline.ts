/** One line of a payment's timeline: what happened, who decided it, and how often it happened in a row. */
export type TimelineEntry = {
  at: string;
  what: string;
  by?: string | undefined;
  reason?: string | undefined;
  times?: number | undefined;
  last_at?: string | undefined;
};

const maxEntries = 60;

/**
 * Adds a line to a timeline. One that repeats the line before it is merged with it, and counted. Of more than 60 lines the
 * oldest is dropped, but neither the first one, nor the new one, nor one that names who decided. Beyond 60 of those a
 * decision that repeats an earlier one is merged with that: no decision is dropped, and none is kept twice.
 */
export function addToTimeline(timeline: TimelineEntry[], entry: TimelineEntry): void {
  const last = timeline.at(-1);
  if (last !== undefined && isRepeated(last, entry)) return count(last, entry);
  if (timeline.length >= maxEntries) {
    const dropped = timeline.findIndex(({ by }, index) => index > 0 && by === undefined);
    if (dropped > 0) timeline.splice(dropped, 1);
    else {
      const earlier = timeline.find((each) => isRepeated(each, entry));
      if (earlier !== undefined) return count(earlier, entry);
    }
  }
  timeline.push(entry);
}

function isRepeated(earlier: TimelineEntry, { by, reason, what }: TimelineEntry): boolean {
  return earlier.what === what && earlier.by === by && earlier.reason === reason;
}

function count(earlier: TimelineEntry, { at }: TimelineEntry): void {
  earlier.times = (earlier.times ?? 1) + 1;
  earlier.last_at = at;
}
