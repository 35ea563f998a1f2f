import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const workflowQueue = 1;

/** From the start of the process to its first poll for workflow tasks, on a task queue of its own. */
export const workerStart = {
  name: 'worker-start',
  title: 'start of a worker to its first poll',
  run: async (bench) => {
    const { processes } = bench;
    const taskQueue = `start-${bench.freshCode()}`;
    const startedMs = performance.now();
    processes.run('worker-started', [processes.main, 'worker'], { PAYMENTS_TASK_QUEUE: taskQueue });
    for (;;) {
      const { pollers } = await bench.client.workflowService.describeTaskQueue({
        namespace: processes.temporal.namespace,
        taskQueue: { name: taskQueue },
        taskQueueType: workflowQueue,
      });
      if (pollers.length > 0) break;
      await sleep(10);
    }
    const seconds = (performance.now() - startedMs) / 1_000;
    await processes.end('worker-started');
    return { startSeconds: seconds };
  },
};
