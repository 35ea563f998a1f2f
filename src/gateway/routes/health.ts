import { callTemporal } from '../../client/temporal-calls.js';
import { blocking } from '../../health/problem.js';
import type { GatewayApp, GatewayServices } from '../app.js';

const readinessMs = 2_000;
/** However many probes there are, Temporal is asked once in this time. */
const keptMs = 2_000;

/**
 * GET /healthz: the process works. /readyz: this gateway can do its work, and in the body what keeps payments of the
 * whole system from moving. /metrics: for Prometheus.
 */
export function healthRoutes(app: GatewayApp, { deps, limits, metrics }: GatewayServices): void {
  const unlimited = { rateLimit: false, whenOverloaded: true } as const;
  const calls = { client: deps.client, callTimeoutMs: Math.min(readinessMs, limits.temporalCallMs) };
  const askTemporal = shared(keptMs, () =>
    callTemporal(calls, () => deps.client.workflowService.getSystemInfo({})),
  );

  app.get('/healthz', { config: unlimited, schema: { hide: true } }, () => ({ status: 'ok' }));

  app.get(
    '/readyz',
    { config: { ...unlimited, purpose: 'read' }, schema: { hide: true } },
    async (_request, reply) => {
      await askTemporal();
      const report = deps.health?.() ?? null;
      // Temporal has just answered.
      // Whoever asks needs no key, so that no payment is named.
      const problems = (report?.problems ?? []).flatMap(({ action, check, detail }) =>
        check === 'temporal' ? [] : [{ check, detail, action }],
      );
      const isReady = !problems.some(({ check }) => blocking.has(check));
      void reply.code(isReady ? 200 : 503);
      return {
        status: !isReady ? 'not_ready' : problems.length > 0 ? 'degraded' : 'ready',
        checked_at: report?.checkedAt.toISOString() ?? null,
        problems,
      };
    },
  );

  app.get('/metrics', { config: unlimited, schema: { hide: true } }, async (_request, reply) => {
    const parts = await Promise.all([metrics.registry.metrics(), deps.sdkMetrics?.() ?? '']);
    return reply.header('content-type', metrics.registry.contentType).send(parts.join('\n'));
  });
}

/** Calls that come while one is under way, or so soon after it, get its outcome. */
function shared<T>(forMs: number, call: () => Promise<T>): () => Promise<T> {
  let latest: { at: number; outcome: Promise<T> } | undefined;
  return () => {
    if (latest === undefined || Date.now() - latest.at > forMs) {
      latest = { at: Date.now(), outcome: call() };
      latest.outcome.catch(() => undefined);
    }
    return latest.outcome;
  };
}
