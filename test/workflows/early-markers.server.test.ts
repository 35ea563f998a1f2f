import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { testWorkflowBundle } from '../support/workflow-bundle.js';
import { freshCode } from '../support/requests.js';
import { test as base, type ResettableStack } from '../support/resets.js';

// What comes while a query is answered races with a thread of the workflows' own.
beforeAll(() => {
  vi.stubEnv('TEMPORAL_DEBUG', 'false');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const pathTo = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The workflows, which take longer to answer a query than to read. */
const test = base.extend('slowQueries', { scope: 'file' }, ({ credentials: _ }) =>
  testWorkflowBundle(pathTo('../../workflows/index.ts'), [pathTo('../support/slow-queries.ts')]),
);

const eventsOf = async (payout: WorkflowHandle) => (await payout.fetchHistory()).events ?? [];

/**
 * A payout that is done at the service and has a read due; while that is made, `during` is run and a query that came
 * with the read's task is answered.
 */
async function askedWhileItReads(
  stack: ResettableStack,
  workflowBundle: { codePath: string },
  more: { poll_scale: number },
  during?: (payout: WorkflowHandle) => Promise<void>,
): Promise<WorkflowHandle> {
  const code = freshCode();
  const payout = await stack.working(async () => {
    const started = await stack.startPayout(code, '', more);
    await stack.untilStatus(started, 'claimed');
    return started;
  });
  stack.sandbox.setPayoutStatus(code, 'done');
  await payout.signal('statusHint', { source: 'test' });
  const answer = payout.query('state').catch(String);
  // On the same connection: Temporal has the query before a worker is there.
  await payout.describe();
  await stack.working(async () => {
    const lastEvent = async () => (await eventsOf(payout)).at(-1);
    await expect.poll(async () => (await lastEvent())?.workflowTaskStartedEventAttributes).toBeTruthy();
    await during?.(payout);
    await answer;
    expect((await stack.untilStatus(payout, 'done')).status).toBe('done');
  }, workflowBundle);
  return payout;
}

/** So many are needed on a machine that is overloaded alone. */
const mostAttempts = 20;

/** Whether a task was refused, as it is after a marker that was written one task too early. */
async function hasRefusedTask(payout: WorkflowHandle): Promise<boolean> {
  return (await eventsOf(payout)).some(({ workflowTaskFailedEventAttributes: failed }) => failed != null);
}

test('what comes in while a query is answered is handled after the read that ends meanwhile', async ({
  stack,
  slowQueries,
}) => {
  // A query that reaches Temporal late does not come with the task: then it is tried anew.
  for (let attempts = 0; attempts < mostAttempts; attempts += 1) {
    const payout = await askedWhileItReads(stack, slowQueries, { poll_scale: 1 }, (asked) =>
      asked.signal('statusHint', { source: 'test' }),
    );
    if (await hasRefusedTask(payout)) return;
  }
  expect.unreachable('no task was refused');
});

test('a timer that fires while a query is answered does no harm to the read that ends meanwhile', async ({
  stack,
  slowQueries,
}) => {
  for (let attempts = 0; attempts < mostAttempts; attempts += 1) {
    // The read that was planned, 1.5 seconds after the payout was made, is brought forward.
    const payout = await askedWhileItReads(stack, slowQueries, { poll_scale: 0.3 });
    if (await hasRefusedTask(payout)) return;
  }
  expect.unreachable('no task was refused');
});
// Each history is replayed: where the signal was handled before what was read, that fails.
