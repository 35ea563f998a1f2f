import { access, mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { temporal } from '@temporalio/proto';
import { expect } from 'vitest';
import { keptHistories } from '../replay/kept.js';

const folder = fileURLToPath(new URL('../replay/histories/', import.meta.url));

/** Of one test: its workflow, what it continued as or started, and no more of the same. */
const maxRuns = 3;

/** With RECORD_HISTORIES=1: writes the histories of a test that is named for it, unless they are there already. */
export async function keepHistories(
  runs: readonly { workflowId: string; history: History }[],
): Promise<void> {
  const name = keptHistories[expect.getState().currentTestName ?? ''];
  if (process.env.RECORD_HISTORIES !== '1' || name === undefined) return;
  await mkdir(folder, { recursive: true });
  for (const [index, { workflowId, history }] of runs.slice(0, maxRuns).entries()) {
    const file = `${folder}${name}${index === 0 ? '' : `-${String(index + 1)}`}.bin`;
    const start = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    // The server that skips time leaves it out.
    if (start) start.workflowId = workflowId;
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (!exists) await writeFile(file, temporal.api.history.v1.History.encode(history).finish());
  }
}
