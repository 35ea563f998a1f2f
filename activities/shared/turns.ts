import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiter } from './rate-limiter.js';

/**
 * Resolves when the next payment of a batch or a bulk retry may be sent, or when the signal says that none shall be.
 * `waiting` is called meanwhile, at least once a second.
 */
export type Turn = (signal: AbortSignal, waiting: () => void) => Promise<void>;

const sliceMs = 1_000;

/**
 * The turns of all batches and bulk retries of a worker: together so many a second, and none while calls that create
 * something wait in their queue.
 */
export function turnsAt(perSecond: number, callsWait: () => Promise<boolean>): Turn {
  const limiter = new RateLimiter(perSecond, performance.now());
  return async (signal, waiting) => {
    const pause = async (ms: number) => {
      waiting();
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    };
    const dueMs = performance.now() + limiter.waitMs(performance.now());
    for (let now = performance.now(); now < dueMs && !signal.aborted; now = performance.now())
      await pause(Math.min(dueMs - now, sliceMs));
    while (!signal.aborted && (await callsWait())) await pause(sliceMs);
  };
}
