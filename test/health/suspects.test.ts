import { EventEmitter } from 'node:events';
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { Worker } from '@temporalio/worker';
import { expect, onTestFinished, test } from 'vitest';
import { askAgain } from '../../src/domain/ask-again.js';
import { FailingTasks } from '../../src/health/failing-tasks.js';

const { LANG_FAIL } = proto.coresdk.workflow_activation.RemoveFromCache.EvictionReason;

/** A worker that drops runs, and a Temporal in which the tasks of all of them fail: what is recorded of them. */
function watched() {
  const searches: string[] = [];
  const recorded: string[] = [];
  let isDown = false;
  const client = {
    options: { namespace: 'test' },
    withAbortSignal: (_signal: AbortSignal, work: () => Promise<void>) => work(),
    workflowService: {
      listWorkflowExecutions: ({ query }: { query: string }) => {
        searches.push(query);
        if (isDown) return Promise.reject(new Error('down'));
        const runIds = query.match(/run-\d+/g) ?? [];
        return Promise.resolve({ executions: runIds.map((workflowId) => ({ execution: { workflowId } })) });
      },
      describeWorkflowExecution: () =>
        Promise.resolve({
          workflowExecutionInfo: { status: 1 },
          pendingWorkflowTask: { attempt: 9 },
          pendingActivities: [],
        }),
    },
    workflow: {
      start: (_type: string, { workflowId }: { workflowId: string }) => {
        recorded.push(workflowId);
        return Promise.resolve();
      },
    },
  } as unknown as Client;
  const failing = new FailingTasks(client, 'payments', 5);
  onTestFinished(() => failing.stop());
  const evictionsEmitter = new EventEmitter();
  failing.watch({ evictionsEmitter } as unknown as Worker);
  return {
    searches,
    recorded,
    drop: (runId: string, message = 'it failed') => {
      evictionsEmitter.emit('eviction', { runId, evictJob: { reason: LANG_FAIL, message } });
    },
    setDown: (down: boolean) => {
      isDown = down;
    },
  };
}

const runs = (count: number) => Array.from({ length: count }, (_, index) => `run-${String(index)}`);
const recordsOf = (runIds: string[]) => runIds.map((runId) => `failing-tasks-${runId}`);

test('more runs than are looked at together are looked at one lot after the other', async () => {
  const { drop, searches } = watched();
  for (const runId of runs(45)) drop(runId);
  const named = () => searches.flatMap((query) => query.match(/run-\d+/g) ?? []);
  await expect.poll(named).toEqual(runs(45));
});

test('a search that fails loses none of the runs', async () => {
  const { drop, recorded, searches, setDown } = watched();
  setDown(true);
  drop('run-1');
  await expect.poll(() => searches.length).toBeGreaterThan(1);
  setDown(false);
  await expect.poll(() => recorded).toEqual(recordsOf(['run-1']));
});

test('a run whose query came too early takes the place of none', async () => {
  const { drop, recorded, searches } = watched();
  for (const runId of runs(100)) drop(runId, `Workflow activation completion failed: ${askAgain}`);
  drop('run-200');
  await expect.poll(() => recorded).toEqual(recordsOf(['run-200']));
  expect(searches.join()).not.toContain('run-1,');
  expect(searches).toHaveLength(1);
});
