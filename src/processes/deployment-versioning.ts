import type { WorkerOptions } from '@temporalio/worker';
import { buildId } from '../config/build-id.js';
import type { WorkerConfig } from '../config/settings.js';

/**
 * How the worker of the main task queue takes part in Worker Deployment Versioning: as this build of a deployment that is
 * named for the task queue. The other queues have activities alone, which any build may run.
 */
export function deploymentVersioning({
  taskQueue,
  versioning,
}: Pick<WorkerConfig, 'taskQueue' | 'versioning'>): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (versioning === 'off') return {};
  return {
    workerDeploymentOptions: {
      version: { deploymentName: taskQueue, buildId: buildId() },
      useWorkerVersioning: true,
      defaultVersioningBehavior: versioning === 'pinned' ? 'PINNED' : 'AUTO_UPGRADE',
    },
  };
}
