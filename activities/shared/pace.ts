import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Lets things happen at most so often a second. Each moment is reckoned from the one before it, not from when the
 * timer fired, so it does not drift; and after a delay nothing is made up for, so it never goes faster.
 */
export class Pace {
  readonly #intervalMs: number;
  #nextMs: number;

  constructor(perSecond: number) {
    this.#intervalMs = 1_000 / perSecond;
    this.#nextMs = performance.now();
  }

  /** Waits for the next moment. False when the signal came first. */
  async next(signal: AbortSignal): Promise<boolean> {
    // Also before the first: whatever ran before this one may have just had its last.
    const due = this.#nextMs + this.#intervalMs;
    this.#nextMs = Math.max(due, performance.now());
    const leftMs = due - performance.now();
    if (leftMs > 0) await sleep(leftMs, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  }
}
