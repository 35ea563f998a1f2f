import { access, mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { temporal } from '@temporalio/proto';

declare module 'vitest' {
  interface TaskMeta {
    /** The name in test/replay/histories under which the test's history is kept. */
    history?: string;
  }
}

const folder = fileURLToPath(new URL('../replay/histories/', import.meta.url));

/** Of one test: its workflow, what it continued as or started, and no more of the same. */
const maxRuns = 3;

/** For the options of a test: `npm run record-histories` keeps its history under this name, unless it has one. */
export const recordedAs = (history: string) => ({ meta: { history } });

/**
 * With RECORD_HISTORIES=1: writes a test's histories, unless they are there already. One that is there is never
 * written again, for it stands for payments that are open somewhere.
 */
export async function keepHistories(
  name: string | undefined,
  runs: readonly { workflowId: string; history: History }[],
): Promise<void> {
  if (process.env.RECORD_HISTORIES !== '1' || name === undefined) return;
  const fileOf = (index: number) => `${folder}${name}${index === 0 ? '' : `-${String(index + 1)}`}.bin`;
  const isKept = await access(fileOf(0)).then(
    () => true,
    () => false,
  );
  if (isKept) return;
  await mkdir(folder, { recursive: true });
  for (const [index, { workflowId, history }] of runs.slice(0, maxRuns).entries()) {
    const start = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    // The server that skips time leaves it out.
    if (start) start.workflowId = workflowId;
    await writeFile(fileOf(index), temporal.api.history.v1.History.encode(history).finish());
  }
}
