/** Left out: words, and what is said of the past. */
const unseen = new Set(['timeline', 'error', 'misfit', 'updatedAt', 'lastRead', 'refusal']);

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Moments are alike when they lie between the same two of these, before or after now. */
const marks = [
  1,
  10 * second,
  minute,
  5 * minute,
  30 * minute,
  hour,
  12 * hour,
  day,
  3 * day,
  8 * day,
  15 * day,
];
/** Every later number is a moment. */
const firstMoment = Date.UTC(2020, 0);

/** The same text for two snapshots that behave alike: moments as they lie around now, and no words. */
export function shapeOf(snapshot: object, now: number): string {
  return JSON.stringify(snapshot, (name, value: unknown) => {
    if (typeof value === 'number') return value < firstMoment ? value : around(value - now);
    if (unseen.has(name)) return undefined;
    return name === 'raised' && typeof value === 'object' && value !== null ? Object.keys(value) : value;
  });
}

function around(ms: number): string {
  const mark = marks.findIndex((each) => Math.abs(ms) < each);
  return `${ms < 0 ? '-' : '+'}${String(mark)}`;
}
