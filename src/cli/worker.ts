import { Command } from 'commander';
import { loadConfig, processEnvironment } from '../config.js';
import { createProcessMetrics } from '../metrics/process-metrics.js';
import { createLogger, unreadLines } from '../processes/logger.js';
import { closing, startStack } from '../processes/running.js';
import { leaveMemoryOutOfCoreDumps } from '../processes/core-dumps.js';
import { endOnUncaught } from '../processes/uncaught-errors.js';
import { installTemporalRuntime } from '../processes/temporal-runtime.js';
import { startWorkerProcess } from '../processes/worker.js';
import { keepTouching } from './shared/alive-file.js';
import { untilStopped } from './shared/until-stopped.js';

/** `durable-payments worker`: workflows and activities. */
export function workerCommand(): Command {
  return new Command('worker')
    .description('Run the workers: any number of them share the work of one Temporal.')
    .option(
      '--alive-file <path>',
      'touch this file every ten seconds while the workers run, for a health check',
    )
    .action(async ({ aliveFile }: { aliveFile?: string }) => {
      const config = loadConfig(processEnvironment(), 'worker');
      const logger = createLogger('worker', config.logLevel);
      leaveMemoryOutOfCoreDumps();
      endOnUncaught(logger);
      const metrics = await createProcessMetrics(unreadLines);
      installTemporalRuntime(logger, metrics.sdk);
      const running = await startStack(async (stack) => {
        stack.add(await startWorkerProcess(config, logger, metrics));
        if (aliveFile !== undefined) {
          const stopTouching = await keepTouching(aliveFile);
          stack.add(closing(stopTouching));
        }
        return stack;
      });
      logger.info({ task_queue: config.taskQueue }, 'worker is running');
      await untilStopped(running, () =>
        logger.info('worker is stopping: calls under way are finished first'),
      );
    });
}
