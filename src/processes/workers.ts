import { Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import { workerShutdownGraceMs } from '../domain/call-limits.js';
import type { Running } from './running.js';

/** Beyond the grace, an activity that ignores its cancellation is left behind. */
const forceAfterMs = workerShutdownGraceMs + 15_000;

/** Starts a Temporal worker that finishes what it has begun before it leaves. */
export async function startWorker(options: WorkerOptions): Promise<Running> {
  const worker = await Worker.create({
    shutdownGraceTime: workerShutdownGraceMs,
    shutdownForceTime: forceAfterMs,
    ...options,
  });
  const running = worker.run();
  let stopping = false;
  const failed = new Promise<Error>((report) => {
    running.catch((error: unknown) => {
      if (!stopping) report(error instanceof Error ? error : new Error(String(error)));
    });
  });
  return {
    failed,
    stop: async () => {
      stopping = true;
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    },
  };
}

/** Stops several at the same time. */
export function together(workers: readonly Running[]): Running {
  return {
    failed: Promise.race(workers.map(({ failed }) => failed)),
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
