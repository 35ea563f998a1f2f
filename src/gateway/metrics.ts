import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { GatewayApp } from './app.js';

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

/** Asked every few seconds, for good. */
const probes = new Set(['/healthz', '/readyz', '/metrics']);

function ownRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/**
 * Counts and logs each request by its route, never by its address: that may be a capability. The codec's path may be
 * a secret as well, so it goes by another name.
 */
export function observeRequests(
  app: GatewayApp,
  metrics: GatewayMetrics,
  codecPath: string | undefined,
): void {
  const routeOf = (url: string | undefined) => {
    if (url === undefined) return '(none)';
    return codecPath !== undefined && url.startsWith(codecPath)
      ? `/codec${url.slice(codecPath.length)}`
      : url;
  };
  app.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request.routeOptions.url);
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    metrics.requests.observe(labels, reply.elapsedTime / 1_000);
    // Of what is not there nothing is repeated: a caller may have sent anything in place of a partner_code.
    const isThere = reply.statusCode < 400 || reply.statusCode === 409;
    const line = {
      ...labels,
      duration_ms: Math.round(reply.elapsedTime),
      caller: request.caller?.name,
      ...(request.workflowId !== null && isThere ? { workflow_id: request.workflowId } : {}),
    };
    if (probes.has(route)) request.log.debug(line, 'request');
    else request.log.info(line, 'request');
    done();
  });
}
