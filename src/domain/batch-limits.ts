/** Bounds of a batch of payouts. A page is one workflow, and its input one payload of at most 2 MB. */
export const batchLimits = {
  rows: 10_000,
  /** Characters of one row as it is written; the longest one that is valid has fewer. */
  rowLength: 65_536,
  /** How many batches one API key may be sending at a time. */
  atOnce: 4,
  pageRows: 500,
  pageBytes: 1_500_000,
  /** Of the whole request, over HTTP. */
  bodyBytes: 16 * 1_048_576,
  /** More than these are counted only. */
  listedErrors: 100,
} as const;

/**
 * How many of each one owner may have running, by their workflows: pages of batches, bulk retries, resends. Each takes
 * one slot of a worker at a time, or one for each of its pages.
 */
export const mostRunning = { payoutBatch: 100, bulkRetry: 10, webhookResend: 10 } as const;

/** Starts a second of one batch, unless it gives another rate. */
export const defaultStartsPerSecond = 25;

/**
 * While a creating call has waited so long for its turn, batches and bulk retries start no more of them. Temporal says so
 * up to five seconds late: with less, the queue would run empty meanwhile.
 */
export const longestBacklogMs = 6_000;

/** One activity acts on a stride of rows, of about so much time and of so many rows at most: what progress shows. */
const strideSeconds = 4;
const longestStride = 50;

/** So many rows, so many a second; `waitMs` is what the workflow waits before them. */
export type Stride = { readonly rows: number; readonly perSecond: number; readonly waitMs: number };

/** A stride at a pace. Of a slow pace the workflow waits the greater part: an activity that waits holds a slot. */
export function strideOf(perSecond: number): Stride {
  const rows = Math.max(1, Math.min(longestStride, Math.round(perSecond * strideSeconds)));
  const inActivity = Math.max(perSecond, 1 / strideSeconds);
  return { rows, perSecond: inActivity, waitMs: Math.round(1_000 / perSecond - 1_000 / inActivity) };
}

/**
 * How long a page waits at most for the one before it to report that it has finished: twice what the rows before it
 * take, and a minute. Only a page that was lost or terminated makes it wait so long.
 */
export function longestTurnMs(rowsBefore: number, startsPerSecond: number): number {
  return (rowsBefore / startsPerSecond) * 2_000 + 60_000;
}
