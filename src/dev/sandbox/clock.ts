export type Cancel = () => void;

type Delay = { readonly dueMs: number; readonly act: () => void; readonly cancel: Cancel };

const longestTimerMs = 2 ** 31 - 1;

/** Every delay of the sandbox: multiplied by one scale, hurried and ended together. */
export class Clock {
  readonly #timeScale: number;
  readonly #pending = new Set<Delay>();
  #ended = false;

  readonly #now: () => number;

  constructor(timeScale: number, now: () => number = Date.now) {
    this.#timeScale = timeScale;
    this.#now = now;
  }

  /** The time that records carry, as ISO 8601. */
  stamp(): string {
    return new Date(this.#now()).toISOString();
  }

  /** Acts once after `delayMs` (scaled), unless cancelled. */
  after(delayMs: number, act: () => void): Cancel {
    return this.#start(delayMs, act, () => undefined);
  }

  /** Resolves with true after `delayMs` (scaled), with false when the clock was stopped first. */
  wait(delayMs: number): Promise<boolean> {
    if (delayMs <= 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (elapsed: boolean) => () => resolve(elapsed);
      this.#start(delayMs, end(true), end(false));
    });
  }

  /** How much of a delay that began at `since` is still to come, before scaling. */
  left(delayMs: number, since: number): number {
    return Math.max(0, delayMs - (Date.now() - since) / this.#timeScale);
  }

  /** Ends now, in the order of their times, all delays under way; those that start meanwhile take their time. */
  hurry(): void {
    this.#actUpTo(Infinity);
  }

  /** Cancels all delays; the clock can be used again. */
  stop(): void {
    for (const { cancel } of [...this.#pending]) cancel();
  }

  /** Cancels all delays, also those that are still to start. */
  end(): void {
    this.#ended = true;
    this.stop();
  }

  /** In the order of their times: on a busy machine timers of different lengths may fire in any other. */
  #actUpTo(dueMs: number): void {
    const due = [...this.#pending].filter((delay) => delay.dueMs <= dueMs);
    for (const delay of due.sort((a, b) => a.dueMs - b.dueMs)) if (this.#pending.has(delay)) delay.act();
  }

  #start(delayMs: number, act: () => void, cancelled: () => void): Cancel {
    const scaledMs = Math.min(delayMs * this.#timeScale, longestTimerMs);
    const ending = (then: () => void) => () => {
      clearTimeout(timer);
      if (this.#pending.delete(delay)) then();
    };
    const delay = { dueMs: performance.now() + scaledMs, act: ending(act), cancel: ending(cancelled) };
    const timer = setTimeout(() => {
      this.#actUpTo(delay.dueMs);
    }, scaledMs);
    this.#pending.add(delay);
    if (this.#ended) delay.cancel();
    return delay.cancel;
  }
}
