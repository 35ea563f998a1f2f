/** Bounds of a batch of payouts. A page is one workflow, and its input one payload of at most 2 MB. */
export const batchLimits = {
  rows: 10_000,
  /** Characters of one row as it is written; the longest one that is valid has fewer. */
  rowLength: 65_536,
  /** How many batches one API key may be sending at a time, and how many it may be reading with their payouts. */
  atOnce: 4,
  pageRows: 500,
  pageBytes: 1_500_000,
  /** Of the whole request, over HTTP. */
  bodyBytes: 16 * 1_048_576,
  /** More than these are counted only. */
  listedErrors: 100,
} as const;

/** Starts a second of one batch, unless it gives another rate. */
export const defaultStartsPerSecond = 25;

/** A page starts its rows in strides of about so much time, and of so many rows at most: what its progress shows. */
const strideSeconds = 4;
const longestStride = 50;

/** How many rows one stride of a page starts. */
export function strideRows(startsPerSecond: number): number {
  return Math.max(1, Math.min(longestStride, Math.round(startsPerSecond * strideSeconds)));
}

/**
 * How long a page waits at most for the one before it to report that it has finished: twice what the rows before it
 * take, and a minute. Only a page that was lost or terminated makes it wait so long.
 */
export function longestTurnMs(rowsBefore: number, startsPerSecond: number): number {
  return (rowsBefore / startsPerSecond) * 2_000 + 60_000;
}
