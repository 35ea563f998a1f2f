import '../support/lighter-workers.js';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import * as workflows from '../../workflows/index.js';
import { closeReplayers, replay } from '../support/replayer.js';
import { quietRuntime } from '../support/temporal-runtime.js';
import { workflowBundle } from '../support/workflow-bundle.js';
import { keptHistories, startOf, workflowIdOf } from './kept-histories.js';

const workflowTests = fileURLToPath(new URL('../workflows/', import.meta.url));

afterAll(closeReplayers);

test('every history ever kept is repeated by the code of today', async () => {
  expect(await faultsOf(await keptHistories())).toEqual([]);
});

test('code that takes other steps than a history shows is found', async () => {
  const histories = (await keptHistories()).filter(({ name }) => name === 'payout-done-at-once.bin');
  for (const { history } of histories)
    Object.assign(startOf(history)?.workflowType ?? {}, { name: 'refund' });
  expect(await faultsOf(histories)).toEqual([expect.stringContaining('payout-done-at-once.bin: ')]);
});

test('every history kept is recorded by one test, and each test that records has its history kept', async () => {
  const kept = new Set((await keptHistories()).map(({ name }) => name.replace(/(-\d+)?\.bin$/, '')));
  const files = (await readdir(workflowTests)).filter((name) => name.endsWith('.test.ts'));
  const sources = await Promise.all(files.map((file) => readFile(workflowTests + file, 'utf8')));
  const recording = sources.flatMap((text) =>
    [...text.matchAll(/recordedAs\('([^']+)'\)/g)].map(([, name]) => name),
  );
  expect(recording.sort()).toEqual([...kept].sort());
});

test('every workflow has a history kept', async () => {
  const types = new Set((await keptHistories()).map(({ history }) => startOf(history)?.workflowType?.name));
  for (const type of Object.keys(workflows)) expect(types).toContain(type);
});

async function faultsOf(histories: Awaited<ReturnType<typeof keptHistories>>): Promise<string[]> {
  quietRuntime();
  const faults: string[] = [];
  for (const { name, history } of histories) {
    const error = await replay(workflowBundle(), { workflowId: workflowIdOf(history), history });
    if (error !== undefined) faults.push(`${name}: ${String(error)}`);
  }
  return faults;
}
