import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { exitCodeOf } from '../../src/cli/command-line.js';
import { CommandPendingError } from '../../src/client/errors.js';
import { run } from './support/command-line.js';

test.each(['bash', 'zsh', 'fish'])('a completion for %s names every command', async (shell) => {
  const { code, output } = await run(['completion', shell], {});
  expect(code).toBe(0);
  for (const word of ['doctor', 'acknowledge', 'reason']) expect(output).toContain(word);
});

test.each([
  ['an unknown command', ['payouts']],
  ['neither a code nor --all', ['payout', 'retry']],
  ['both a code and --all', ['payout', 'retry', 'one', '--all']],
  ['no reason for a retry', ['payout', 'retry', 'one']],
  ['an age without its unit', ['attention', '--older-than', '3']],
  ['no file', ['payout', 'start']],
  ['a file that is not there', ['payout', 'start', '/nowhere/payout.json']],
  ['an unknown attention', ['payout', 'list', '--attention', 'bored']],
  ['a misspelt status', ['payout', 'list', '--status', 'erro']],
  ['no word on what happened', ['payout', 'resolve', 'one', '--reason', 'because']],
])('%s is wrong usage: 2', async (_, args) => {
  expect((await run(args, {})).code).toBe(2);
});

test('without anything running a command prints how to start it, and ends with 4', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'durable-payments-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const { code, output } = await run(['payout', 'list'], {
    DATA_DIR: dir,
    PAYLOAD_KEYS: 'none',
  });
  expect(code).toBe(4);
  expect(output).toContain('npm start');
});

test('a command that was taken and still waits ends with 5, and with where its outcome is read', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue(undefined);
  onTestFinished(() => {
    printed.mockRestore();
  });
  expect(await exitCodeOf(new CommandPendingError('payout-P-1', 'retryPayout', 'id'))).toBe(5);
  expect(printed.mock.calls).toEqual([
    [expect.stringMatching(/^The payment has taken retryPayout and has not executed it yet: .* deadline/)],
  ]);
});
