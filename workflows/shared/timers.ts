import { CancellationScope, condition, sleep } from '@temporalio/workflow';

/**
 * Waits for moments by timers that are never cancelled: a read may lead to that after the timer has fired, and such
 * a history does not replay (docs/decisions/uncancelled-timers.md). So that there are few of them, a pending timer is
 * used by whoever waits for its moment or a later one.
 */
export class Timers {
  /** The latest moment for which a timer has fired; milliseconds since the epoch. */
  firedAt = -Infinity;
  /** The moments of pending timers; Infinity stands for never, and has none. */
  readonly #pending = new Set([Infinity]);

  /**
   * Resolves when a timer for `at` (milliseconds since the epoch; Infinity for never) or a later moment has fired or as
   * soon as `awake` holds. For a moment that has passed it is a timer all the same: the workflow's time may differ in a
   * replay. The summary is what an operator sees on the timer, if one is started.
   */
  async until(at: number, awake: () => boolean, summary: string): Promise<void> {
    while (!awake() && this.firedAt < at) {
      const next = Math.min(at, ...this.#pending);
      if (!this.#pending.has(next)) void this.#start(next, summary);
      await condition(() => awake() || !this.#pending.has(next));
    }
  }

  async #start(at: number, summary: string): Promise<void> {
    this.#pending.add(at);
    const delayMs = Math.max(1, at - Date.now());
    await CancellationScope.nonCancellable(() => sleep(delayMs, { summary }));
    this.#pending.delete(at);
    this.firedAt = Math.max(this.firedAt, at);
  }
}
