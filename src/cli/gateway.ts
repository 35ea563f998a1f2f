import { Command } from 'commander';
import { loadConfig, processEnvironment } from '../config.js';
import { createProcessMetrics } from '../metrics/process-metrics.js';
import { startGatewayProcess } from '../processes/gateway.js';
import { createLogger, unreadLines } from '../processes/logger.js';
import { requireOpenFiles } from '../processes/open-files.js';
import { leaveMemoryOutOfCoreDumps } from '../processes/core-dumps.js';
import { endOnUncaught } from '../processes/uncaught-errors.js';
import { installTemporalRuntime } from '../processes/temporal-runtime.js';
import { untilStopped } from './shared/until-stopped.js';

/** `durable-payments gateway`: the HTTP API, postbacks, and the card store. */
export function gatewayCommand(): Command {
  return new Command('gateway')
    .description('Run the HTTP gateway with its card store: any number of them behind one address.')
    .action(async () => {
      const config = loadConfig(processEnvironment(), 'gateway');
      requireOpenFiles();
      const logger = createLogger('gateway', config.logLevel);
      leaveMemoryOutOfCoreDumps();
      endOnUncaught(logger);
      const metrics = await createProcessMetrics(unreadLines);
      installTemporalRuntime(logger, metrics.sdk);
      const running = await startGatewayProcess(config, logger, metrics);
      logger.info({ host: config.host, port: config.port }, 'gateway is running');
      await untilStopped(running, () =>
        logger.info('gateway is stopping: no more cards, calls under way end'),
      );
    });
}
