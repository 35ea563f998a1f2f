import { setTimeout as sleep } from 'node:timers/promises';
import { CommandRefusedError } from '../../client/errors.js';
import type { AwaitStatus } from '../../contract/messages.js';
import type { PaymentState } from '../../contract/state.js';
import { isUnanswered } from '../../domain/statuses.js';
import type { AtOnce } from '../http/at-once.js';

/** The part of a payment's handle that waiting needs. */
export type Awaitable<State> = {
  readonly workflowId: string;
  state(): Promise<State>;
  awaitStatus(wait: AwaitStatus): Promise<State>;
};

/** What one caller waits for; with no status named: the first answer. */
export type Wait = {
  /** Whom it counts for. */
  readonly caller: string;
  readonly statuses: readonly string[];
  readonly waitMs: number;
  /** An Update answers at once and writes to the history; queries write nothing, and answer up to two seconds later. */
  readonly by: 'update' | 'query';
};

type Reached<State> = { state: State } | 'refused';

const longestWaitMs = 30_000;
const firstPauseMs = 250;
const longestPauseMs = 2_000;

/** The statuses, and only those, that `awaitStatus` of the workflow would answer at once with. */
export function hasReached(
  state: Pick<PaymentState, 'status' | 'attention' | 'closed'>,
  statuses: readonly string[],
): boolean {
  if (state.closed) return true;
  if (statuses.length > 0) return statuses.includes(state.status);
  return !isUnanswered(state.status) || state.attention !== null;
}

/**
 * Waits for statuses on behalf of many callers with few Updates and queries, each for its own time. A payment takes no
 * more than a handful of Updates at once, so those who wait for the same status share one; queries are shared by all who
 * wait for the payment.
 */
export class SharedWaits<State extends PaymentState> {
  readonly #underway = new Map<string, Promise<Reached<State>>>();
  readonly #timers = new Set<AbortController>();
  #closed = false;

  /** What callers may wait for at once is counted together with their other waits. */
  constructor(private readonly atOnce: AtOnce) {}

  /** The state as soon as it is one of the statuses, or after the time; as it is for a caller who waits too often. */
  async wait(payment: Awaitable<State>, wait: Wait): Promise<State> {
    // Counted here, not with the request: it goes on when its client has left.
    const release = this.atOnce.take(wait.caller);
    if (release === null) return payment.state();
    try {
      return await this.#wait(payment, wait);
    } finally {
      release();
    }
  }

  /** Lets everyone who waits go with the state as it is: the gateway is stopping. */
  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) timer.abort();
  }

  async #wait(payment: Awaitable<State>, { by, statuses, waitMs }: Wait): Promise<State> {
    const deadline = Date.now() + Math.min(waitMs, longestWaitMs);
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const leftMs = deadline - Date.now();
      if (leftMs <= 0 || this.#closed) return payment.state();
      const asked =
        by === 'query' ? this.#readAfter(pauseMs, payment) : this.#update(payment, statuses, leftMs);
      const reached = await this.#withinMs(leftMs, asked);
      if (reached === undefined) return payment.state();
      if (reached === 'refused') await this.#withinMs(leftMs);
      else if (hasReached(reached.state, statuses)) return reached.state;
    }
  }

  #readAfter(pauseMs: number, payment: Awaitable<State>): Promise<Reached<State>> {
    return this.#share(payment.workflowId, async () => {
      await this.#withinMs(pauseMs);
      return payment.state();
    });
  }

  #update(payment: Awaitable<State>, statuses: readonly string[], leftMs: number): Promise<Reached<State>> {
    const wait = { statuses: [...statuses], timeout_seconds: Math.max(leftMs / 1_000, 0.1) };
    const key = `${payment.workflowId} ${statuses.toSorted().join(',')}`;
    return this.#share(key, () => payment.awaitStatus(wait));
  }

  #share(key: string, ask: () => Promise<State>): Promise<Reached<State>> {
    const underway = this.#underway.get(key);
    if (underway !== undefined) return underway;
    const asked = ask()
      .then((state): Reached<State> => ({ state }))
      .catch((error: unknown): Reached<State> => {
        if (error instanceof CommandRefusedError) return 'refused';
        throw error;
      })
      .finally(() => this.#underway.delete(key));
    asked.catch(() => undefined);
    this.#underway.set(key, asked);
    return asked;
  }

  /** What the promise resolves to, or undefined when the time is over before. */
  async #withinMs<T>(
    ms: number,
    promise: Promise<T> = new Promise<T>(() => undefined),
  ): Promise<T | undefined> {
    const timer = new AbortController();
    this.#timers.add(timer);
    const over = sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined);
    try {
      return await Promise.race([promise, over]);
    } finally {
      timer.abort();
      this.#timers.delete(timer);
    }
  }
}
