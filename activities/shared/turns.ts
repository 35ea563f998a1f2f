import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiter } from './rate-limiter.js';

/** Resolves when the next payment of a batch or a bulk retry may be sent, or when the signal is aborted. */
export type Turn = (signal: AbortSignal) => Promise<void>;

const sliceMs = 1_000;

/**
 * The turns of all batches and bulk retries of a worker, in the order in which they asked: together so many a second,
 * and none while calls that create something wait in their queue. A turn that nobody waits for any more is the next
 * one's.
 */
export function turnsAt(perSecond: number, callsWait: () => Promise<boolean>): Turn {
  const limiter = new RateLimiter(perSecond, performance.now());
  let dueMs: number | undefined;
  let last: Promise<void> = Promise.resolve();

  const itsTurn = async (signal: AbortSignal) => {
    if (signal.aborted) return;
    const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
    dueMs ??= performance.now() + limiter.waitMs(performance.now());
    await pause(Math.max(0, dueMs - performance.now()));
    while (!signal.aborted && (await callsWait())) await pause(sliceMs);
    if (!signal.aborted) dueMs = undefined;
  };

  return async (signal) => {
    if (signal.aborted) return;
    const mine = last.then(() => itsTurn(signal));
    // One that fails is the failure of whoever waits for it, and no other's.
    last = mine.catch(() => undefined);
    const ended = new AbortController();
    try {
      await Promise.race([mine, once(signal, 'abort', { signal: ended.signal }).catch(() => undefined)]);
    } finally {
      ended.abort();
    }
  };
}
