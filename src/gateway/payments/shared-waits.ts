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

type Waiting<State> = {
  readonly payment: Awaitable<State>;
  readonly statuses: readonly string[];
  readonly deadline: number;
};

const longestWaitMs = 30_000;
const firstPauseMs = 250;
const longestPauseMs = 2_000;
/** By queries: of a hundred payments that are waited for, each is asked every two seconds, of more less often. */
const msBetweenQueries = 20;

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
  readonly #underway = new Map<string, Promise<State>>();
  /** Each ends what a caller waits for now. */
  readonly #ends = new Set<() => void>();
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
    for (const end of this.#ends) end();
  }

  async #wait(payment: Awaitable<State>, { by, statuses, waitMs }: Wait): Promise<State> {
    const deadline = Date.now() + Math.min(waitMs, longestWaitMs);
    const waiting = { payment, statuses, deadline };
    return (await (by === 'query' ? this.#poll(waiting) : this.#awaitStatus(waiting))) ?? payment.state();
  }

  /** The state with one of the statuses; undefined when the time is over. One query that fails does not end the wait. */
  async #poll({ payment, statuses, deadline }: Waiting<State>): Promise<State | undefined> {
    for (let pauseMs = firstPauseMs; !this.#closed; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const leftMs = deadline - Date.now();
      const nextMs = Math.max(pauseMs, msBetweenQueries * this.#underway.size);
      if (nextMs >= leftMs) return this.#withinMs(leftMs);
      const asked = this.#share(payment.workflowId, async () => {
        await this.#withinMs(nextMs);
        return payment.state();
      });
      const state = await this.#withinMs(leftMs, asked).catch(() => undefined);
      if (state !== undefined && hasReached(state, statuses)) return state;
    }
    return undefined;
  }

  /** As {@link #poll}, by Updates of the payment. */
  async #awaitStatus({ payment, statuses, deadline }: Waiting<State>): Promise<State | undefined> {
    const key = `${payment.workflowId} ${statuses.toSorted().join(',')}`;
    for (;;) {
      const leftMs = deadline - Date.now();
      if (leftMs <= 0 || this.#closed) return undefined;
      const wait = { statuses: [...statuses], timeout_seconds: Math.max(leftMs / 1_000, 0.1) };
      const asked = this.#share(key, () => payment.awaitStatus(wait));
      try {
        const state = await this.#withinMs(leftMs, asked);
        if (state === undefined || hasReached(state, statuses)) return state;
      } catch (error) {
        if (!(error instanceof CommandRefusedError)) throw error;
        await this.#withinMs(leftMs);
      }
    }
  }

  #share(key: string, ask: () => Promise<State>): Promise<State> {
    const underway = this.#underway.get(key);
    if (underway !== undefined) return underway;
    const asked = ask().finally(() => this.#underway.delete(key));
    asked.catch(() => undefined);
    this.#underway.set(key, asked);
    return asked;
  }

  /** What the promise resolves to, or undefined when the time is over before. */
  async #withinMs<T>(
    ms: number,
    promise: Promise<T> = new Promise<T>(() => undefined),
  ): Promise<T | undefined> {
    let end = (): void => undefined;
    const over = new Promise<undefined>((resolve) => {
      end = () => {
        resolve(undefined);
      };
    });
    const timer = setTimeout(end, ms);
    this.#ends.add(end);
    try {
      return await Promise.race([promise, over]);
    } finally {
      clearTimeout(timer);
      this.#ends.delete(end);
    }
  }
}
