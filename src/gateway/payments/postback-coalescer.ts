export type CoalescerOptions<Hint, Answer> = {
  /** Delivers one hint; its answer goes to all whom it covers. */
  readonly signal: (key: string, hint: Hint) => Promise<Answer>;
  /** The subject of a hint: of hints with the same one only the latest is sent. All have the same one when absent. */
  readonly subjectOf?: (key: string, hint: Hint) => string;
  /** How long a key is quiet after its first, second, … signal; the last one for ever after. */
  readonly intervalsMs?: readonly number[];
  /** How long a first hint that is not urgent waits for one that is. */
  readonly patienceMs?: number;
  /** How many may await an answer at once, over all keys. */
  readonly maxWaiting?: number;
  /** How long one awaits its answer at most: senders do not wait for minutes. */
  readonly longestWaitMs?: number;
};

type Batch<Hint, Answer> = {
  /** By subject, in the order of their arrival. */
  hints: Map<string, Hint>;
  covered: PromiseWithResolvers<Answer | 'not_awaited'>;
  answeredEarly: boolean;
};
type ActiveKey<Hint, Answer> = {
  level: number;
  trailing: Batch<Hint, Answer> | undefined;
  /** Ends the wait of a first hint that was not urgent. */
  sendNow?: () => void;
};
type QuietKey = { level: number; sinceMs: number };

type PromiseWithResolvers<T> = {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
};

/** How many subjects one interval keeps; beyond that the oldest is dropped. */
const mostSubjects = 20;
const forgetAfterMs = 60_000;
const defaultPatienceMs = 3_000;
const defaultIntervalsMs = [250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 40_000, 60_000];

/**
 * Turns many hints for one key into few signals and loses none: the first signals at once if it is urgent; those that
 * come while a signal is under way, or within a growing interval after it, share one trailing signal that carries the
 * latest of them, one for each subject. Each is answered after a signal that covers it, or after a while when that
 * signal is to come later still.
 */
export class PostbackCoalescer<Hint, Answer> {
  readonly #signal: (key: string, hint: Hint) => Promise<Answer>;
  readonly #subjectOf: (key: string, hint: Hint) => string;
  readonly #intervalsMs: readonly number[];
  readonly #patienceMs: number;
  readonly #maxWaiting: number;
  readonly #longestWaitMs: number;
  readonly #active = new Map<string, ActiveKey<Hint, Answer>>();
  /** Keys without a signal under way, oldest first, for a while: their next interval depends on the last one. */
  readonly #quiet = new Map<string, QuietKey>();
  readonly #pauses = new Set<() => void>();
  readonly #driving = new Set<Promise<void>>();
  #isFlushing = false;
  #waiting = 0;

  constructor({
    signal,
    subjectOf = () => '',
    intervalsMs = defaultIntervalsMs,
    patienceMs = defaultPatienceMs,
    maxWaiting = 1_000,
    longestWaitMs = 15_000,
  }: CoalescerOptions<Hint, Answer>) {
    this.#signal = signal;
    this.#subjectOf = subjectOf;
    this.#intervalsMs = intervalsMs;
    this.#patienceMs = patienceMs;
    this.#maxWaiting = maxWaiting;
    this.#longestWaitMs = longestWaitMs;
  }

  /**
   * Delivers a hint; one that is not urgent waits a moment for others to share its signal. Resolves after a signal that
   * covers it; sooner, with `not_awaited`, when too many wait already or the signal is long to come: it will cover this
   * one too.
   *
   * @throws what the signal that covers it threw.
   */
  async offer(key: string, hint: Hint, isUrgent = true): Promise<Answer | 'not_awaited'> {
    this.#forgetQuietKeys();
    const active = this.#active.get(key);
    if (active === undefined) return this.#await(this.#begin(key, hint, isUrgent));
    active.trailing ??= this.#trailing();
    this.#add(key, active.trailing, hint);
    if (isUrgent) active.sendNow?.();
    return this.#await(active.trailing);
  }

