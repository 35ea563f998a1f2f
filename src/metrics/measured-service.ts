import { Counter, Histogram, type Registry } from 'prom-client';
import { observedService } from '../payments-service/observed-service.js';
import type { PaymentsService } from '../payments-service/payments-service.js';
import { prefix } from './registry.js';

/** A client of the service whose every call is counted by endpoint and outcome, and timed. */
export function measuredService(service: PaymentsService, registry: Registry): PaymentsService {
  const calls = new Counter({
    name: `${prefix}service_calls_total`,
    help: 'Calls of the payments service by endpoint and what is known about them afterwards.',
    labelNames: ['endpoint', 'outcome'] as const,
    registers: [registry],
  });
  const durations = new Histogram({
    name: `${prefix}service_call_duration_seconds`,
    help: 'How long calls of the payments service took, connecting included.',
    labelNames: ['endpoint'] as const,
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 35],
    registers: [registry],
  });
  return observedService(service, async (endpoint, call) => {
    const end = durations.startTimer({ endpoint });
    const result = await call();
    end();
    calls.inc({ endpoint, outcome: result.outcome });
    return result;
  });
}
