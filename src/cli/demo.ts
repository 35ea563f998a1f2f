import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadConfig, processEnvironment } from '../config.js';
import { freePort } from '../dev/free-port.js';
import { createLogger } from '../processes/logger.js';
import { startAll } from '../dev/start-all/start-all.js';
import { installTemporalRuntime } from '../processes/temporal-runtime.js';
import { playDemo } from '../dev/demo/play.js';
import { createReporter } from '../dev/demo/reporter.js';
import { exitCodes } from './shared/exit.js';
import { startingProgress } from './shared/starting-progress.js';
import { untilStopped } from './shared/until-stopped.js';

/** Payments live so much faster than real ones, and the sandbox so much faster than by its document. */
const pollScale = '0.05';
const sandboxTimeScale = 0.4;

/** `durable-payments demo`: what it does, shown with payments of every kind. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('Watch durable payments happen against the sandbox: no money moves, nothing is left behind.')
    .option('--keep', 'use DATA_DIR and the usual ports, and stay up until Ctrl-C')
    .addHelpText('after', '\nIt exits with 0 only if every payment came out as it should.')
    .action(async ({ keep }: { keep?: true }) => {
      process.exitCode = keep === true ? await playKept() : await playAndForget();
    });
}

async function playAndForget(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'durable-payments-demo-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const ports = { GATEWAY_PORT: String(await freePort(0)), TEMPORAL_UI_PORT: String(await freePort(0)) };
  return play({ DATA_DIR: dataDir, ...ports }, false);
}

function playKept(): Promise<number> {
  const { DATA_DIR, GATEWAY_PORT, GATEWAY_HOST, TEMPORAL_UI_PORT } = processEnvironment();
  return play({ DATA_DIR, GATEWAY_PORT, GATEWAY_HOST, TEMPORAL_UI_PORT }, true);
}

/** Whatever else the environment names, a real payments service above all, the demo does not touch. */
async function play(settings: Record<string, string | undefined>, keep: boolean): Promise<number> {
  const config = loadConfig({ ...settings, POLL_SCALE: pollScale }, 'start');
  const logger = createLogger('demo', 'info', join(config.dataDir, 'durable-payments.log'));
  installTemporalRuntime(logger);
  const progress = startingProgress();
  const env = processEnvironment();
  process.once('SIGINT', endEarly).once('SIGTERM', endEarly);
  const all = await startAll({
    ...{ config, env, logger, sandboxTimeScale, onProgress: progress.tell },
    ...(keep ? {} : { temporalPort: await freePort(0) }),
  }).finally(progress.end);
  process.off('SIGINT', endEarly).off('SIGTERM', endEarly);
  const stopped = untilStopped(all);
  const reporter = createReporter();
  const played = playDemo(all, keep ? `demo-${Date.now().toString(36)}` : 'demo', reporter).finally(() =>
    reporter.close(),
  );
  const allWell = await Promise.race([played, stopped.then(() => null)]);
  if (allWell === null) {
    played.catch(() => undefined);
    console.log('Stopped before the end.');
    return exitCodes.failed;
  }
  console.log(
    allWell ? 'Everything came out as it should.' : 'Not everything came out as it should: see above.',
  );
  if (keep) {
    console.log(
      `It stays up: gateway ${all.gatewayUrl}, Web UI ${all.temporal?.uiUrl ?? ''}. Ctrl-C stops it.`,
    );
    await stopped;
  } else await all.stop();
  return allWell ? exitCodes.done : exitCodes.failed;
}

/** Before all is up there is nothing to finish; what has been started ends with this process. */
function endEarly(): void {
  process.exit(exitCodes.failed);
}