  /** Sends whatever waits without further intervals, and resolves when that is done: the gateway is stopping. */
  async flush(): Promise<void> {
    this.#isFlushing = true;
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

  #begin(key: string, hint: Hint, isUrgent: boolean): Batch<Hint, Answer> {
    const first = this.#trailing();
    this.#add(key, first, hint);
    const active: ActiveKey<Hint, Answer> = { level: this.#levelAfterQuiet(key), trailing: first };
    this.#active.set(key, active);
    const driving = this.#drive(key, active, isUrgent).finally(() => this.#driving.delete(driving));
    this.#driving.add(driving);
    return first;
  }

  #add(key: string, { hints }: Batch<Hint, Answer>, hint: Hint): void {
    const subject = this.#subjectOf(key, hint);
    hints.delete(subject);
    hints.set(subject, hint);
    const [oldest = ''] = hints.keys();
    if (hints.size > mostSubjects) hints.delete(oldest);
  }

  #trailing(): Batch<Hint, Answer> {
    const batch = {
      hints: new Map<string, Hint>(),
      covered: withResolvers<Answer | 'not_awaited'>(),
      answeredEarly: false,
    };
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

  async #drive(key: string, active: ActiveKey<Hint, Answer>, isUrgent: boolean): Promise<void> {
    if (!isUrgent) await this.#pause(this.#patienceMs, active);
    for (let batch = active.trailing; batch !== undefined; batch = active.trailing) {
      active.trailing = undefined;
      const failed = await this.#send(key, batch);
      // A failure has cost nothing: the next one is tried soon, so that its sender sees it.
      if (failed) active.level = 0;
      await this.#pause(this.#intervalMs(active.level));
      if (!failed) active.level += 1;
      // Who was answered early can't send it again.
      if (failed && batch.answeredEarly && !this.#isFlushing) this.#sendAgain(key, active, batch);
    }
    this.#active.delete(key);
    this.#quiet.set(key, { level: active.level, sinceMs: Date.now() });
  }

  /** Hints that could not be sent are sent before those that arrived meanwhile. */
  #sendAgain(key: string, active: ActiveKey<Hint, Answer>, { hints }: Batch<Hint, Answer>): void {
    const { trailing } = active;
    const batch = trailing ?? this.#trailing();
    const later = [...batch.hints.values()];
    batch.hints = hints;
    batch.answeredEarly = true;
    for (const hint of later) this.#add(key, batch, hint);
    active.trailing = batch;
  }

  /** Removes each hint that was sent, so that a later failure does not send it again. */
  async #send(key: string, { hints, covered }: Batch<Hint, Answer>): Promise<boolean> {
    try {
      for (const [subject, hint] of [...hints]) {
        const answer = await this.#signal(key, hint);
        hints.delete(subject);
        if (hints.size === 0) covered.resolve(answer);
      }
      return false;
    } catch (error) {
      covered.reject(error);
      return true;
    }
  }

  #pause(ms: number, active?: ActiveKey<Hint, Answer>): Promise<void> {
    if (this.#isFlushing) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#pauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#pauses.add(end);
      if (active !== undefined) active.sendNow = end;
    });
  }

  /** One level less for each interval that has passed in silence. */
  #levelAfterQuiet(key: string): number {
    const quiet = this.#quiet.get(key);
    if (quiet === undefined) return 0;
    this.#quiet.delete(key);
    return Math.max(
      0,
      quiet.level - Math.floor((Date.now() - quiet.sinceMs) / this.#intervalMs(quiet.level)),
    );
  }

  #intervalMs(level: number): number {
    return this.#intervalsMs[Math.min(level, this.#intervalsMs.length - 1)] ?? 0;
  }

  #forgetQuietKeys(): void {
    for (const [key, { sinceMs }] of this.#quiet) {
      if (Date.now() - sinceMs < forgetAfterMs) return;
      this.#quiet.delete(key);
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
