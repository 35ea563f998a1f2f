import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { whereThereIs } from '../support/tools.js';
import { ownPort } from '../support/own-port.js';
import { MAIN, runProgram, runToEnd } from '../processes/support/program.js';

const { version: packageVersion } = packageJson;

test.runIf(whereThereIs('/dev/full', existsSync('/dev/full')))(
  'an answer that can not be written is an error',
  async () => {
    const full = await open('/dev/full', 'w');
    onTestFinished(() => full.close());
    const program = runProgram(['payout', '--help'], {}, MAIN, full.fd);
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.output()).toBe(
      'The answer could not be written (ENOSPC). What was commanded stands; show it again.\n',
    );
  },
);

test('whoever stops reading ends a command without a word', () => {
  const piped = '{ "$0" "$1" payout --help; echo "$?" >&2; } | true';
  const { stderr } = spawnSync('sh', ['-c', piped, process.execPath, MAIN], { encoding: 'utf8' });
  expect(stderr).toBe('0\n');
});

test('the first command of a program that only prints its version loads nothing of Temporal', async () => {
  const preload = fileURLToPath(new URL('./support/loaded-packages.mjs', import.meta.url));
  const { output } = await runToEnd(['--version'], { NODE_OPTIONS: `--import ${preload}` });
  expect(output).toContain(packageVersion);
  expect(output).not.toMatch(/@temporalio|fastify|undici/);
});

test('a process without its configuration lists all that is missing, and ends with 2', async () => {
  const { code, output } = await runToEnd(['worker'], {});
  expect(code).toBe(2);
  for (const name of ['PAYMENTS_BASE_URL', 'PAYMENTS_CLIENT_SECRET', 'PAYLOAD_KEYS', 'PUBLIC_URL']) {
    expect(output).toContain(`${name} is not set`);
  }
});

test('the sandbox runs alone, takes its own credentials, and stops by SIGTERM', async () => {
  const port = String(await ownPort());
  const sandbox = runProgram(['sandbox', '--port', port, '--client-id', 'me', '--client-secret', 'mine'], {});
  onTestFinished(() => void sandbox.end('SIGKILL'));
  await sandbox.prints('sandbox is running');
  const answer = await fetch(`http://127.0.0.1:${port}/v1/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('me:mine').toString('base64')}` },
  });
  expect(await answer.json()).toMatchObject({ type: 'Bearer', expire_minutes: 30 });
  expect(await sandbox.end('SIGTERM')).toEqual({ code: 0, signal: null });
});
