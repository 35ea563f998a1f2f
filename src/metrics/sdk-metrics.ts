import { createServer } from 'node:net';
import type { MetricsExporterConfig } from '@temporalio/worker';

const fetchMs = 5_000;

/** The Temporal SDK's own metrics: how it exports them, and what it exports. */
export type SdkMetrics = {
  readonly exporter: MetricsExporterConfig;
  /** As Prometheus reads them; empty while the SDK does not answer. */
  text(): Promise<string>;
};

/** The SDK serves its metrics at a port of its own: one on loopback, from which ours are completed. */
export async function sdkMetrics(): Promise<SdkMetrics> {
  const bindAddress = `127.0.0.1:${String(await freeLoopbackPort())}`;
  return {
    exporter: {
      // Names as Prometheus wants them.
      prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
    },
    text: async () => {
      try {
        const answer = await fetch(`http://${bindAddress}/metrics`, { signal: AbortSignal.timeout(fetchMs) });
        return answer.ok ? await answer.text() : '';
      } catch {
        return '';
      }
    },
  };
}

function freeLoopbackPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
