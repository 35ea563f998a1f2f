import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { ServerClock } from '../temporal/server-clock.js';
import { Census } from './census.js';
import type { FleetMetrics } from './fleet-metrics.js';

const countEveryMs = 60_000;

/**
 * Counts the open payments of a task queue once a minute, for metrics, until it is stopped. Where that fails the
 * figures stay as they were, and the time of the last count shows how old they are.
 *
 * @param onChange called when counting begins to fail, with why, and when it works again, with null
 */
export function countPayments(
  client: Client,
  taskQueue: string,
  clock: ServerClock,
  metrics: Pick<FleetMetrics, 'count'>,
  onChange: (failure: unknown) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const census = new Census(client, taskQueue, clock, signal);
  let fails = false;
  const changed = (failing: boolean, failure: unknown) => {
    if (failing !== fails && !signal.aborted) onChange(failure);
    fails = failing;
  };
  const counting = (async () => {
    while (!signal.aborted) {
      try {
        await client.withAbortSignal(signal, async () => {
          metrics.count(await census.payments(), await census.attention());
        });
        changed(false, null);
      } catch (error) {
        changed(true, error);
      }
      await sleep(countEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await counting;
    },
  };
}
