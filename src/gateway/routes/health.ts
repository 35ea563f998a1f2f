import type { GatewayApp, GatewayServices } from '../app.js';
import { callTemporal } from '../../client/temporal-calls.js';

const readinessMs = 2_000;

/** GET /healthz: the process works; /readyz: Temporal answers it too; /metrics: for Prometheus. */
export function healthRoutes(app: GatewayApp, { deps, limits, metrics }: GatewayServices): void {
  // An overloaded gateway is alive, and can be measured.
  const unlimited = { rateLimit: false, pressureHandler: () => undefined } as const;

  app.get('/healthz', { config: unlimited, schema: { hide: true } }, () => ({ status: 'ok' }));

  app.get('/readyz', { config: { ...unlimited, purpose: 'read' }, schema: { hide: true } }, async () => {
    const calls = { client: deps.client, callTimeoutMs: Math.min(readinessMs, limits.temporalCallMs) };
    await callTemporal(calls, () => deps.client.workflowService.getSystemInfo({}));
    return { status: 'ready' };
  });

  app.get('/metrics', { config: unlimited, schema: { hide: true } }, async (_request, reply) =>
    reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}
