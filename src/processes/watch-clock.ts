import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Registry } from 'prom-client';
import { clockProblems } from '../health/clock.js';
import { clockGauge } from '../health/fleet-metrics.js';
import { ServerClock } from '../temporal/server-clock.js';
import type { Logger } from './logger.js';

const everyMs = 60_000;
const callMs = 10_000;

/** Temporal's clock, measured once. Where it can't be, this machine's own stands for it until it can. */
export async function readClock(client: Client): Promise<ServerClock> {
  const clock = new ServerClock(client);
  await client.withDeadline(Date.now() + callMs, () => clock.measure()).catch(() => undefined);
  return clock;
}

/** Measures it again once a minute, and this machine's clock by it: each knows only its own. Answers what ends that. */
export function watchClock(
  client: Client,
  clock: ServerClock,
  logger: Logger,
  registry: Registry,
): () => Promise<void> {
  const gauge = clockGauge(registry);
  const stopping = new AbortController();
  const { signal } = stopping;

  const measure = async () => {
    const offset = await client.withAbortSignal(signal, () =>
      client.withDeadline(Date.now() + callMs, () => clock.measure()),
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
