import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporal } from '@temporalio/proto';

const folder = fileURLToPath(new URL('./histories/', import.meta.url));

/** Every history ever kept, by the name of its file. */
export async function keptHistories() {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.bin')).sort();
  return Promise.all(
    names.map(async (name) => ({
      name,
      history: temporal.api.history.v1.History.decode(await readFile(folder + name)),
    })),
  );
}

export function startOf({ events }: temporal.api.history.v1.IHistory) {
  return events?.[0]?.workflowExecutionStartedEventAttributes;
}

export function workflowIdOf(history: temporal.api.history.v1.IHistory): string {
  return startOf(history)?.workflowId ?? '';
}
