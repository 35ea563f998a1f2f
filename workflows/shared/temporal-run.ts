import { workflowInfo } from '@temporalio/workflow';
import { dayMs } from '../../src/domain/cadence.js';
import { searchAttributes } from '../../src/domain/search-attributes.js';
import { startedOnceMemo } from '../../src/domain/start-check.js';
import { Clock } from './clock.js';
import type { Run } from './run.js';

/** What a snapshot carries of the run into the run that continues it. */
export type RunSnapshot = {
  startedAt: number;
  afterReset: boolean;
  /** The run that wrote the snapshot, as Temporal keeps its id through a reset. */
  originalRunId: string;
};

/** A snapshot as the run that continues receives it. */
export type Continued<Snapshot> = Snapshot & { run: RunSnapshot };

/** What is known of this run, from Temporal and from the run before it. */
export function temporalRun(previous: RunSnapshot | undefined, clock = new Clock()): Run {
  const info = workflowInfo();
  const resetBefore = previous === undefined ? null : resetRunBefore(previous);
  const owner = info.typedSearchAttributes
    .getAll()
    .find(({ key }) => key.name === searchAttributes.PaymentOwner.name)?.value;
  return {
    workflowId: info.workflowId,
    runId: info.runId,
    originalRunId: info.originalExecutionRunId,
    firstRunId: info.firstExecutionRunId,
    isReset: info.runId !== info.originalExecutionRunId,
    startedAt: previous?.startedAt ?? info.startTime.getTime(),
    afterReset: previous?.afterReset === true || resetBefore !== null,
    resetBefore,
    owner: typeof owner === 'string' ? owner : null,
    startedOnce: info.memo?.[startedOnceMemo] === true,
    now: () => clock.now(),
    random: () => Math.random(),
    start: {
      attempt: info.attempt,
      hasRetryPolicy: info.retryPolicy !== undefined,
      hasCronSchedule: (info.cronSchedule ?? '') !== '',
      hasTimeout: isSet(info.executionTimeoutMs) || isSet(info.runTimeoutMs),
    },
  };
}

export function runSnapshot({ startedAt, afterReset, originalRunId }: Run): RunSnapshot {
  return { startedAt, afterReset, originalRunId };
}

/** A reset run keeps the id of the run that it was made from, and has another one of its own. */
function resetRunBefore({ originalRunId }: RunSnapshot): string | null {
  const { continuedFromExecutionRunId: before = originalRunId } = workflowInfo();
  return before === originalRunId ? null : before;
}

/** No payment lives so long: some servers set a timeout of years where none was asked for. */
const beyondAnyPayment = 5 * 365 * dayMs;

function isSet(timeoutMs: number | undefined): boolean {
  return timeoutMs !== undefined && timeoutMs > 0 && timeoutMs < beyondAnyPayment;
}
