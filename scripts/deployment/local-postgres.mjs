import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startSupervised } from '../../dist/src/dev/embedded-temporal/supervised-process.js';
import { freePort } from '../../dist/src/dev/free-port.js';

const run = promisify(execFile);
const installed = '/usr/lib/postgresql';
const longestStartMs = 30_000;
export const databaseUser = 'postgres';

/**
 * A PostgreSQL of its own on loopback, as Debian's package installs it, with durable commits. It lives as long as this
 * process at most, and its data with it. It refuses to run as root, so root runs it as the package's user.
 */
export async function startLocalPostgres() {
  const versions = await readdir(installed).catch(() => []);
  if (versions.length === 0) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const bin = join(installed, versions.sort((a, b) => Number(a) - Number(b)).at(-1), 'bin');
  const dir = await mkdtemp(join(tmpdir(), 'local-postgres-'));
  let server;
  const stop = async () => {
    await server?.stop();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const asUser =
      process.getuid() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
    if (asUser.length > 0) await chown(dir, ...(await idsOf(databaseUser)));
    const data = join(dir, 'data');
    const env = { PATH: process.env.PATH, HOME: dir };
    const [initdb, ...initdbArgs] = [...asUser, join(bin, 'initdb')];
    await run(initdb, [...initdbArgs, '-D', data, '-U', databaseUser, '--auth=trust'], { env });
    const port = await freePort(0);
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: dir,
      max_connections: 200,
    };
    const [postgres, ...args] = [...asUser, join(bin, 'postgres'), '-D', data];
    const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${String(value)}`]);
    server = await startSupervised(postgres, [...args, ...set], env);
    await answers(join(bin, 'pg_isready'), port);
    return { host: '127.0.0.1', port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function idsOf(user) {
  const ids = await Promise.all(['-u', '-g'].map((of) => run('id', [of, user])));
  return ids.map(({ stdout }) => Number(stdout));
}

async function answers(isReady, port) {
  const deadline = Date.now() + longestStartMs;
  for (;;) {
    try {
      await run(isReady, ['-h', '127.0.0.1', '-p', String(port)]);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Error('PostgreSQL did not answer in time.', { cause: error });
      await sleep(200);
    }
  }
}
