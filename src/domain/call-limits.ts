import { dayMs, passingMs, watchDays } from './cadence.js';

/** Bounds of one HTTP call, in milliseconds: connecting, waiting for headers, between chunks of the body, in total. */
export const httpLimits = { connectMs: 5_000, headersMs: 30_000, bodyMs: 15_000, totalMs: 35_000 } as const;

/** The largest answer that is read, in bytes. A page of 200 payouts is far below it. */
export const maxAnswerBytes = 1_048_576;

/**
 * Bounds of an activity that creates something. Temporal gives up `startToCloseMs` after a worker took the task,
 * which is never before `startToCloseMs` after the task was scheduled. A call whose first byte leaves within
 * `lastMomentToSendMs` of the scheduling (a server timestamp) and that takes `httpLimits.totalMs` at most is
 * therefore over before Temporal gives up, even on a worker that was frozen in between. A task that no worker takes within
 * `scheduleToStartMs` was never started, as Temporal itself reports. The call is queued again when its turn comes; for a call
 * with a card it means that the gateway that held the card is gone.
 */
export const creatingActivity = {
  scheduleToStartMs: 25_000,
  startToCloseMs: 75_000,
  lastMomentToSendMs: 35_000,
} as const;

/** How long a turn waits, at most, while creating calls wait in their queue. */
export const turnActivity = { waitsMs: 25_000, startToCloseMs: 30_000 } as const;

/** Bounds of a read: of one try, above that of its HTTP call, and of both tries. The second is for a worker that has died. */
export const readingActivity = { startToCloseMs: 18_000, scheduleToCloseMs: 40_000 } as const;

/** Bounds of a scan of the list of payouts: the list of a busy account takes many minutes. */
export const scanningActivity = { startToCloseMs: 1_800_000, heartbeatMs: 60_000 } as const;

/**
 * A command that a payment has taken is executed or refused within `executedMs`: as long as a scan that is under way and one
 * of its own may take. `readsMs` of them are left for reads after the scan.
 */
export const commandLimits = { executedMs: 3_600_000, readsMs: 60_000 } as const;

/**
 * The task queue of reads of one payment: apart, so that they never take the slots of calls that create something, and do
 * not count in the pace of these.
 */
export function readTaskQueue(taskQueue: string): string {
  return `${taskQueue}-reads`;
}

/** The task queue of scans: apart, so that they never take the slots of calls that create something. */
export function scanTaskQueue(taskQueue: string): string {
  return `${taskQueue}-scans`;
}

/**
 * The task queue of what acts on our own payments by the hundred, for batches, bulk retries and resends: apart, so that
 * however many of them run, no call that creates something waits for a slot.
 */
export function bulkTaskQueue(taskQueue: string): string {
  return `${taskQueue}-bulk`;
}

/**
 * The task queue of turns: payments whose creating calls exceed the pace wait here, without a deadline and in the order of
 * their scheduling. Temporal starts its tasks at the pace of the main queue.
 */
export function turnTaskQueue(taskQueue: string): string {
  return `${taskQueue}-turns`;
}

/** How long Temporal's search may take to show what a payment has published, whatever the scale of its waits. */
const searchLagMs = 3_000;

/** How long after a payment has got an identifier search is sure to show it: it may be published with the next read only. */
export function searchableAfterMs(scale: number): number {
  return passingMs(scale) + searchLagMs;
}

/** How long a claim holds an identifier: search shows the payment that has it long before that. */
export const identifierClaimMs = 10 * 60_000;

/** How the list of payouts and our clock may differ: a scan looks so much further back than the start. */
export const scanMarginMs = 15 * 60_000;

/**
 * How far before the start of a payout a scan reads. As far back as the service's list is watched at all, when a start
 * may reuse an id, since a deleted run may have paid, and when an identifier may be that of an earlier payment.
 */
export function scanBackMs(
  startedOnce: boolean,
  target: { readonly for_command?: boolean; readonly service_ids?: readonly string[] } = {},
): number {
  const readsOthers = target.service_ids !== undefined && target.for_command !== true;
  return startedOnce && !readsOthers ? scanMarginMs : scanMarginMs + watchDays.payout * dayMs;
}

/**
 * Within a creating activity: how long the search for an earlier run, then a scan of a payout or the read of the order of a
 * refund, then the mark may take before the send.
 */
export const beforeSending = { searchMs: 10_000, scanMs: 10_000, readMs: 10_000, markMs: 5_000 } as const;

/** With SCAN_BEFORE_SEND=always a scan looks so far back from now, for what was started in a time that was lost. */
export const lostTimeMs = 3 * 24 * 60 * 60_000;

/** Grace that a worker gives to running activities when it is stopped; above the HTTP total. */
export const workerShutdownGraceMs = 45_000;

/** So often a workflow task fails before that is reported: a first failure may be a worker that was stopped in the middle. */
export const taskFailedOften = 3;
