import { msToTs } from '@temporalio/common/lib/time.js';
import { encodeToPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { expect, vi } from 'vitest';
import { longTests } from '../support/waiting.js';
import { payAndDie } from '../support/pay-and-die.js';
import { freshCode } from '../support/requests.js';
import { test } from '../support/resets.js';
import { inFull } from '../support/tools.js';
import { operatorOf, reaches, startUnanswered, wordsOf } from './support/operator.js';

vi.setConfig(longTests);

test('an activity that is paused while it sends: its answer counts', async ({ stack, sandbox }) => {
  const operator = operatorOf(stack);
  await stack.working(async () => {
    const { code, payout } = await startUnanswered(stack);
    await operator.workflowService.pauseActivity({ ...(await operator.activityOf(payout)), reason: 'test' });
    sandbox.hurry();
    await reaches(stack, payout, 'claimed');
    expect(stack.made(code)).toEqual([code]);
  });
});

test('an activity that is reset while it sends: its answer counts', async ({ stack, sandbox }) => {
  const operator = operatorOf(stack);
  await stack.working(async () => {
    const { code, payout } = await startUnanswered(stack);
    await operator.workflowService.resetActivity(await operator.activityOf(payout));
    sandbox.hurry();
    await reaches(stack, payout, 'claimed');
    expect(stack.made(code)).toEqual([code]);
  });
});

test('an activity that is paused before a worker takes it, and unpaused: nothing is sent, an operator decides', async ({
  stack,
}) => {
  const operator = operatorOf(stack);
  const code = freshCode();
  const payout = await stack.startPayout(code);
  await stack.withoutActivities(async () => {
    const activity = await operator.activityOf(payout);
    await operator.workflowService.pauseActivity({ ...activity, reason: 'test' });
    await operator.workflowService.unpauseActivity(activity);
  });
  const { attention } = await stack.working(() => reaches(stack, payout, 'submission_unknown'));
  expect(attention).toBe('submission_unknown');
  expect(stack.made(code)).toEqual([]);
});

test('an activity that is reset before a worker takes it: nothing is sent, an operator decides', async ({
  stack,
}) => {
  const operator = operatorOf(stack);
  const code = freshCode();
  const payout = await stack.startPayout(code);
  await stack.withoutActivities(async () => {
    await operator.workflowService.resetActivity(await operator.activityOf(payout));
  });
  const { attention } = await stack.working(() => reaches(stack, payout, 'submission_unknown'));
  expect(attention).toBe('submission_unknown');
  expect(stack.made(code)).toEqual([]);
});

test('an activity that is paused, its worker dead, and unpaused with its attempts reset: nothing is sent, a scan finds the payout', async ({
  stack,
}) => {
  const operator = operatorOf(stack);
  const code = freshCode();
  const payout = await stack.startPayout(code);
  const { taskToken } = await payAndDie(stack, code);
  const activity = await operator.activityOf(payout);
  await operator.runAgainAfterDeath(activity, taskToken);
  const state = await stack.working(() => reaches(stack, payout, 'claimed'));
  expect(wordsOf(state)).toMatch(/was dispatched before|got no usable answer|no answer/i);
  expect(stack.made(code)).toEqual([code]);
});

test('an activity whose options allow more attempts: the second one sends nothing, a scan finds the payout', async ({
  stack,
}) => {
  const operator = operatorOf(stack);
  const code = freshCode();
  const payout = await stack.startPayout(code);
  const { taskToken } = await payAndDie(stack, code);
  await operator.workflowService.updateActivityOptions({
    ...(await operator.activityOf(payout)),
    activityOptions: { retryPolicy: { maximumAttempts: 5, initialInterval: { nanos: 1_000_000 } } },
    updateMask: { paths: ['retry_policy.maximum_attempts', 'retry_policy.initial_interval'] },
  });
  await operator.reportDeath(taskToken);
  const state = await stack.working(() => reaches(stack, payout, 'claimed'));
  expect(wordsOf(state)).toContain('was dispatched before');
  expect(stack.made(code)).toEqual([code]);
});

test('an activity that had heartbeated the answer when its worker died, and runs again: nothing is sent, no scan is needed', async ({
  stack,
  sandbox,
}) => {
  const operator = operatorOf(stack);
  const { namespace } = operator;
  const code = freshCode();
  const payout = await stack.startPayout(code);
  const { taskToken } = await payAndDie(stack, code);
  const activity = await operator.activityOf(payout);
  const [made] = sandbox.ledger(code).payouts;
  const answer = { outcome: 'answered', service_id: made?.id, status: 'claimed' };
  const { loadedDataConverter } = stack.server.client.options;
  const details = { payloads: (await encodeToPayloads(loadedDataConverter, answer)) ?? [] };
  await operator.workflowService.recordActivityTaskHeartbeat({ namespace, taskToken, details });
  await operator.runAgainAfterDeath(activity, taskToken);
  const state = await stack.working(() => reaches(stack, payout, 'claimed'));
  expect(state.service_id).toBe(made?.id);
  expect(wordsOf(state)).not.toMatch(/dispatched before|scan/i);
  expect(stack.made(code)).toEqual([code]);
});

// It waits for that time: 75 seconds.
test.runIf(inFull())(
  'an activity whose options give it less time while it sends: a scan finds the payout after the longest time of a call',
  async ({ stack }) => {
    const operator = operatorOf(stack);
    await stack.working(async () => {
      const { code, payout } = await startUnanswered(stack);
      await operator.workflowService.updateActivityOptions({
        ...(await operator.activityOf(payout)),
        activityOptions: { startToCloseTimeout: msToTs('1 second') },
        updateMask: { paths: ['start_to_close_timeout'] },
      });
      // Scans begin when the call is over by its own bounds, 75 seconds after it was scheduled.
      const status = async () => (await stack.untilStatus(payout, 'claimed')).status;
      await expect.poll(status, { timeout: 100_000 }).toBe('claimed');
      expect(stack.made(code)).toEqual([code]);
    });
  },
);
