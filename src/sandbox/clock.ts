export type Cancel = () => void;

const longestTimerMs = 2 ** 31 - 1;

/** Every delay of the sandbox, multiplied by one scale and ended together. */
export class Clock {
  readonly #timeScale: number;
  readonly #pending = new Map<NodeJS.Timeout, Cancel>();

  constructor(timeScale: number) {
    this.#timeScale = timeScale;
  }

  /** Acts once after `delayMs` (scaled); cancelled acts never run. */
  after(delayMs: number, act: () => void): Cancel {
    return this.#start(delayMs, act, () => undefined);
  }

  /** Resolves with true after `delayMs` (scaled), with false when the clock was stopped first. */
  wait(delayMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      if (delayMs <= 0) resolve(true);
      else
        this.#start(
          delayMs,
          () => resolve(true),
          () => resolve(false),
        );
    });
  }

  /** Ends all timers; the clock can be used again. */
  stop(): void {
    for (const cancel of [...this.#pending.values()]) cancel();
  }

  #start(delayMs: number, act: () => void, cancelled: () => void): Cancel {
    const timer = setTimeout(
      () => {
        this.#pending.delete(timer);
        act();
      },
      Math.min(delayMs * this.#timeScale, longestTimerMs),
    );
    const cancel = () => {
      clearTimeout(timer);
      if (this.#pending.delete(timer)) cancelled();
    };
    this.#pending.set(timer, cancel);
    return cancel;
  }
}
