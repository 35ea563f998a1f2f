import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import type { SendingDeps } from '../../activities/shared/deps.js';
import { knownOrder } from '../../src/client/known-order.js';
import { beforeSending } from '../../src/domain/call-limits.js';
import type { PaymentsService } from '../../src/payments-service/payments-service.js';
import { lookForEarlierRun } from '../../src/temporal/earlier-runs.js';
import { markSending } from '../../src/temporal/mark-sending.js';
import { noneLingers } from './none-lingers.js';
import { ownTokens } from './own-tokens.js';
import { testDataConverter } from './temporal-data-converter.js';

/** Nothing listens there. */
export const nowhere = 'http://127.0.0.1:9';

/** Starts a worker for each task queue; answers what stops them as SIGTERM does. */
export async function startWorkers(
  common: Partial<WorkerOptions>,
  queues: readonly WorkerOptions[],
): Promise<() => Promise<void>> {
  const workers: Worker[] = [];
  for (const queue of queues)
    workers.push(
      await Worker.create({ dataConverter: testDataConverter, shutdownGraceTime: 0, ...common, ...queue }),
    );
  const running = Promise.all(workers.map((worker) => worker.run()));
  return async () => {
    for (const worker of workers) worker.shutdown();
    await running;
  };
}

/** What activities that create need. No creating call lingers, and postbacks go nowhere. */
export function sendingOn(client: Client, service: PaymentsService) {
  return {
    ...{ service, tokens: ownTokens(service), publicUrl: nowhere, lingerers: noneLingers() },
    postbackKeys: [randomBytes(32)] as readonly [Uint8Array],
    now: () => Date.now(),
    orderOf: (partnerCode) => knownOrder(client, partnerCode),
    earlierRun: (run) => lookForEarlierRun(client, run, beforeSending.searchMs),
    markSending: (taskToken) => markSending(client, taskToken, beforeSending.markMs),
  } satisfies SendingDeps;
}

/** No creating call waits so long for its turn that others give way. */
export const turns = { callsWait: () => Promise.resolve(false) };
