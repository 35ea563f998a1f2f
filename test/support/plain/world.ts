import { setImmediate as otherWork } from 'node:timers/promises';

type Sleeper = { readonly dueAt: () => number; readonly wake: () => void };

/** More turns than any lifecycle takes before it waits. */
const mostTurns = 10_000;

/**
 * Virtual time of lifecycles in this process. It passes only when a test lets it, from moment to moment at which somebody
 * is due, and stands still while a call is under way.
 */
export class World {
  #now: number;
  readonly #calls = new Set<Promise<unknown>>();
  readonly #sleepers = new Set<Sleeper>();
  #failure: { error: unknown } | undefined;

  constructor(startsAt: number) {
    this.#now = startsAt;
  }

  /** Milliseconds since the epoch. */
  get now(): number {
    return this.#now;
  }

  /** Makes a call of a lifecycle. */
  async call<Result>(make: () => Promise<Result>): Promise<Result> {
    const call = make();
    const ended = call.then(
      () => undefined,
      () => undefined,
    );
    this.#calls.add(ended);
    try {
      return await call;
    } finally {
      this.#calls.delete(ended);
    }
  }

  /** A call that is under way takes so long. */
  advance(durationMs: number): void {
    this.#now += durationMs;
  }

  /** Resolves once the moment, which is asked for again and again, has come. */
  sleepUntil(dueAt: () => number): Promise<void> {
    return new Promise((wake) => this.#sleepers.add({ dueAt, wake }));
  }

  /** Ends all lifecycles where they stand: none of them goes on. */
  forget(): void {
    this.#sleepers.clear();
    this.#failure = undefined;
  }

  /** What no lifecycle may throw: it fails whoever lets time pass. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Lets everybody go on who can without time. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < mostTurns; turns += 1) {
      await otherWork();
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#wakeDue()) continue;
      if (this.#calls.size === 0) return;
      await Promise.race(this.#calls);
    }
    throw new Error('A lifecycle goes round without an end.');
  }

  /** Lets so many milliseconds pass. */
  async pass(durationMs: number): Promise<void> {
    const end = this.#now + durationMs;
    await this.settle();
    for (let next = this.#nextAt(); next <= end; next = this.#nextAt()) {
      this.#now = Math.max(this.#now, next);
      await this.settle();
    }
    this.#now = end;
    await this.settle();
  }

  #nextAt(): number {
    return Math.min(Infinity, ...[...this.#sleepers].map(({ dueAt }) => dueAt()));
  }

  #wakeDue(): boolean {
    const due = [...this.#sleepers].filter(({ dueAt }) => dueAt() <= this.#now);
    for (const sleeper of due) {
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
    return due.length > 0;
  }
}
