import { expect, vi } from 'vitest';
import { freshCode } from '../support/requests.js';
import { test } from '../support/resets.js';
import { longTests, waiting } from '../support/waiting.js';
import { whileItSends } from './support/operator.js';

// On a busy machine Temporal may lose a call that creates something, and gives it again after its 75 seconds.
vi.setConfig(longTests);

const decision = { by: 'ana', reason: 'a test' };

test('a reset while it sends: the new run sends nothing, a scan finds the payout', async ({ stack }) => {
  const words = await whileItSends(stack, (_operator, payout) => stack.resetToStart(payout));
  expect(words).toContain('This run of the workflow is a reset');
});

test('a reset before anything was sent: nothing is sent until an operator has stated so, then once', async ({
  stack,
}) => {
  const code = freshCode();
  const payout = await stack.startPayout(code);
  await stack.withoutActivities(async () => {
    await vi.waitUntil(async () => {
      await payout.query('state');
      return (await payout.describe()).historyLength >= 6;
    }, waiting);
  });
  const again = await stack.resetToStart(payout);
  await stack.working(async () => {
    await stack.untilStatus(again, 'submission_unknown');
    expect(stack.made(code)).toEqual([]);
    await again.executeUpdate('resolveSubmission', { args: [{ nothing_happened: true, ...decision }] });
    await again.executeUpdate('retryPayout', { args: [decision] });
    await stack.untilStatus(again, 'claimed');
  });
  expect(stack.made(code)).toEqual([`${code}-r2`]);
});

/** So many tasks the life below has, or fewer. */
const mostTasks = 16;

test('a reset to each task of a payout that has failed, was retried and paid: nothing is sent again', async ({
  stack,
  sandbox,
}) => {
  const resetTo = new Set<number>();
  /** Each task has a payout of its own, so that they are all reset at the same time. */
  const liveAndReset = async (number: number) => {
    const code = freshCode();
    const payout = await stack.startPayout(code);
    await stack.untilStatus(payout, 'claimed');
    sandbox.setPayoutStatus(code, 'error');
    await stack.untilStatus(payout, 'error');
    await payout.executeUpdate('retryPayout', { args: [decision] });
    await stack.untilStatus(payout, 'claimed');
    sandbox.setPayoutStatus(`${code}-r2`, 'done');
    await stack.untilStatus(payout, 'done');
    const first = { workflowId: payout.workflowId, runId: payout.firstExecutionRunId };
    const again = await stack.resetToTask(first, (tasks) => {
      expect(tasks.length).toBeLessThanOrEqual(mostTasks);
      resetTo.add(Math.min(number, tasks.length - 1));
      return tasks[number] ?? tasks.at(-1);
    });
    // One that needs an operator by then would be read a day later.
    await again.signal('statusHint', { source: 'test' });
    const { attempts } = await stack.untilStatus(again, 'done');
    expect(attempts.at(-1)).toMatchObject({ number: 2, status: 'done' });
    expect(stack.made(code)).toEqual([code, `${code}-r2`]);
  };
  await stack.working(() =>
    Promise.all(Array.from({ length: mostTasks }, (_, number) => liveAndReset(number))),
  );
  expect(resetTo.size).toBeGreaterThan(4);
});
