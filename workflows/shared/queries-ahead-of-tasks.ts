import type { ActivateInput, Next, WorkflowInternalsInterceptor } from '@temporalio/workflow';
import { askAgain } from '../../src/domain/ask-again.js';

type Activation = ActivateInput['activation'];

/**
 * Refuses queries that would run a workflow ahead of its task: on events whose workflow task has not been started, at the
 * time of the task before. What the workflow decided then would become the outcome of that task; a replay has the task's own
 * time, may decide otherwise, and the payment stands still. The query fails, which drops the run from the worker's cache: the
 * task itself starts from the history (docs/decisions/reads-as-activities.md). Without it `queries-before-tasks.server.test.ts` fails.
 */
export class QueriesAheadOfTasks implements WorkflowInternalsInterceptor {
  #lastTask = '';

  activate(
    { activation, ...rest }: ActivateInput,
    next: Next<WorkflowInternalsInterceptor, 'activate'>,
  ): void {
    if (rest.batchIndex === 0) {
      const task = startOf(activation);
      const isNew = task !== this.#lastTask;
      if (!isNew && !isReplay(activation) && hasNewEvents(activation)) throw new Error(askAgain);
      this.#lastTask = task;
    }
    next({ activation, ...rest });
  }
}

const isReplay = ({ isReplaying }: Activation) => isReplaying === true;

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
