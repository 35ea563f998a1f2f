import { setTimeout as sleep } from 'node:timers/promises';
import { processEnvironment } from '../config.js';
import { incidents } from '../dev/demo/incidents/incidents.js';
import type { Incident, IncidentStack } from '../dev/demo/incidents/incident.js';
import { SandboxControl } from '../dev/demo/incidents/sandbox-control.js';
import { lookAt } from '../dev/demo/incidents/verdict.js';
import type { Verdict } from '../dev/demo/incidents/verdict.js';
import { Oms } from '../dev/demo/oms.js';
import { freePort } from '../dev/free-port.js';
import type { StartedAll } from '../dev/start-all/start-all.js';
import { paragraph } from './shared/columns.js';
import { exitCodes } from './shared/exit-codes.js';
import { UsageError } from './shared/exit.js';
import { passingDataDir, startDemo } from './shared/start-demo.js';
import { untilStopped } from './shared/until-stopped.js';

/** An hour of a payment is seven seconds, a day three minutes. */
const speed = { pollScale: '0.002', sandboxTimeScale: 0.1 };
const betweenLooksMs = 1_000;
const width = 80;

/** The numbers and titles of the incidents. */
export function incidentList(): string {
  return incidents.map(({ title }, index) => `${String(index + 1).padStart(2)}  ${title}`).join('\n');
}

/**
 * Sets up an incident, shows what the on-call engineer is told, and reports when it is solved. Stays up until it is
 * stopped, and leaves nothing behind. Answers the exit code: whether it was solved.
 *
 * @throws UsageError when there is no incident of this number
 */
export async function runIncident(number: string): Promise<number> {
  const incident = /^\d+$/.test(number) ? incidents[Number(number) - 1] : undefined;
  if (incident === undefined) {
    throw new UsageError(
      `There is no incident ${number}. These are the incidents, by their numbers:\n${incidentList()}`,
    );
  }
  const dataDir = passingDataDir();
  const { GATEWAY_PORT = String(await freePort(8080)), TEMPORAL_UI_PORT } = processEnvironment();
  const settings = { DATA_DIR: dataDir, GATEWAY_PORT, TEMPORAL_UI_PORT };
  const all = await startDemo({ settings, ...speed, temporalPort: await freePort(0) });
  const stopping = new AbortController();
  const stopped = untilStopped(all, () => stopping.abort());
  const stack: IncidentStack = {
    oms: new Oms(all.gatewayUrl, all.apiKeys[0]?.key ?? '', () => undefined),
    sandbox: new SandboxControl(all.sandboxUrl ?? ''),
  };
  const over = stopped.then(() => 'stopped' as const);
  console.log(`Incident ${number} of ${String(incidents.length)}: ${incident.title}\n\nSetting it up …`);
  const isUp = await Promise.race([incident.setUp(stack), over]).catch(async (error: unknown) => {
    // Whatever fails while all is being stopped fails because of that.
    if (stopping.signal.aborted) return over;
    await all.stop();
    throw error;
  });
  if (isUp === 'stopped') {
    console.log('Stopped before it was set up.');
    return exitCodes.failed;
  }
  console.log(briefing(incident, number, all, dataDir));
  const last = await watched(incident, stack, over);
  await stopped;
  return last === 'solved' ? exitCodes.done : exitCodes.failed;
}

/** Looks until the incident is solved or can't be solved any more, and prints that; or until all is stopped. */
async function watched(
  incident: Incident,
  stack: IncidentStack,
  over: Promise<'stopped'>,
): Promise<Verdict['outcome']> {
  for (;;) {
    // A look that fails, as all is being stopped, shows nothing.
    const looking = lookAt(incident, stack).catch(() => null);
    const seen = await Promise.race([looking, over]);
    if (seen === 'stopped') return 'open';
    if (seen !== null && seen.outcome !== 'open') {
      console.log(verdictText(seen));
      return seen.outcome;
    }
    if ((await Promise.race([sleep(betweenLooksMs), over])) === 'stopped') return 'open';
  }
}

function verdictText({ lines, outcome }: Verdict): string {
  const shown = lines.length > 5 ? [...lines.slice(0, 3), `and ${String(lines.length - 3)} more`] : lines;
  const head =
    outcome === 'solved'
      ? 'Solved: payments and the ledger of the sandbox are as they should be.'
      : 'Not solved: a payout was paid twice, and no command takes that back.';
  return [head, ...shown.map((line) => `  ${line}`), 'Ctrl-C ends it.'].join('\n');
}

function briefing({ symptom, title }: Incident, number: string, all: StartedAll, dataDir: string): string {
  const anchor = `${number}-${title}`
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
  const told = paragraph(symptom, width - 2).replaceAll(/^/gm, '  ');
  return `
What you are told:
${told}

In a second terminal, in this directory:
  export DATA_DIR=${dataDir}
  export GATEWAY=${all.gatewayUrl}
  export SANDBOX=${all.sandboxUrl ?? ''}
  npx durable-payments attention

Web UI    ${all.temporal?.webUiLink?.('/') ?? 'none'}
Gateway   ${all.gatewayUrl}/docs
Solution  docs/incidents.md#${anchor}

An hour of these payments takes seven seconds, a day three minutes.
It is reported here when the incident is solved. Ctrl-C ends it and leaves
nothing behind.
`;
}
