import type { Run } from '../../workflows/shared/run.js';

/** The first run of a payment, at the moment 0, but for what is given. */
export function runOf(workflowId: string, given: Partial<Run> = {}): Run {
  return {
    ...{ workflowId, runId: 'run-1', originalRunId: 'run-1', firstRunId: 'run-1', startedAt: 0 },
    ...{ afterReset: false, isReset: false, resetBefore: null, owner: null, startedOnce: true },
    now: () => 0,
    random: () => 0,
    start: { attempt: 1, hasRetryPolicy: false, hasCronSchedule: false, hasTimeout: false },
    ...given,
  };
}
