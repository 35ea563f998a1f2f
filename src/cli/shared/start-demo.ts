import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, processEnvironment } from '../../config.js';
import { startAll } from '../../dev/start-all/start-all.js';
import type { StartedAll } from '../../dev/start-all/start-all.js';
import { createProcessMetrics } from '../../metrics/process-metrics.js';
import { createLogger, unreadLines } from '../../processes/logger.js';
import { installTemporalRuntime } from '../../processes/temporal-runtime.js';
import { exitCodes } from './exit-codes.js';
import { startingProgress } from './starting-progress.js';

/** Where a demo runs, and how much faster than real payments and the real service. */
export type DemoOptions = {
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly pollScale: string;
  readonly sandboxTimeScale: number;
  /** Of the embedded Temporal; that of the last time, else the usual one when absent. */
  readonly temporalPort?: number;
};

/** Whatever else the environment names, a real payments service above all, a demo does not touch. */
export async function startDemo(options: DemoOptions): Promise<StartedAll> {
  const { pollScale, sandboxTimeScale, settings, temporalPort } = options;
  const config = loadConfig({ ...settings, POLL_SCALE: pollScale }, 'start');
  const logFile = join(config.dataDir, 'durable-payments.log');
  const logger = createLogger('demo', 'info', logFile);
  const metrics = await createProcessMetrics(unreadLines);
  installTemporalRuntime(logger, metrics.sdk, logFile);
  const progress = startingProgress();
  process.once('SIGINT', endEarly).once('SIGTERM', endEarly);
  const all = await startAll({
    ...{ config, env: processEnvironment(), logger, metrics, sandboxTimeScale, onProgress: progress.report },
    auditFile: logFile,
    ...(temporalPort === undefined ? {} : { temporalPort }),
  }).finally(progress.end);
  process.off('SIGINT', endEarly).off('SIGTERM', endEarly);
  return all;
}

/** A data directory that is gone with this process. */
export function passingDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'durable-payments-demo-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** Before all is up there is nothing to finish; what has been started ends with this process. */
function endEarly(): void {
  process.exit(exitCodes.failed);
}
