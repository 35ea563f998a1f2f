import { defaultPayloadConverter } from '@temporalio/workflow';
import type { ActivateInput, Next, WorkflowInternalsInterceptor } from '@temporalio/workflow';
import { askAgain, askedAtHeader } from '../../src/domain/ask-again.js';

type Activation = ActivateInput['activation'];

/**
 * Refuses queries that would run a workflow ahead of its task, in two ways: on events whose workflow task has not been
 * started, at the time of the task before; and on events of a task that another worker has taken, or was lost with. What the
 * workflow decided then would become the outcome of a later task; a replay has that task's own time, may decide otherwise,
 * and the payment stands still. The query fails, which drops the run from the worker's cache: the task itself starts from
 * the history (docs/decisions/reads-as-activities.md). Shown by `queries-before-tasks.server.test.ts` for the first way, by
 * `queries-ahead-of-tasks.test.ts` for both.
 */
export class QueriesAheadOfTasks implements WorkflowInternalsInterceptor {
  #lastTask = '';
  #hasReplayed = false;
  /** When the task was started with which this worker went on after a replay. */
  #wentOnAt = 0;

  activate(
    { activation, ...rest }: ActivateInput,
    next: Next<WorkflowInternalsInterceptor, 'activate'>,
  ): void {
    if (rest.batchIndex === 0) {
      const task = startOf(activation);
      const isNew = task !== this.#lastTask;
      this.#lastTask = task;
      if (isReplay(activation)) this.#hasReplayed = true;
      else if (hasNewEvents(activation)) {
        if (!isNew) throw new Error(askAgain);
        if (this.#hasReplayed) this.#wentOnAt = startedAt(activation);
        this.#hasReplayed = false;
      }
    }
    if (askedAt(activation) < this.#wentOnAt) throw new Error(askAgain);
    next({ activation, ...rest });
  }
}

const isReplay = ({ isReplaying }: Activation) => isReplaying === true;
const startedAt = ({ timestamp }: Activation) =>
  Number(timestamp?.seconds ?? 0) * 1_000 + Math.floor((timestamp?.nanos ?? 0) / 1e6);

/** What tells two tasks apart, as the start of a task states it. Old servers leave out the size of the history. */
function startOf({ timestamp, historySizeBytes }: Activation): string {
  return [timestamp?.seconds, timestamp?.nanos, historySizeBytes].join(' ');
}

/** The jobs that come of events, unlike queries and updates, which have none before they are taken. */
const ofEvents = [
  ...(['cancelWorkflow', 'fireTimer', 'resolveActivity', 'signalWorkflow'] as const),
  ...(['resolveChildWorkflowExecution', 'resolveSignalExternalWorkflow'] as const),
];

function hasNewEvents({ jobs }: Activation): boolean {
  return jobs?.some((job) => ofEvents.some((name) => job[name] != null)) ?? false;
}

/**
 * When the query was asked that came by itself. Had a task been waiting then, Temporal would have given the query with it;
 * so a task that was started later may be another worker's, with which the query came. Other clients do not state it, or
 * state what is no time.
 */
function askedAt({ jobs }: Activation): number {
  const byItself = jobs?.find((job) => job.queryWorkflow?.queryId === 'legacy_query')?.queryWorkflow;
  const header = byItself?.headers?.[askedAtHeader];
  if (header == null) return Infinity;
  try {
    const stated: unknown = defaultPayloadConverter.fromPayload(header);
    return typeof stated === 'number' ? stated : Infinity;
  } catch {
    return Infinity;
  }
}
