import type {
  ActivateInput,
  ConcludeActivationInput,
  ConcludeActivationOutput,
  Next,
  WorkflowInternalsInterceptor,
} from '@temporalio/workflow';
import { askAgain } from '../../src/domain/ask-again.js';

type Activation = ActivateInput['activation'];
type Job = NonNullable<Activation['jobs']>[number];
type Command = ConcludeActivationInput['commands'][number];

/**
 * For a query, the SDK may run a workflow on events whose workflow task has not been started, at the time of the task
 * before. What the workflow decides then becomes the outcome of that task; a replay has the task's own time and may
 * decide otherwise, and the payment stands still. Here such a query fails, which drops the run from the worker's
 * cache: the task itself starts from the history.
 */
export class TasksFirst implements WorkflowInternalsInterceptor {
  #lastTask = '';

  activate(
    { activation, ...rest }: ActivateInput,
    next: Next<WorkflowInternalsInterceptor, 'activate'>,
  ): void {
    if (rest.batchIndex === 0) {
      const task = startOf(activation);
      const isNew = task !== this.#lastTask;
      if (!isNew && !isReplay(activation) && eventsOf(activation) > 0) throw new Error(askAgain);
      this.#lastTask = task;
    }
    next({ activation, ...rest });
  }
}

/** A workflow task and what it has written to the history, so far as this worker knows. */
type Task = {
  /** The id of the event of its start. */
  readonly startedId: number;
  /** Of the local activities that have ended in it. */
  markers: number;
  /** Events of its commands. */
  commands: number;
  /** Whether it has answered a query while a local activity ran. */
  answeredWhileItRan: boolean;
};

/**
 * What a local activity answers has to be decided upon in the task that writes its marker: so does a replay. The SDK
 * breaks that in two ways.
 *
 * A query that comes to a worker while a workflow task waits there for a local activity takes that task's place: the
 * task is never completed, Temporal times it out, and what it decided is sent with the next task. Here the query fails
 * while the local activity runs; once that has ended, the next task does.
 *
 * A query that comes with a task is answered while the local activity runs. When that ends before the answer is out,
 * its marker is sent with the answer, one task before what is decided. Here that next task fails.
 *
 * Each failure drops the run from the worker's cache: it starts again from the history.
 */
export class WholeTasks implements WorkflowInternalsInterceptor {
  readonly #localActivities = new Set<number>();
  #task: Task | undefined;

  activate(
    { activation, ...rest }: ActivateInput,
    next: Next<WorkflowInternalsInterceptor, 'activate'>,
  ): void {
    const jobs = activation.jobs ?? [];
    const itRuns = this.#localActivities.size > 0;
    if (itRuns && jobs.some(isQueryAlone)) throw new Error(askAgain);
    const ended = jobs.flatMap(endOfLocalActivity);
    for (const sequence of ended) this.#localActivities.delete(sequence);
    if (rest.batchIndex === 0 && !isReplay(activation)) {
      const startedId = activation.historyLength ?? 0;
      if (this.#task === undefined || startedId > this.#task.startedId) {
        if (this.#task !== undefined) refuseBroken(this.#task, startedId, eventsOf(activation), ended.length);
        this.#task = { startedId, markers: 0, commands: 0, answeredWhileItRan: false };
      }
      this.#task.markers += ended.length;
    }
    if (itRuns && this.#task !== undefined && jobs.some(isQuery)) this.#task.answeredWhileItRan = true;
    next({ activation, ...rest });
  }

  concludeActivation(
    { commands }: ConcludeActivationInput,
    next: Next<WorkflowInternalsInterceptor, 'concludeActivation'>,
  ): ConcludeActivationOutput {
    for (const { scheduleLocalActivity } of commands) {
      if (typeof scheduleLocalActivity?.seq === 'number')
        this.#localActivities.add(scheduleLocalActivity.seq);
    }
    if (this.#task !== undefined) this.#task.commands += sum(commands.map(eventsOfCommand));
    return next({ commands });
  }
}

/**
 * By the ids of events.
 *
 * @param cameIn events that have come in since the task
 * @param ended local activities that ran when the task ended, and whose ends the next one begins with
 */
function refuseBroken(task: Task, nextStartedId: number, cameIn: number, ended: number): void {
  // The task's end, what has come in, the schedule and start of the next one.
  const others = nextStartedId - task.startedId - (1 + cameIn + 2);
  if (task.markers > 0 && others < task.markers) throw new Error(lostTask);
  const isEarly = task.answeredWhileItRan && ended > 0 && others > task.markers + task.commands;
  if (isEarly) throw new Error(earlyMarker);
}

const lostTask =
  'The last workflow task was lost on its way to Temporal. The run starts again from its history.';
const earlyMarker =
  'A local activity ended as a query was answered, and stands in the task before. The run starts again from its history.';

const isReplay = ({ isReplaying }: Activation) => isReplaying === true;

/** What tells two tasks apart, as the start of a task states it. Old servers leave out the size of the history. */
function startOf({ timestamp, historySizeBytes }: Activation): string {
  return [timestamp?.seconds, timestamp?.nanos, historySizeBytes].join(' ');
}

/** The events that an activation's jobs come of, as far as they are new to the workflow. */
function eventsOf({ jobs }: Activation): number {
  return sum((jobs ?? []).map(eventsOfJob));
}

function eventsOfJob({ cancelWorkflow, fireTimer, resolveActivity, signalWorkflow, ...others }: Job): number {
  if (resolveActivity != null && resolveActivity.isLocal !== true) {
    // An activity that was cancelled before it was started has no event of its start.
    return resolveActivity.result?.completed == null ? 1 : 2;
  }
  const ofOneEvent = [cancelWorkflow, fireTimer, signalWorkflow];
  const ofOthers = [others.resolveChildWorkflowExecution, others.resolveSignalExternalWorkflow];
  return [...ofOneEvent, ...ofOthers].some((job) => job != null) ? 1 : 0;
}

function eventsOfCommand(command: Command): number {
  const { respondToQuery, scheduleLocalActivity, requestCancelLocalActivity, updateResponse } = command;
  const isNone = [
    respondToQuery,
    scheduleLocalActivity,
    requestCancelLocalActivity,
    updateResponse?.rejected,
  ];
  return isNone.some((part) => part != null) ? 0 : 1;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function endOfLocalActivity({ resolveActivity }: Job): number[] {
  return resolveActivity?.isLocal === true && typeof resolveActivity.seq === 'number'
    ? [resolveActivity.seq]
    : [];
}

const isQuery = ({ queryWorkflow }: Job) => queryWorkflow != null;

/** A query that came in a task of its own; others come in the task that they wait for. */
function isQueryAlone({ queryWorkflow }: Job): boolean {
  return queryWorkflow?.queryId === 'legacy_query';
}
