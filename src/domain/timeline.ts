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
 * Adds a line to a timeline. A line that repeats the one before it is merged with it. Of more than 60 lines the
 * oldest is dropped, but never the first one nor one that names who decided.
 */
export function addToTimeline(timeline: TimelineEntry[], entry: TimelineEntry): void {
  const last = timeline.at(-1);
  if (last?.by === undefined && entry.by === undefined && last?.what === entry.what) {
    last.times = (last.times ?? 1) + 1;
    last.last_at = entry.at;
    return;
  }
  timeline.push(entry);
  if (timeline.length <= maxEntries) return;
  const dropped = timeline.findIndex(({ by }, index) => index > 0 && by === undefined);
  if (dropped > 0) timeline.splice(dropped, 1);
}
