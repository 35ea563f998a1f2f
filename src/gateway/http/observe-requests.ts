import type { GatewayApp } from '../app.js';
import type { GatewayMetrics } from './metrics.js';

/** Asked every few seconds, for good. */
const probes = new Set(['/healthz', '/readyz', '/metrics']);

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
