import type { WorkflowInfo } from '@temporalio/workflow';
import { expect, test, vi } from 'vitest';
import { startedOnceMemo } from '../../src/domain/start-check.js';
import { runSnapshot, temporalRun, type RunSnapshot } from '../../workflows/shared/temporal-run.js';

const startedAt = Date.UTC(2026, 0, 5);
const hour = 3_600_000;

/** What a run knows by what Temporal says of it, and by the snapshot of the run before. */
function runWith(info: Partial<WorkflowInfo>, previous?: RunSnapshot) {
  const common = {
    ...{ workflowId: 'payout-a', attempt: 1, startTime: new Date(startedAt) },
    typedSearchAttributes: { getAll: () => [] },
  };
  vi.stubGlobal('__TEMPORAL_ACTIVATOR__', { info: { ...common, ...info } });
  try {
    return temporalRun(previous);
  } finally {
    vi.unstubAllGlobals();
  }
}

const first = runWith({ runId: 'one', originalExecutionRunId: 'one', firstExecutionRunId: 'one' });
/** Temporal keeps the original id of a run through its reset, and names the run that one goes on from by its own. */
const reset = runWith({ runId: 'reset', originalExecutionRunId: 'one', firstExecutionRunId: 'one' });
const goesOn = (continuedFromExecutionRunId: string, before: typeof first) =>
  runWith(
    {
      ...{ runId: 'two', originalExecutionRunId: 'two', continuedFromExecutionRunId },
      startTime: new Date(startedAt + hour),
    },
    runSnapshot(before),
  );

const unknown = { startedAt, isReset: false, afterReset: false, resetBefore: null };
test.for([
  ['a first run', unknown, first],
  ['a reset run', { ...unknown, isReset: true }, reset],
  ['a run that goes on', unknown, goesOn('one', first)],
  ['a run that goes on from a reset one', { afterReset: true, resetBefore: 'reset' }, goesOn('reset', reset)],
  ['a run that goes on from that', { ...unknown, afterReset: true }, goesOn('two', goesOn('reset', reset))],
] as const)('%s knows %j of the runs before it', ([, known, run]) => {
  expect(run).toMatchObject({ startedAt, ...known });
});

test.for([
  [{}, false],
  [{ memo: { [startedOnceMemo]: true } }, true],
] as const)('of a start with %j it is known that it ruled out earlier runs: %s', ([info, isKnown]) => {
  expect(runWith(info).startedOnce).toBe(isKnown);
});
