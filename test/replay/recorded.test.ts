import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import * as workflows from '../../workflows/index.js';
import { quietRuntime } from '../support/temporal-runtime.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { workflowBundle } from '../support/temporal-dev-server.js';
import { keptHistories } from './kept.js';

const folder = fileURLToPath(new URL('./histories/', import.meta.url));

async function recorded() {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.bin')).sort();
  return Promise.all(
    names.map(async (name) => ({
      name,
      history: temporal.api.history.v1.History.decode(await readFile(folder + name)),
    })),
  );
}

test('every history ever kept is repeated by the code of today', async () => {
  quietRuntime();
  const kept = await recorded();
  const faults: string[] = [];
  for (const { name, history } of kept) {
    await Worker.runReplayHistory(
      { workflowBundle: workflowBundle(), dataConverter: testDataConverter },
      history,
      startOf(history)?.workflowId ?? '',
    ).catch((error: unknown) => faults.push(`${name}: ${String(error)}`));
  }
  expect(faults).toEqual([]);
});

test('each test named for it has its history kept', async () => {
  const names = (await recorded()).map(({ name }) => name.replace(/(-\d+)?\.bin$/, ''));
  for (const name of Object.values(keptHistories)) expect(names).toContain(name);
});

test('every workflow has a history kept', async () => {
  const types = new Set((await recorded()).map(({ history }) => startOf(history)?.workflowType?.name));
  for (const type of Object.keys(workflows)) expect(types).toContain(type);
});

function startOf(history: temporal.api.history.v1.IHistory) {
  return history.events?.[0]?.workflowExecutionStartedEventAttributes;
}
