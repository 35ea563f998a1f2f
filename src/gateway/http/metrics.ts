import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** What became of a postback. */
export type PostbackOutcome = 'signalled' | 'not_awaited' | 'payment_closed' | 'forged' | 'unavailable';

export type GatewayMetrics = ReturnType<typeof createMetrics>;

/** The counters of one gateway. No label carries anything of a payment. */
export function createMetrics(registry = ownRegistry()) {
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'gateway_request_duration_seconds',
      help: 'HTTP requests by route and status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
      registers,
    }),
    starts: new Counter({
      name: 'gateway_starts_total',
      help: 'Payments started, or found to be started before.',
      labelNames: ['kind', 'outcome'] as const,
      registers,
    }),
    postbacks: new Counter({
      name: 'gateway_postbacks_total',
      help: 'Postbacks by what became of them.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    signals: new Counter({
      name: 'gateway_postback_signals_total',
      help: 'Signals that postbacks were turned into.',
      registers,
    }),
  };
}

function ownRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
