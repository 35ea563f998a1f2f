/**
 * Rate limiter without drift or bursts. Each moment is reckoned from the one before it, not from when the
 * caller woke up, so the rate does not drift; a delay is not made up for, so it never goes faster either.
 */
export class RateLimiter {
  readonly #intervalMs: number;
  #lastMs: number;

  /** @param nowMs of a clock that nobody sets. The first moment is an interval away: something may just have happened. */
  constructor(perSecond: number, nowMs: number) {
    this.#intervalMs = 1_000 / perSecond;
    this.#lastMs = nowMs;
  }

  /** How many milliseconds to wait from now for the next moment. */
  waitMs(nowMs: number): number {
    const due = this.#lastMs + this.#intervalMs;
    this.#lastMs = Math.max(due, nowMs);
    return Math.max(0, due - nowMs);
  }
}
