import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { Worker } from '@temporalio/worker';
import { z } from 'zod';
import { askAgain } from '../domain/ask-again.js';
import { idPrefixes } from '../domain/id-prefixes.js';
import { isFailing, mostRecorded, runsOf, type RunView } from './workflow-tasks.js';

const { EvictionReason } = proto.coresdk.workflow_activation.RemoveFromCache;

/** Why a worker drops a run that it could not continue. */
const couldNotContinue: ReadonlySet<number> = new Set([
  EvictionReason.NONDETERMINISM,
  EvictionReason.LANG_FAIL,
  EvictionReason.FATAL,
  EvictionReason.TASK_NOT_FOUND,
  EvictionReason.PAGINATION_OR_HISTORY_FETCH,
]);

const defaultEveryMs = 20_000;
/** Temporal tries a task again after ten minutes at most: a record is renewed in time, and ends soon after the last failure. */
const renewAfterMs = 10 * 60_000;
const recordedForMs = 30 * 60_000;
const mostSuspects = 100;
const readAtOnce = 20;

/** No worker polls it. */
const recordQueue = (taskQueue: string) => `failing-tasks-${taskQueue}`;

/**
 * Temporal has no search for workflows whose tasks fail, and the SDK logs only the first failure. So each
 * worker notes the runs that it drops, asks Temporal about them, and records those that stand still: each record is an
 * open workflow `failing-tasks-{workflow id}` without a payload, which no worker runs and visibility finds.
 */
export class FailingTasks {
  readonly #suspects = new Set<string>();
  readonly #recorded = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #reporting: Promise<void>;

  constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
    everyMs = defaultEveryMs,
  ) {
    this.#reporting = this.#report(everyMs);
  }

  /** For a worker of workflows, before it runs. */
  watch(worker: Worker): void {
    dropsOf(worker).on('eviction', (dropped: unknown) => {
      const { runId, evictJob } = eviction.parse(dropped);
      // A query that came too early fails no task.
      const isTask =
        couldNotContinue.has(evictJob.reason ?? 0) && evictJob.message?.includes(askAgain) !== true;
      if (isTask && this.#suspects.size < mostSuspects) this.#suspects.add(runId);
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#reporting;
  }

  async #report(everyMs: number): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      // What could not be recorded fails again.
      if (!signal.aborted)
        await this.client.withAbortSignal(signal, () => this.#record()).catch(() => undefined);
    }
  }

  async #record(): Promise<void> {
    const { client, taskQueue } = this;
    const now = Date.now();
    await this.#endOld();
    const runIds = [...this.#suspects].slice(0, readAtOnce);
    if (runIds.length === 0) return;
    const ids = await idsFound(client, `RunId IN (${runIds.map((runId) => `'${runId}'`).join(', ')})`);
    for (const { workflowId } of (await runsOf(client, ids)).filter(isFailing)) {
      const at = this.#recorded.get(workflowId);
      if (at === undefined ? this.#recorded.size >= mostRecorded : now - at < renewAfterMs) continue;
      await client.workflow.start('failingTasks', {
        workflowId: idPrefixes.failingTasks + workflowId,
        taskQueue: recordQueue(taskQueue),
        workflowExecutionTimeout: recordedForMs,
        workflowIdConflictPolicy: 'TERMINATE_EXISTING',
      });
      this.#recorded.set(workflowId, now);
    }
    for (const runId of runIds) this.#suspects.delete(runId);
  }

  /** Of those that this worker has recorded: the records of workflows whose tasks do not fail any more. */
  async #endOld(): Promise<void> {
    const recorded = [...this.#recorded.keys()];
    const failing = (await runsOf(this.client, recorded)).filter(isFailing);
    for (const workflowId of recorded.filter((id) => !failing.some((run) => run.workflowId === id))) {
      this.#recorded.delete(workflowId);
      const record = this.client.workflow.getHandle(idPrefixes.failingTasks + workflowId);
      await record.terminate('Its tasks do not fail any more.').catch(() => undefined);
    }
  }
}

/** The workflows that workers have recorded and that still stand still, some of them, and how many there are. */
export async function viewFailingTasks(
  client: Client,
  taskQueue: string,
): Promise<{ failing: RunView[]; count: number }> {
  const query = `WorkflowType = 'failingTasks' AND TaskQueue = '${recordQueue(taskQueue)}' AND ExecutionStatus = 'Running'`;
  const ids = await idsFound(client, query);
  const recorded = ids.map((id) => id.slice(idPrefixes.failingTasks.length));
  const failing = (await runsOf(client, recorded)).filter(isFailing);
  const all = ids.length < readAtOnce ? ids.length : (await client.workflow.count(query)).count;
  return { failing, count: failing.length + all - ids.length };
}

async function idsFound(client: Client, query: string): Promise<string[]> {
  const { namespace } = client.options;
  const request = { namespace, query, pageSize: readAtOnce };
  const { executions } = await client.workflowService.listWorkflowExecutions(request);
  return executions.flatMap(({ execution }) => execution?.workflowId ?? []);
}

const eviction = z.object({
  runId: z.string(),
  evictJob: z.object({ reason: z.int().nullish(), message: z.string().nullish() }),
});

/** The SDK has it for its replays: no public interface names why a run is dropped. */
function dropsOf(worker: Worker): EventEmitter {
  return z.object({ evictionsEmitter: z.instanceof(EventEmitter) }).parse(worker).evictionsEmitter;
}
