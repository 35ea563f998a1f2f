import type { GatewayDeps } from '../../src/gateway/deps.js';
import { startBulkRetryStack } from '../support/bulk-retries.js';
import { replayAfter } from '../support/replay.js';
import { workflowBundle } from '../support/workflow-bundle.js';
import { startGatewayOn } from './test-gateway.js';

/** Failed payouts and bulk retries behind a gateway, with a worker. `replay` is for the end of each test. */
export type BulkRetryGateway = Awaited<ReturnType<typeof startBulkRetryGateway>>;

export async function startBulkRetryGateway(more: Partial<GatewayDeps> = {}) {
  const stack = await startBulkRetryStack();
  const { server } = stack.deployment;
  const gateway = await startGatewayOn(server, more);
  await stack.deployment.startWorker();
  return {
    ...stack,
    gateway,
    replay: () =>
      replayAfter(server.client, server.started, { workflowBundle: workflowBundle(), leftOpen: 'all' }),
    close: async () => {
      await gateway.close();
      await stack.close();
    },
  };
}
