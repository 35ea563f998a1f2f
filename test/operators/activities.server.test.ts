import { msToTs } from '@temporalio/common/lib/time.js';
import { encodeToPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { expect, vi } from 'vitest';
import { longTests } from '../support/waiting.js';
import { payAndDie } from '../support/pay-and-die.js';
import { freshCode } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';
import { inFull } from '../support/tools.js';
import { operatorOf, whileItSends, wordsOf, type Activity, type Operator } from './support/operator.js';

vi.setConfig(longTests);

const reason = 'test';

test('an activity that is paused while it sends: its answer counts', async ({ stack }) => {
  await whileItSends(stack, async ({ activityOf, workflowService }, payout) =>
    workflowService.pauseActivity({ ...(await activityOf(payout)), reason }),
  );
});

test('an activity that is reset while it sends: its answer counts', async ({ stack }) => {
  await whileItSends(stack, async ({ activityOf, workflowService }, payout) =>
    workflowService.resetActivity(await activityOf(payout)),
  );
});

/** What an operator does to the activity of a payout before a worker takes it. */
async function beforeItIsTaken(
  stack: ResettableStack,
  act: (operator: Operator, activity: Activity) => Promise<unknown>,
): Promise<void> {
  const operator = operatorOf(stack);
  const code = freshCode();
  const payout = await stack.startPayout(code);
  await stack.withoutActivities(async () => act(operator, await operator.activityOf(payout)));
  const { attention } = await stack.working(() => stack.untilStatus(payout, 'submission_unknown'));
  expect(attention).toBe('submission_unknown');
  expect(stack.made(code)).toEqual([]);
}

test('an activity that is paused before a worker takes it, and unpaused: nothing is sent, an operator decides', async ({
  stack,
}) => {
  await beforeItIsTaken(stack, async ({ workflowService }, activity) => {
    await workflowService.pauseActivity({ ...activity, reason });
    await workflowService.unpauseActivity(activity);
  });
});

test('an activity that is reset before a worker takes it: nothing is sent, an operator decides', async ({
  stack,
}) => {
  await beforeItIsTaken(stack, ({ workflowService }, activity) => workflowService.resetActivity(activity));
});

type Died = {
  readonly activity: Activity;
  readonly taskToken: Uint8Array;
  readonly service_id: string | undefined;
};

/** What an operator does to the activity of a payout that a worker has sent, and died; answers the payout's state. */
async function afterDeath(stack: ResettableStack, act: (operator: Operator, died: Died) => Promise<unknown>) {
  const operator = operatorOf(stack);
  const code = freshCode();
  const payout = await stack.startPayout(code);
  const { taskToken } = await payAndDie(stack, code);
  const service_id = stack.sandbox.ledger(code).payouts[0]?.id;
  await act(operator, { activity: await operator.activityOf(payout), taskToken, service_id });
  const state = await stack.working(() => stack.untilStatus(payout, 'claimed'));
  expect(state.service_id).toBe(service_id);
  expect(stack.made(code)).toEqual([code]);
  return wordsOf(state);
}

test('an activity that is paused, its worker dead, and unpaused with its attempts reset: nothing is sent, a scan finds the payout', async ({
  stack,
}) => {
  const words = await afterDeath(stack, ({ runAgainAfterDeath }, { activity, taskToken }) =>
    runAgainAfterDeath(activity, taskToken),
  );
  expect(words).toMatch(/was dispatched before|got no usable answer|no answer/i);
});

test('an activity whose options allow more attempts: the second one sends nothing, a scan finds the payout', async ({
  stack,
}) => {
  const words = await afterDeath(stack, async (operator, { activity, taskToken }) => {
    await operator.workflowService.updateActivityOptions({
      ...activity,
      activityOptions: { retryPolicy: { maximumAttempts: 5, initialInterval: { nanos: 1_000_000 } } },
      updateMask: { paths: ['retry_policy.maximum_attempts', 'retry_policy.initial_interval'] },
    });
    await operator.reportDeath(taskToken);
  });
  expect(words).toContain('was dispatched before');
});

test('an activity that had heartbeated the answer when its worker died, and runs again: nothing is sent, no scan is needed', async ({
  stack,
}) => {
  const words = await afterDeath(stack, async (operator, { activity, service_id, taskToken }) => {
    const { namespace, workflowService } = operator;
    const { loadedDataConverter } = stack.server.client.options;
    const answer = { outcome: 'answered', service_id, status: 'claimed' };
    const details = { payloads: (await encodeToPayloads(loadedDataConverter, answer)) ?? [] };
    await workflowService.recordActivityTaskHeartbeat({ namespace, taskToken, details });
    await operator.runAgainAfterDeath(activity, taskToken);
  });
  expect(words).not.toMatch(/dispatched before|scan/i);
});

// It waits for that time: 75 seconds.
test.runIf(inFull())(
  'an activity whose options give it less time while it sends: a scan finds the payout after the longest time of a call',
  async ({ stack }) => {
    await whileItSends(stack, async ({ activityOf, workflowService }, payout) => {
      await workflowService.updateActivityOptions({
        ...(await activityOf(payout)),
        activityOptions: { startToCloseTimeout: msToTs('1 second') },
        updateMask: { paths: ['start_to_close_timeout'] },
      });
      // Scans begin when the call is over by its own bounds, 75 seconds after it was scheduled.
      const status = async () => (await stack.untilStatus(payout, 'claimed')).status;
      await expect.poll(status, { timeout: 100_000 }).toBe('claimed');
    });
  },
);
