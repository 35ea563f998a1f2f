import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ProcessMetrics } from './process-metrics.js';

/** Serves GET /metrics and nothing else. Throws when the port is taken. */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  { registry, sdk }: ProcessMetrics,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    void Promise.all([registry.metrics(), sdk.text()]).then(
      (parts) => response.writeHead(200, { 'content-type': registry.contentType }).end(parts.join('\n')),
      () => response.writeHead(500).end(),
    );
  });
  server.requestTimeout = 10_000;
  server.listen(port, host);
  await once(server, 'listening');
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close').catch(() => undefined);
  };
}
