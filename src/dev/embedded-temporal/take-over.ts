import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readEmbeddedState } from './state-file.js';
import { processEnvironment } from '../../config.js';
import { environmentToRun } from './environment-of.js';

const GRACE_MS = 10_000;
const POLL_MS = 100;

/** Another process works with this data directory; two servers on one database would destroy it. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
}

/**
 * Makes sure that no server works on `databaseFile`: one whose owner died is ended (its supervisor may be at it),
 * one whose owner lives is left alone.
 *
 * @throws DataDirInUseError when its owner lives.
 */
export async function endLeftoverServer(dataDir: string, databaseFile: string): Promise<void> {
  const state = await readEmbeddedState(dataDir);
  if (state === null || !(await serves(state.server_pid, databaseFile))) return;
  if (isAlive(state.owner_pid)) {
    throw new DataDirInUseError(
      `The data directory ${dataDir} is in use by process ${String(state.owner_pid)}, which runs Temporal on port ` +
        `${String(state.port)} with it. Stop that process, or set DATA_DIR to another directory.`,
    );
  }
  signal(state.server_pid, 'SIGTERM');
  const deadline = Date.now() + GRACE_MS;
  while (await serves(state.server_pid, databaseFile)) {
    if (Date.now() > deadline) signal(state.server_pid, 'SIGKILL');
    await sleep(POLL_MS);
  }
}

/** Whether that process is a server on this very database, and not another that got the same number later. */
async function serves(pid: number, databaseFile: string): Promise<boolean> {
  return isAlive(pid) && (await commandLine(pid)).includes(databaseFile);
}

/** Empty for a process that has ended. Linux images without `ps` have /proc. */
async function commandLine(pid: number): Promise<string> {
  const args = ['-ww', '-o', 'args=', '-p', String(pid)];
  return readFile(`/proc/${String(pid)}/cmdline`, 'utf8')
    .catch(
      async () =>
        (await promisify(execFile)('ps', args, { env: environmentToRun(processEnvironment()) })).stdout,
    )
    .catch(() => '');
}

function isAlive(pid: number): boolean {
  return signal(pid, 0);
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
