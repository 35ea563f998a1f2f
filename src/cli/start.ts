import { join } from 'node:path';
import { Command } from 'commander';
import { headerFile, loadConfig, processEnvironment } from '../config.js';
import { privateDirectory } from '../config/private-directory.js';
import type { StartConfig } from '../config/settings.js';
import { createProcessMetrics } from '../metrics/process-metrics.js';
import { createLogger, print, unreadLines } from '../processes/logger.js';
import { codecEndpointFile } from '../dev/start-all/codec-endpoint.js';
import { startAll } from '../dev/start-all/start-all.js';
import type { StartedAll } from '../dev/start-all/start-all.js';
import { leaveMemoryOutOfCoreDumps } from '../processes/core-dumps.js';
import { endOnUncaught } from '../processes/uncaught-errors.js';
import { installTemporalRuntime } from '../processes/temporal-runtime.js';
import { startingProgress } from './shared/starting-progress.js';
import { untilStopped } from './shared/until-stopped.js';

/** `durable-payments start`: everything in one process. */
export function startCommand(): Command {
  return new Command('start')
    .description('Run all in one: gateway, workers, and unless named otherwise a Temporal and a sandbox.')
    .action(async () => {
      const env = processEnvironment();
      const config = loadConfig(env, 'start');
      privateDirectory(config.dataDir);
      const logFile = join(config.dataDir, 'durable-payments.log');
      const logger = createLogger('start', config.logLevel, logFile);
      leaveMemoryOutOfCoreDumps();
      endOnUncaught(logger);
      const metrics = await createProcessMetrics(unreadLines);
      installTemporalRuntime(logger, metrics.sdk);
      const progress = startingProgress();
      const all = await startAll({ config, env, logger, metrics, onProgress: progress.report }).finally(
        progress.end,
      );
      print(introduction(all, config, logFile));
      await untilStopped(all, () => print('Stopping: calls under way are finished first.'));
      print('Stopped. Nothing is lost: the next start goes on from here.');
    });
}

/** What the `temporal` command needs: where Temporal is, and what decodes its answers. */
function temporalLines(
  { address }: NonNullable<StartedAll['temporal']>,
  dataDir: string,
): [string, string][] {
  const codec = `TEMPORAL_CODEC_ENDPOINT="$(cat '${codecEndpointFile(dataDir)}')"`;
  return [['Temporal', `${address} (temporal: export TEMPORAL_ADDRESS=${address} ${codec})`]];
}

function webUiOf({ temporal }: StartedAll): string {
  if (temporal === null) return 'the one of your Temporal';
  return temporal.webUiLink?.('/') ?? 'none: this system has no address for it that others do not reach';
}

/** Of keys that were made here, the files for `curl -H @file`. */
function keysLine({ apiKeys }: StartedAll, config: StartConfig): string {
  if (config.apiKeys !== null) return 'those of API_KEYS';
  const files = apiKeys.map(
    ({ name, scopes }) => `${headerFile(config.dataDir, name)} (${scopes.join(', ')})`,
  );
  return `in ${files.join(' and ')}, for curl -H @file`;
}

function introduction(all: StartedAll, config: StartConfig, logFile: string): string {
  const lines: [string, string][] = [
    ['Gateway', all.gatewayUrl],
    ['API reference', `${all.gatewayUrl}/docs`],
    ['API keys', keysLine(all, config)],
    ['Temporal Web UI', webUiOf(all)],
    ...(all.temporal === null ? [] : temporalLines(all.temporal, config.dataDir)),
    [
      'Payments service',
      all.sandboxUrl === null ? 'the one of PAYMENTS_BASE_URL' : `${all.sandboxUrl} (sandbox)`,
    ],
    ['Log', logFile],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return [
    'durable-payments is running. Ctrl-C stops it.',
    ...lines.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
  ].join('\n');
}
