import type { GatewayApp } from '../app.js';
import { knownWorkflowId } from './known-workflow-id.js';
import type { GatewayMetrics } from './metrics.js';

/** Requested every few seconds by health checks and scrapers. */
const probes = new Set(['/healthz', '/readyz', '/metrics']);

/** Counts and logs each request by its route, never by its address: that may be a capability. */
export function observeRequests(
  app: GatewayApp,
  metrics: GatewayMetrics,
  routeOf: (url: string | undefined) => string,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request.routeOptions.url);
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    metrics.requests.observe(labels, reply.elapsedTime / 1_000);
    const workflowId = knownWorkflowId(request, reply.statusCode);
    const line = {
      ...labels,
      duration_ms: Math.round(reply.elapsedTime),
      caller: request.caller?.name,
      ...(workflowId === undefined ? {} : { workflow_id: workflowId }),
    };
    if (probes.has(route)) request.log.debug(line, 'request');
    else request.log.info(line, 'request');
    done();
  });
}
