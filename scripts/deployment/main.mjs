// Starts what docker-compose.yml describes, with its settings, without Docker: each container in Linux namespaces of its
// own, with programs of Debian, and Temporal's server from its Go module. Plays payments while processes are killed;
// the sandbox's ledger judges. Nothing is left behind. Usage: npm run check:deployment [-- --build-only]
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { locateTemporal } from '../../dist/src/dev/embedded-temporal/locate.js';
import { withProgress } from '../progress.mjs';
import { composeCommand } from './compose-file.mjs';
import { serverVersion } from './server-version.mjs';
import { buildTemporalServer } from './temporal-server.mjs';

const { values } = parseArgs({
  options: {
    temporal: { type: 'string', default: serverVersion },
    'build-only': { type: 'boolean', default: false },
  },
});

/** By the program that is needed: the package of Debian that has it. */
const packages = {
  bwrap: 'bubblewrap',
  busybox: 'busybox',
  dnsmasq: 'dnsmasq-base',
  envsubst: 'gettext-base',
  ip: 'iproute2',
  nc: 'netcat-openbsd',
  nginx: 'nginx-light',
  openssl: 'openssl',
  prometheus: 'prometheus',
  tini: 'tini',
};

const missing = await missingPackages();
if (missing.length > 0 && !values['build-only']) {
  console.error(`This needs programs that are not here: apt-get install ${missing.join(' ')}`);
  process.exit(1);
}
const temporalCli = await withProgress('Getting Temporal', (report) => locateTemporal(process.env, report));
const server = await withProgress("Building Temporal's server", (report) =>
  buildTemporalServer(values.temporal, process.env, report),
);
if (!values['build-only']) process.exitCode = await runInside();

async function missingPackages() {
  const dirs = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const names = Object.entries(packages).flatMap(([program, name]) =>
    dirs.some((dir) => canRun(join(dir, program))) ? [] : [name],
  );
  if ((await composeCommand()) === undefined) names.push('docker-compose');
  if (!canRun('/usr/lib/postgresql')) names.push('postgresql');
  return names;
}

function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A user, a network, mounts and processes of its own; /run is in memory there. It ends with this process. */
function runInside() {
  const inside = fileURLToPath(new URL('inside.mjs', import.meta.url));
  const child = spawn(
    'unshare',
    [
      ...['--user', '--map-root-user', '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
      ...['sh', '-euc', 'mount -t tmpfs tmpfs /run; mkdir -p /run/netns; exec "$@"', 'inside'],
      ...[process.execPath, inside, server, temporalCli],
    ],
    { stdio: ['pipe', 'inherit', 'inherit'], detached: true, env: { PATH: `${process.env.PATH}:/usr/sbin` } },
  );
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      console.log('Stopped before the end.');
      child.kill('SIGKILL');
    });
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`Namespaces are not to be had here: ${error.message}`);
      resolve(1);
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
}
