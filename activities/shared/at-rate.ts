import { setTimeout as sleep } from 'node:timers/promises';
import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { z } from 'zod';
import { RateLimiter } from './rate-limiter.js';
import type { Turn } from './turns.js';

/** They overlap when one takes longer than the rate allows for. */
const underWayAtOnce = 8;

/** `turn`: what each item waits for, beside its rate. */
type Course = { turn?: Turn | undefined; beginsWithinMs?: number };

/**
 * Acts on items in their order, at most so many a second. Returns the outcome of each, or of the first ones when the
 * activity is cancelled, its worker is stopped, or its time is over. The heartbeat has the outcomes so far, so that the
 * next attempt of the activity does not do it again.
 */
export async function atRate<Item, Outcome>(
  items: readonly Item[],
  perSecond: number,
  outcome: z.ZodType<Outcome>,
  act: (item: Item) => Promise<Outcome>,
  { beginsWithinMs, turn = () => Promise.resolve() }: Course = {},
): Promise<Outcome[]> {
  const settled = z.array(outcome).safeParse(activityInfo().heartbeatDetails).data ?? [];
  const underWay: Promise<Outcome>[] = [];
  const settleOldest = async () => {
    const oldest = underWay.shift();
    if (oldest === undefined) return;
    settled.push(await oldest);
    heartbeat(settled);
  };
  const clock = new RateLimiter(perSecond, performance.now());
  const cancelled = cancellationSignal();
  const signal =
    beginsWithinMs === undefined
      ? cancelled
      : AbortSignal.any([cancelled, AbortSignal.timeout(beginsWithinMs)]);
  for (const item of items.slice(settled.length)) {
    if (underWay.length >= underWayAtOnce) await settleOldest();
    await sleep(clock.waitMs(performance.now()), undefined, { signal }).catch(() => undefined);
    await turn(signal, () => {
      heartbeat(settled);
    });
    if (signal.aborted) break;
    const acting = act(item);
    acting.catch(() => undefined);
    underWay.push(acting);
    heartbeat(settled);
  }
  while (underWay.length > 0) await settleOldest();
  return settled;
}
