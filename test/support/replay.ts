import type { Client } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { keepHistories } from './keep-histories.js';
import { replay } from './replayer.js';
import type { StartedRun, StartedWorkflows } from './started-workflows.js';

type Replayable = StartedRun & { readonly history: History };

/** Workflow code that can't repeat what it did. */
class ReplayFailure extends Error {
  override readonly name = 'ReplayFailure';
}

/**
 * For `afterEach`: replays each workflow that the test started, with its children and the runs it continued as, on
 * the code that made it. Workflows still open are terminated.
 *
 * @param history the name under which what was started is kept, see `recordedAs`.
 * @throws ReplayFailure when a replay goes another way.
 */
export async function replayAfter(
  client: Client,
  started: StartedWorkflows,
  { workflowBundle, history: name }: { workflowBundle: { codePath: string }; history?: string | undefined },
): Promise<void> {
  const runs = await withSuccessors(client, started.take());
  for (const { workflowId, runId, history } of runs) {
    if (!isOpen(history)) continue;
    await client.workflow
      .getHandle(workflowId, runId)
      .terminate('The test is over.')
      .catch(() => undefined);
  }
  const faults: string[] = [];
  const begun = runs.filter(({ history }) => hasBegun(history));
  for (const run of begun) {
    const error = await replay(workflowBundle, { ...run, history: handled(run.history) });
    if (error !== undefined) faults.push(`${run.workflowId} does not replay: ${error.message}`);
  }
  if (faults.length > 0) throw new ReplayFailure(faults.join('\n'));
  await keepHistories(name, begun);
}

async function withSuccessors(client: Client, started: readonly StartedRun[]): Promise<Replayable[]> {
  const queue = [...started];
  const seen = new Map<string, Replayable>();
  for (let run = queue.shift(); run !== undefined; run = queue.shift()) {
    const key = `${run.workflowId} ${run.runId}`;
    if (seen.has(key)) continue;
    const history = await client.workflow.getHandle(run.workflowId, run.runId).fetchHistory();
    seen.set(key, { ...run, history });
    queue.push(...successors(run.workflowId, history));
  }
  return [...seen.values()];
}

function successors(workflowId: string, history: History): StartedRun[] {
  return (history.events ?? []).flatMap((event) => {
    const runId = event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    const child = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution;
    if (typeof runId === 'string') return [{ workflowId, runId }];
    if (child?.workflowId && child.runId) return [{ workflowId: child.workflowId, runId: child.runId }];
    return [];
  });
}

/** A run that ended before its first task has nothing to repeat; a replay of it would wait for ever. */
function hasBegun(history: History): boolean {
  return history.events?.some(({ workflowTaskCompletedEventAttributes: task }) => task != null) ?? false;
}

/** What came in after the last task, before the workflow was ended or the test was over, it never handled. */
function handled({ events }: History): History {
  const isOfTask = (event: object) =>
    Object.values(event).some(
      (attributes: unknown) =>
        typeof attributes === 'object' && attributes !== null && 'workflowTaskCompletedEventId' in attributes,
    );
  const last = events?.findLastIndex(
    (event) => event.workflowTaskCompletedEventAttributes != null || isOfTask(event),
  );
  return { events: events?.slice(0, (last ?? 0) + 1) ?? [] };
}

function isOpen(history: History): boolean {
  const last = history.events?.at(-1);
  return !(
    last?.workflowExecutionCompletedEventAttributes ??
    last?.workflowExecutionFailedEventAttributes ??
    last?.workflowExecutionTimedOutEventAttributes ??
    last?.workflowExecutionCanceledEventAttributes ??
    last?.workflowExecutionTerminatedEventAttributes ??
    last?.workflowExecutionContinuedAsNewEventAttributes
  );
}
