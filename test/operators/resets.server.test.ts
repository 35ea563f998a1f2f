import { expect, vi } from 'vitest';
import { freshCode } from '../support/requests.js';
import { test } from '../support/resets.js';
import { waiting } from '../support/waiting.js';
import { reaches, startUnanswered, wordsOf } from './support/operator.js';

test('a reset while it sends: the new run sends nothing, a scan finds the payout', async ({
  stack,
  sandbox,
}) => {
  await stack.working(async () => {
    const { code, payout } = await startUnanswered(stack);
    const again = await stack.resetToStart(payout);
    sandbox.hurry();
    expect(wordsOf(await reaches(stack, again, 'claimed'))).toContain('This run of the workflow is a reset');
    expect(stack.made(code)).toEqual([code]);
  });
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
    await reaches(stack, again, 'submission_unknown');
    expect(stack.made(code)).toEqual([]);
    await again.executeUpdate('resolveSubmission', {
      args: [{ nothing_happened: true, by: 'ana', reason: 'a test' }],
    });
    await again.executeUpdate('retryPayout', { args: [{ by: 'ana', reason: 'a test' }] });
    await reaches(stack, again, 'claimed');
  });
  expect(stack.made(code)).toEqual([`${code}-r2`]);
});

test('a reset to each task of a payout that has failed, was retried and paid: nothing is sent again', async ({
  stack,
  sandbox,
}) => {
  const code = freshCode();
  const payout = await stack.startPayout(code);
  await stack.working(async () => {
    await reaches(stack, payout, 'claimed');
    sandbox.setPayoutStatus(code, 'error');
    await reaches(stack, payout, 'error');
    await payout.executeUpdate('retryPayout', { args: [{ by: 'ana', reason: 'a test' }] });
    await reaches(stack, payout, 'claimed');
    sandbox.setPayoutStatus(`${code}-r2`, 'done');
    await reaches(stack, payout, 'done');
    const first = { workflowId: payout.workflowId, runId: payout.firstExecutionRunId };
    const { tasks } = await stack.tasksOf(first);
    expect(tasks.length).toBeGreaterThan(4);
    for (const task of tasks) {
      const again = await stack.resetToTask(first, () => task);
      const { attempts } = await reaches(stack, again, 'done');
      expect(attempts.at(-1)).toMatchObject({ number: 2, status: 'done' });
      expect(stack.made(code)).toEqual([code, `${code}-r2`]);
    }
  });
});
