/** Bounds of one HTTP call, in milliseconds: connecting, waiting for headers, between body parts, in total. */
export const httpLimits = { connectMs: 5_000, headersMs: 30_000, bodyMs: 15_000, totalMs: 40_000 } as const;

/** The largest answer that is read, in bytes. A page of 200 payouts is far below it. */
export const maxAnswerBytes = 1_048_576;

/**
 * Bounds of an activity that creates something. The HTTP total is below start-to-close, so an answer is known
 * before Temporal gives up; a call not begun by {@link lastMomentToSendMs} before the end is not begun at all.
 */
export const creatingActivity = {
  startToCloseMs: 60_000,
  /** From scheduling: time to wait for a worker, and then to run. */
  scheduleToCloseMs: 180_000,
  lastMomentToSendMs: 45_000,
  /** How long after the deadline a first look for what the call did makes sense: clocks differ. */
  verificationSlackMs: 10_000,
} as const;

/** How long a card's activity may wait for the gateway that holds the card. */
export const cardDeskScheduleToStartMs = 30_000;

/** A second dispatch of the activity can't be told from a late first one beyond this; then the fate is unknown. */
export const scheduleToStartSlackMs = 5_000;

/** Bounds of a read: one attempt, and all of its retries. */
export const readingActivity = { startToCloseMs: 60_000, scheduleToCloseMs: 180_000 } as const;

/** Grace that a worker gives to running activities when it is told to stop; above the HTTP total. */
export const workerShutdownGraceMs = 65_000;
