import { hostname } from 'node:os';
import { Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import { programName, programVersion } from '../config/program-version.js';
import { workerShutdownGraceMs } from '../domain/call-limits.js';
import type { Tracing } from '../tracing/tracing.js';
import { logActivity } from './log-activities.js';
import type { Logger } from './logger.js';
import type { Running } from './running.js';

/** Beyond the grace, an activity that ignores its cancellation is left behind. */
const forceAfterMs = workerShutdownGraceMs + 15_000;

/** Starts a Temporal worker that finishes what it has started before it stops. */
export async function startWorker(
  options: WorkerOptions,
  logger: Logger,
  { activityInterceptors }: Pick<Tracing, 'activityInterceptors'>,
  onCreated: (worker: Worker) => void = () => undefined,
): Promise<Running> {
  const worker = await Worker.create({
    // Shown by Temporal for each poller: which process on which machine, and which version of this program.
    identity: `${String(process.pid)}@${hostname()} ${programName}/${programVersion()}`,
    shutdownGraceTime: workerShutdownGraceMs,
    shutdownForceTime: forceAfterMs,
    interceptors: {
      activity: [...activityInterceptors, (context) => ({ inbound: logActivity(context, logger) })],
    },
    ...options,
  });
  onCreated(worker);
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
