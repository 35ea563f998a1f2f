import { Command } from 'commander';
import { processEnvironment } from '../config.js';
import { playDemo } from '../dev/demo/play.js';
import { createReporter } from '../dev/demo/reporter.js';
import { freePort } from '../dev/free-port.js';
import type { StartedAll } from '../dev/start-all/start-all.js';
import { incidentList, runIncident } from './demo-incident.js';
import { exitCodes } from './shared/exit-codes.js';
import { UsageError } from './shared/exit.js';
import { passingDataDir, startDemo } from './shared/start-demo.js';
import { untilStopped } from './shared/until-stopped.js';

/** Payments live so much faster than real ones, and the sandbox so much faster than by its document. */
const speed = { pollScale: '0.05', sandboxTimeScale: 0.4 };

/** `durable-payments demo`: what it does, shown with payments of every kind. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('Watch durable payments happen against the sandbox: no money moves, nothing is left behind.')
    .option('--keep', 'use DATA_DIR and the usual ports, and stay up until Ctrl-C')
    .option('--incident <n>', 'set up an incident to solve, and stay up until Ctrl-C; list names them')
    .addHelpText('after', '\nIt exits with 0 only if every payment came out as it should.')
    .action(async ({ incident, keep }: { incident?: string; keep?: true }) => {
      if (incident === 'list') console.log(incidentList());
      else if (incident === undefined)
        process.exitCode = keep === true ? await playKept() : await playAndForget();
      else if (keep === true) throw new UsageError('Give --incident or --keep: an incident keeps nothing.');
      else process.exitCode = await runIncident(incident);
    });
}

async function playAndForget(): Promise<number> {
  const settings = {
    DATA_DIR: passingDataDir(),
    GATEWAY_PORT: String(await freePort(0)),
    TEMPORAL_UI_PORT: String(await freePort(0)),
  };
  return play(await startDemo({ settings, ...speed, temporalPort: await freePort(0) }), false);
}

async function playKept(): Promise<number> {
  const { DATA_DIR, GATEWAY_PORT, GATEWAY_HOST, TEMPORAL_UI_PORT } = processEnvironment();
  const settings = { DATA_DIR, GATEWAY_PORT, GATEWAY_HOST, TEMPORAL_UI_PORT };
  return play(await startDemo({ settings, ...speed }), true);
}

async function play(all: StartedAll, keep: boolean): Promise<number> {
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
      `It stays up: gateway ${all.gatewayUrl}, Web UI ${all.temporal?.webUiLink?.('/') ?? 'none'}. Ctrl-C stops it.`,
    );
    await stopped;
  } else await all.stop();
  return allWell ? exitCodes.done : exitCodes.failed;
}
