/** One line of a payment's timeline: what happened, who decided it, and how often it happened in a row. */
export type TimelineEntry = {
  readonly at: string;
  readonly what: string;
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
  readonly times?: number | undefined;
  readonly last_at?: string | undefined;
};

/** Who decided something, and why. */
export type Operator = { readonly by?: string | undefined; readonly reason?: string | undefined };

const maxEntries = 60;

/**
 * A timeline with one more line. One that repeats the line before it is merged with it, and counted. Of more than 60 lines
 * the oldest is dropped, but neither the first one, nor the new one, nor one that names who decided. Beyond 60 of those a
 * decision that repeats an earlier one is merged with that: no decision is dropped, and none is kept twice.
 *
 * @param at when it happened, in milliseconds since the epoch
 */
export function withLine(
  timeline: readonly TimelineEntry[],
  what: string,
  at: number,
  { by, reason }: Operator = {},
): readonly TimelineEntry[] {
  const entry: TimelineEntry = {
    at: new Date(at).toISOString(),
    what,
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
  };
  const last = timeline.length - 1;
  if (isRepeated(timeline[last], entry)) return countedAt(timeline, last, entry);
  if (timeline.length < maxEntries) return [...timeline, entry];
  const dropped = timeline.findIndex(({ by }, index) => index > 0 && by === undefined);
  if (dropped > 0) return [...timeline.slice(0, dropped), ...timeline.slice(dropped + 1), entry];
  const earlier = timeline.findIndex((each) => isRepeated(each, entry));
  return earlier < 0 ? [...timeline, entry] : countedAt(timeline, earlier, entry);
}

function isRepeated(earlier: TimelineEntry | undefined, { by, reason, what }: TimelineEntry): boolean {
  return earlier?.what === what && earlier.by === by && earlier.reason === reason;
}

function countedAt(timeline: readonly TimelineEntry[], index: number, { at }: TimelineEntry) {
  return timeline.map((each, i) =>
    i === index ? { ...each, times: (each.times ?? 1) + 1, last_at: at } : each,
  );
}
