import type { Client } from '@temporalio/client';
import { searchAttributes } from '../domain/search-attributes.js';
import { oldestMs } from './ages.js';
import type { HealthProblem } from './problem.js';
import { failingTasks, runsOf } from './workflow-tasks.js';

const { PaymentStatus } = searchAttributes;
/** Younger ones may be on their way. */
const settledMs = 15_000;
const longMs = 60_000;
const sampled = 5;

/** Open payments of a task queue that wait to be sent. */
export function unsentQuery(taskQueue: string): string {
  return `TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Running' AND ${PaymentStatus.name} IN ('submitting', 'requesting')`;
}

/** How long the oldest payment has waited to be sent, and whether workers fail the tasks of some of them. */
export async function viewUnsent(
  client: Client,
  taskQueue: string,
  now: number,
): Promise<{ oldestMs: number; problems: HealthProblem[] }> {
  const query = unsentQuery(taskQueue);
  const oldest = await oldestMs(client, query, now);
  if (oldest < settledMs) return { oldestMs: oldest, problems: [] };
  const { executions } = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    query: `${query} AND StartTime < '${new Date(now - settledMs).toISOString()}'`,
    pageSize: sampled,
  });
  const runs = await runsOf(
    client,
    executions.map(({ execution }) => execution?.workflowId ?? ''),
  );
  return { oldestMs: oldest, problems: [...failingTasks(runs), ...waitingLong(oldest)] };
}

function waitingLong(oldest: number): HealthProblem[] {
  if (oldest < longMs) return [];
  return [
    {
      check: 'unsent',
      detail: `A payment has waited ${String(Math.round(oldest / 1_000))} seconds to be sent.`,
      action:
        'See to the other problems first. If there are none, workers are too few; the ' +
        'timeline of the payment names the cause: durable-payments payout list --status submitting.',
    },
  ];
}
