import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';

/** Gauges of prom-client whose names end as those of counters do. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];
const measureMs = 10_000;

/** Begins the name of each metric of ours. No label carries anything of a payment, and each has few values. */
export const prefix = 'durable_payments_';

/** The metrics of a process: of Node, and how long its event loop keeps others waiting. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const gauge = new Gauge({
    name: `${prefix}event_loop_delay_seconds`,
    help: 'The 99th percentile of the delay of the event loop in the last ten seconds.',
    registers: [registry],
  });
  setInterval(() => {
    gauge.set(delay.percentile(99) / 1e9);
    delay.reset();
  }, measureMs).unref();
  return registry;
}
