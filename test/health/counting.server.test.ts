import { Client } from '@temporalio/client';
import { expect, onTestFinished } from 'vitest';
import { countPayments } from '../../src/health/counting.js';
import { ServerClock } from '../../src/temporal/server-clock.js';
import { fleetMetrics } from '../../src/health/fleet-metrics.js';
import { createRegistry } from '../../src/metrics/registry.js';
import { test } from './support.js';

/** Starts to count; the failures that it reports, and when it counted last. */
function counting(client: Client, taskQueue: string) {
  const registry = createRegistry();
  const failures: unknown[] = [];
  const counted = countPayments(
    client,
    taskQueue,
    new ServerClock(client),
    fleetMetrics(registry),
    (failure) => failures.push(failure),
  );
  onTestFinished(() => counted.stop());
  const lastCount = async () => {
    const text = await registry.metrics();
    return Number(/^durable_payments_last_count_timestamp_seconds (.+)$/m.exec(text)?.[1]) * 1_000;
  };
  return { failures, lastCount };
}

test('the time of the last count is a metric', async ({ deployment: { taskQueue }, server }) => {
  const begun = Date.now();
  const { failures, lastCount } = counting(server.client, taskQueue);
  await expect.poll(lastCount).toBeGreaterThanOrEqual(begun);
  expect(failures).toEqual([]);
});

test('a count that fails is reported once, and its time is none of a count', async ({ server }) => {
  const client = new Client({ connection: server.connection, namespace: 'no-such-namespace' });
  const { failures, lastCount } = counting(client, 'payments');
  await expect.poll(() => failures.length).toBe(1);
  expect(failures[0]).toBeInstanceOf(Error);
  expect(await lastCount()).toBe(0);
});
