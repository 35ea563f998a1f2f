import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/dev/free-port.js';
import { runProgram, runToEnd } from '../processes/support/program.js';

test('help ends with 0 and tells the exit codes', async () => {
  const { code, output } = await runToEnd(['--help'], {});
  expect(code).toBe(0);
  expect(output).toMatch(/Exit codes:\n {2}0 {2}done/);
});

test.each([
  ['an unknown command', ['payouts']],
  ['neither a code nor --all', ['payout', 'retry']],
  ['both a code and --all', ['payout', 'retry', 'one', '--all']],
  ['no file', ['payout', 'start']],
  ['a file that is not there', ['payout', 'start', '/nowhere/payout.json']],
  ['an unknown attention', ['payout', 'list', '--attention', 'bored']],
  ['no word on what happened', ['payout', 'resolve', 'one', '--reason', 'because']],
])('%s is wrong usage: 2', async (_, args) => {
  expect((await runToEnd(args, {})).code).toBe(2);
});

test('a process without its configuration says all that is missing, and ends with 2', async () => {
  const { code, output } = await runToEnd(['worker'], {});
  expect(code).toBe(2);
  for (const name of ['PAYMENTS_BASE_URL', 'PAYMENTS_CLIENT_SECRET', 'PAYLOAD_KEYS', 'PUBLIC_URL']) {
    expect(output).toContain(`${name} is not set`);
  }
});

test('without anything running a command says how to start it, and ends with 4', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'durable-payments-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const { code, output } = await runToEnd(['payout', 'list'], {
    DATA_DIR: dir,
    PAYLOAD_KEYS: 'none',
  });
  expect(code).toBe(4);
  expect(output).toContain('npm start');
});

test('the sandbox runs alone, takes its own credentials, and stops when told', async () => {
  const port = String(await freePort(0));
  const sandbox = runProgram(['sandbox', '--port', port, '--client-id', 'me', '--client-secret', 'mine'], {});
  onTestFinished(() => void sandbox.end('SIGKILL'));
  await sandbox.says('sandbox is running');
  const answer = await fetch(`http://127.0.0.1:${port}/v1/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('me:mine').toString('base64')}` },
  });
  expect(await answer.json()).toMatchObject({ type: 'Bearer', expire_minutes: 30 });
  expect(await sandbox.end('SIGTERM')).toEqual({ code: 0, signal: null });
});
