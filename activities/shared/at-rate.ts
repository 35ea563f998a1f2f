import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { z } from 'zod';
import { RateLimiter } from './rate-limiter.js';
import type { Turn } from './turns.js';

/** They overlap when one takes longer than the rate allows for. */
const underWayAtOnce = 8;
const heartbeatEveryMs = 1_000;

/**
 * @property turn what each item waits for beside its rate
 * @property endsAtOnce whether it returns at a cancellation without waiting for what is under way
 */
type Course = { turn?: Turn | undefined; endsAtOnce?: true };

/**
 * Acts on items in their order, at most so many a second. Returns the outcome of each item that was started before the
 * activity was cancelled or its worker was stopped; null for one that is still under way. Throws the first error, once
 * nothing is under way. The heartbeat has the outcomes so far, so that the next attempt of the activity does not repeat them.
 */
export async function atRate<Item, Outcome>(
  items: readonly Item[],
  perSecond: number,
  outcome: z.ZodType<Outcome>,
  act: (item: Item) => Promise<Outcome>,
  { turn = () => Promise.resolve(), endsAtOnce }: Course = {},
): Promise<(Outcome | null)[]> {
  const outcomes = z.array(outcome.nullable()).safeParse(activityInfo().heartbeatDetails).data ?? [];
  const report = () => {
    heartbeat(outcomes);
  };
  const signal = cancellationSignal();
  const ended = new AbortController();
  const cancelled = once(signal, 'abort', { signal: ended.signal }).catch(() => undefined);
  const clock = new RateLimiter(perSecond, performance.now());
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const begin = (index: number, item: Item) => {
    outcomes[index] = null;
    const acting = act(item)
      .then(
        (result) => {
          outcomes[index] = result;
          report();
        },
        (error: unknown) => {
          failures.push(error);
        },
      )
      .finally(() => underWay.delete(acting));
    underWay.add(acting);
  };
  const beats = setInterval(report, heartbeatEveryMs);
  try {
    for (const [index, item] of items.entries()) {
      if (outcomes[index] != null) continue;
      if (underWay.size >= underWayAtOnce) await Promise.race([...underWay, cancelled]);
      await sleep(clock.waitMs(performance.now()), undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await turn(signal);
      if (signal.aborted || failures.length > 0) break;
      begin(index, item);
    }
    await Promise.race([Promise.all(underWay), ...(endsAtOnce === true ? [cancelled] : [])]);
    if (failures.length > 0) throw failures[0];
    return outcomes;
  } finally {
    clearInterval(beats);
    ended.abort();
  }
}

/** The outcomes before the first item that has none. */
export function firstOf<Outcome>(outcomes: readonly (Outcome | null)[]): Outcome[] {
  const first: Outcome[] = [];
  for (const outcome of outcomes) {
    if (outcome === null) break;
    first.push(outcome);
  }
  return first;
}
