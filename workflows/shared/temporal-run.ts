import { workflowInfo } from '@temporalio/workflow';
import { dayMs } from '../../src/domain/cadence.js';
import { searchAttributes } from '../../src/domain/search-attributes.js';
import type { Run } from './context.js';

/** Facts of the run that a snapshot carries into the run that continues it. */
export type RunSnapshot = {
  startedAt: number;
  afterReset: boolean;
  /** The run that wrote the snapshot, as Temporal keeps its id through a reset. */
  originalRunId: string;
};

/** The facts of this run, from Temporal and from the run before it. */
export function temporalRun(previous: RunSnapshot | undefined): Run {
  const info = workflowInfo();
  const owner = info.typedSearchAttributes
    .getAll()
    .find(({ key }) => key.name === searchAttributes.PaymentOwner.name)?.value;
  return {
    workflowId: info.workflowId,
    runId: info.runId,
    startedAt: previous?.startedAt ?? info.startTime.getTime(),
    afterReset: previous !== undefined && (previous.afterReset || cameFromAReset(previous)),
    justReset: previous !== undefined && cameFromAReset(previous),
    owner: typeof owner === 'string' ? owner : null,
    now: () => Date.now(),
    random: () => Math.random(),
    start: {
      attempt: info.attempt,
      hasRetryPolicy: info.retryPolicy !== undefined,
      hasCronSchedule: (info.cronSchedule ?? '') !== '',
      hasTimeout: isSet(info.executionTimeoutMs) || isSet(info.runTimeoutMs),
    },
  };
}

export function runSnapshot({ startedAt, afterReset }: Run): RunSnapshot {
  return { startedAt, afterReset, originalRunId: workflowInfo().originalExecutionRunId };
}

/** A reset run keeps the id of the run that it was made from, and has another one of its own. */
function cameFromAReset({ originalRunId }: RunSnapshot): boolean {
  const { continuedFromExecutionRunId } = workflowInfo();
  return continuedFromExecutionRunId !== undefined && continuedFromExecutionRunId !== originalRunId;
}

/** No payment lives so long: some servers set a timeout of years where none was asked for. */
const beyondAnyPayment = 5 * 365 * dayMs;

function isSet(timeoutMs: number | undefined): boolean {
  return timeoutMs !== undefined && timeoutMs > 0 && timeoutMs < beyondAnyPayment;
}
