import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lineFile } from '../../src/audit/line-file.js';
import { whereThereIs } from '../support/tools.js';

test('a line is in its file at once, and the folder is made', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'durable-payments-test-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const path = join(dir, 'logs', 'audit.jsonl');
  lineFile(path).write('one\n');
  expect(await readFile(path, 'utf8')).toBe('one\n');
});

test.runIf(whereThereIs('/dev/full', existsSync('/dev/full')))(
  'a full disk ends nothing, and standard error says once that it is full, and once that lines are lost',
  async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => {
      written.mockRestore();
    });
    const file = lineFile('/dev/full');
    for (let line = 0; line < 3; line += 1) file.write('lost\n');
    await vi.waitFor(() => {
      expect(written).toHaveBeenCalled();
    });
    file.write('x'.repeat(9_000_000));
    expect(written.mock.calls).toEqual([
      [expect.stringContaining('/dev/full can not be written (ENOSPC)')],
      [expect.stringContaining('lines of it are lost')],
    ]);
  },
);
