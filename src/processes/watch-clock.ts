import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Registry } from 'prom-client';
import { clockProblems } from '../health/clock.js';
import { clockGauge } from '../health/fleet-metrics.js';
import { clockOffsetMs } from '../temporal/server-clock.js';
import type { Logger } from './logger.js';

const everyMs = 60_000;
const callMs = 10_000;

/** Measures this worker's clock against Temporal's: each worker knows only its own. Answers what ends that. */
export function watchClock(client: Client, logger: Logger, registry: Registry): () => Promise<void> {
  const gauge = clockGauge(registry);
  const stopping = new AbortController();
  const { signal } = stopping;

  const measure = async () => {
    const offset = await client.withAbortSignal(signal, () =>
      client.withDeadline(Date.now() + callMs, () => clockOffsetMs(client)),
    );
    if (offset === null) return;
    gauge.set({ of: 'worker' }, offset / 1_000);
    for (const { detail, action } of clockProblems('this machine', offset)) logger.error({ action }, detail);
  };
  const watching = (async () => {
    while (!signal.aborted) {
      await measure().catch(() => undefined);
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return async () => {
    stopping.abort();
    await watching;
  };
}
