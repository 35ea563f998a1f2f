import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { EarlierRun, RunOfChain } from '../domain/start-check.js';

const pageSize = 200;
const betweenLooksMs = 250;

/**
 * Looks for a run that had the same workflow id before this chain of runs began, as Temporal's default reuse policy
 * allows. The search lags behind; the runs of one id reach it in their order, so an answer counts once it shows the
 * run that asks. Nothing is left of a deleted run.
 *
 * @param withinMs how long to wait for the search; then it is `unknown`
 */
export async function lookForEarlierRun(
  client: Client,
  { workflowId, runId, firstRunId }: RunOfChain,
  withinMs: number,
): Promise<EarlierRun> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    const runs = await client
      .withDeadline(deadline, () => runsOf(client, workflowId))
      // Search is throttled apart from everything else.
      .catch(() => []);
    if (runs.some((run) => run.runId === runId)) {
      const first = runs.find((run) => run.runId === firstRunId);
      // Retention has removed the first run, and with it whatever had closed before it began.
      if (first === undefined) return 'none';
      const earlier = runs.some((run) => run !== first && run.startedAtMs <= first.startedAtMs);
      return earlier ? 'found' : 'none';
    }
    await sleep(betweenLooksMs);
  }
  return 'unknown';
}

type ListedRun = { readonly runId: string; readonly startedAtMs: number };

async function runsOf(client: Client, workflowId: string): Promise<ListedRun[]> {
  const query = `WorkflowId = '${workflowId.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
  const runs: ListedRun[] = [];
  for await (const { runId, startTime } of client.workflow.list({ query, pageSize })) {
    runs.push({ runId, startedAtMs: startTime.getTime() });
  }
  return runs;
}
