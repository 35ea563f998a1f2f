import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { createRegistry, prefix } from '../../metrics/registry.js';

export type GatewayMetrics = ReturnType<typeof createMetrics>;

/** The counters of one gateway. No label carries anything of a payment. */
export function createMetrics(registry: Registry = createRegistry(), cardsHeld?: () => number) {
  const registers = [registry];
  if (cardsHeld !== undefined) {
    new Gauge({
      name: `${prefix}card_store_cards`,
      help: 'Cards in the memory of this gateway.',
      registers,
      collect() {
        this.set(cardsHeld());
      },
    });
  }
  return {
    registry,
    requests: new Histogram({
      name: `${prefix}gateway_request_duration_seconds`,
      help: 'HTTP requests by route and status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
      registers,
    }),
    starts: new Counter({
      name: `${prefix}starts_total`,
      help: 'Payments started, or found to be started before.',
      labelNames: ['kind', 'outcome'] as const,
      registers,
    }),
    postbacks: new Counter({
      name: `${prefix}postbacks_total`,
      help: 'Postbacks by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    signals: new Counter({
      name: `${prefix}postback_signals_total`,
      help: 'Signals that postbacks were turned into.',
      registers,
    }),
  };
}
