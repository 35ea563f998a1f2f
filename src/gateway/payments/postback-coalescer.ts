export type CoalescerOptions<Hint, Answer> = {
  /** Delivers one hint; its answer goes to all whom it covers. */
  readonly signal: (key: string, hint: Hint) => Promise<Answer>;
  /** How long a key is quiet after its first, second, … signal; the last one for ever after. */
  readonly intervalsMs?: readonly number[];
  /** How many may await an answer at once, over all keys. */
  readonly maxWaiting?: number;
  /** How long one awaits its answer at most: senders do not wait for minutes. */
  readonly longestWaitMs?: number;
};

type Batch<Hint, Answer> = {
  hint: Hint;
  covered: PromiseWithResolvers<Answer | 'not_awaited'>;
  answeredEarly: boolean;
};
type Lane<Hint, Answer> = { level: number; trailing: Batch<Hint, Answer> | undefined };
type RestingLane = { level: number; sinceMs: number };

type PromiseWithResolvers<T> = {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
};

const restMs = 60_000;
const defaultIntervalsMs = [250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 40_000, 60_000];

/**
 * Turns many hints for one key into few signals and loses none: the first signals at once; those that come while a
 * signal is under way, or within a growing interval after it, share one trailing signal that carries the latest of
 * them. Each is answered after a signal that covers it, or after a while when that signal is to come later still.
 */
export class PostbackCoalescer<Hint, Answer> {
  readonly #signal: (key: string, hint: Hint) => Promise<Answer>;
  readonly #intervalsMs: readonly number[];
  readonly #maxWaiting: number;
  readonly #longestWaitMs: number;
  readonly #lanes = new Map<string, Lane<Hint, Answer>>();
  /** Lanes without a signal under way, oldest first: they remember how much was going on. */
  readonly #resting = new Map<string, RestingLane>();
  readonly #pauses = new Set<() => void>();
  readonly #driving = new Set<Promise<void>>();
  #hurried = false;
  #waiting = 0;

  constructor({
    signal,
    intervalsMs = defaultIntervalsMs,
    maxWaiting = 1_000,
    longestWaitMs = 15_000,
  }: CoalescerOptions<Hint, Answer>) {
    this.#signal = signal;
    this.#intervalsMs = intervalsMs;
    this.#maxWaiting = maxWaiting;
    this.#longestWaitMs = longestWaitMs;
  }

  /**
   * Delivers a hint. Resolves after a signal that covers it; sooner, with `not_awaited`, when too many wait already
   * or the signal is long to come: it will cover this one too.
   *
   * @throws what the signal that covers it threw.
   */
  async offer(key: string, hint: Hint): Promise<Answer | 'not_awaited'> {
    this.#forgetTheQuiet();
    const lane = this.#lanes.get(key);
    if (lane === undefined) return this.#await(this.#begin(key, hint));
    lane.trailing ??= this.#trailing(hint);
    lane.trailing.hint = hint;
    return this.#await(lane.trailing);
  }

  /** Sends whatever waits without further intervals, and resolves when that is done: the gateway is stopping. */
  async flush(): Promise<void> {
    this.#hurried = true;
    for (const end of this.#pauses) end();
    await Promise.all(this.#driving);
  }

  async #await({ covered }: Batch<Hint, Answer>): Promise<Answer | 'not_awaited'> {
    if (this.#waiting >= this.#maxWaiting) return 'not_awaited';
    this.#waiting += 1;
    try {
      return await covered.promise;
    } finally {
      this.#waiting -= 1;
    }
  }

  #begin(key: string, hint: Hint): Batch<Hint, Answer> {
    const first = { hint, covered: withResolvers<Answer | 'not_awaited'>(), answeredEarly: false };
    const lane: Lane<Hint, Answer> = { level: this.#levelAfterRest(key), trailing: undefined };
    this.#lanes.set(key, lane);
    const driving = this.#drive(key, lane, first).finally(() => this.#driving.delete(driving));
    this.#driving.add(driving);
    return first;
  }

  #trailing(hint: Hint): Batch<Hint, Answer> {
    const batch = { hint, covered: withResolvers<Answer | 'not_awaited'>(), answeredEarly: false };
    const timer = setTimeout(() => {
      batch.answeredEarly = true;
      batch.covered.resolve('not_awaited');
    }, this.#longestWaitMs);
    const stop = () => {
      clearTimeout(timer);
    };
    batch.covered.promise.then(stop, stop);
    return batch;
  }

  async #drive(key: string, lane: Lane<Hint, Answer>, first: Batch<Hint, Answer>): Promise<void> {
    for (let batch: Batch<Hint, Answer> | undefined = first; batch !== undefined;) {
      const failed = await this.#send(key, batch);
      // A failure has cost nothing: the next one is tried soon, so that its sender hears of it.
      if (failed) lane.level = 0;
      await this.#pause(this.#intervalMs(lane.level));
      if (!failed) lane.level += 1;
      // Who was answered early can't send it again.
      if (failed && batch.answeredEarly && !this.#hurried) lane.trailing ??= batch;
      batch = lane.trailing;
      lane.trailing = undefined;
    }
    this.#lanes.delete(key);
    this.#resting.set(key, { level: lane.level, sinceMs: Date.now() });
  }

  async #send(key: string, { hint, covered }: Batch<Hint, Answer>): Promise<boolean> {
    try {
      covered.resolve(await this.#signal(key, hint));
      return false;
    } catch (error) {
      covered.reject(error);
      return true;
    }
  }

  #pause(ms: number): Promise<void> {
    if (this.#hurried) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#pauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#pauses.add(end);
    });
  }

  /** One level less for each interval that has passed in silence. */
  #levelAfterRest(key: string): number {
    const rest = this.#resting.get(key);
    if (rest === undefined) return 0;
    this.#resting.delete(key);
    return Math.max(0, rest.level - Math.floor((Date.now() - rest.sinceMs) / this.#intervalMs(rest.level)));
  }

  #intervalMs(level: number): number {
    return this.#intervalsMs[Math.min(level, this.#intervalsMs.length - 1)] ?? 0;
  }

  #forgetTheQuiet(): void {
    for (const [key, { sinceMs }] of this.#resting) {
      if (Date.now() - sinceMs < restMs) return;
      this.#resting.delete(key);
    }
  }
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((onFulfilled, onRejected) => {
    resolve = onFulfilled;
    reject = onRejected;
  });
  // Whoever was answered early does not look at it any more.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
