import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { longTests } from '../support/waiting.js';
import { runToEnd } from './support/program.js';

vi.setConfig(longTests);

test('the demo comes out as it should, and leaves nothing behind', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'durable-payments-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const { code, output } = await runToEnd(['demo'], { TMPDIR: dir });
  expect(output).toContain('Everything came out as it should.');
  expect(code).toBe(0);
  expect(output).toMatch(/demo-order: paid → compensated {2}http:\S+\/workflows\/order-demo-order/);
  expect(output).toMatch(/pix, retried .* 2 made: error, done/);
  expect(output).toMatch(/pix, dropped .* 1 made: done/);
  expect(output).toMatch(/denied card .* 1 made: denied/);
  expect(output).toContain('1 started it, 19 found that one');
  expect(output).toContain('was answered 409');
  expect(output).not.toContain('"stream":"audit"');
  expect(await readdir(dir)).toEqual([]);
});
