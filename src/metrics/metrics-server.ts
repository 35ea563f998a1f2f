import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ProcessMetrics } from './process-metrics.js';
import type { SdkMetrics } from './sdk-metrics.js';

export type MetricsServerLimits = {
  /** How many connections may be open; a further one is closed at once. */
  readonly connections: number;
  /** How long a request may take to come whole, and then its answer to leave whole; after that its connection is closed. */
  readonly totalMs: number;
};

const usualLimits: MetricsServerLimits = { connections: 50, totalMs: 10_000 };

export type ServedMetrics = Pick<ProcessMetrics, 'registry'> & { readonly sdk: Pick<SdkMetrics, 'text'> };

/**
 * Serves GET /metrics and nothing else, on few connections and in bounded time: whoever asks often or does not read the
 * answer takes little from the payments. Throws when the port is taken.
 */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  { registry, sdk }: ServedMetrics,
  { connections, totalMs }: MetricsServerLimits = usualLimits,
): Promise<() => Promise<void>> {
  const render = shared(async () => (await Promise.all([registry.metrics(), sdk.text()])).join('\n'));
  const timeouts = { requestTimeout: totalMs, connectionsCheckingInterval: totalMs };
  const server = createServer(timeouts, (request, response) => {
    const timer = setTimeout(() => request.socket.destroy(), totalMs);
    response.once('close', () => {
      clearTimeout(timer);
    });
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    void render().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = connections;
  server.listen(port, host);
  await once(server, 'listening');
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close').catch(() => undefined);
  };
}

/** Whoever asks while an answer is made gets the same one. */
function shared<Answer>(make: () => Promise<Answer>): () => Promise<Answer> {
  let underWay: Promise<Answer> | undefined;
  return () =>
    (underWay ??= make().finally(() => {
      underWay = undefined;
    }));
}
