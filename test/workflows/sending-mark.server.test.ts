import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { WorkflowHandle } from '@temporalio/client';
import { expect } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import { markSending } from '../../src/temporal/mark-sending.js';
import { payAndDie, takeAndDie } from '../support/pay-and-die.js';
import { freshCode } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';

/** Has Temporal give up the activity that is under way, as after its full time. */
async function giveUp({ server }: ResettableStack, { workflowId }: WorkflowHandle, activityId: string) {
  await server.connection.workflowService.updateActivityOptions({
    ...{ namespace: server.namespace, execution: { workflowId }, id: activityId },
    activityOptions: { startToCloseTimeout: msToTs('1 second') },
    updateMask: { paths: ['start_to_close_timeout'] },
  });
}

async function timelineOf(payout: WorkflowHandle): Promise<string> {
  const { timeline } = await payout.query<PayoutState>('state');
  return timeline.map(({ what }) => what).join('\n');
}

test('a payout whose worker died before the mark is sent by the next one, once, and needs no operator', async ({
  stack,
}) => {
  const code = freshCode();
  const payout = await stack.startPayout(code);
  const { activityId } = await takeAndDie(stack);
  await giveUp(stack, payout, activityId);
  const state = await stack.working(() => stack.untilStatus(payout, 'claimed'));
  expect(state.attention).toBeNull();
  expect(state.timeline.map(({ what }) => what).join('\n')).toContain('ended before it sent anything');
  expect(stack.made(code)).toEqual([code]);
});

test('a payout whose worker died after the mark is not sent again', async ({ stack }) => {
  const code = freshCode();
  const payout = await stack.startPayout(code);
  const { activityId } = await payAndDie(stack, code);
  await giveUp(stack, payout, activityId);
  await stack.working(async () => {
    await expect.poll(() => timelineOf(payout)).toContain('gave no answer');
    expect((await payout.describe()).raw.pendingActivities ?? []).toEqual([]);
  });
  expect(stack.made(code)).toEqual([code]);
});

test('Temporal refuses the mark of an activity that it has given up, and of one whose workflow is closed', async ({
  stack,
}) => {
  const payout = await stack.startPayout(freshCode());
  const { taskToken, activityId } = await takeAndDie(stack);
  const mark = () => markSending(stack.server.client, taskToken, 10_000);
  expect(await mark()).toBeUndefined();
  await giveUp(stack, payout, activityId);
  await expect.poll(mark).toContain('no longer waits');

  const other = await stack.startPayout(freshCode());
  const taken = await takeAndDie(stack);
  await other.terminate();
  expect(await markSending(stack.server.client, taken.taskToken, 10_000)).toContain('no longer waits');
});

test('a mark that Temporal does not acknowledge in time lets nothing be sent', async () => {
  const connection = Connection.lazy({ address: '127.0.0.1:9' });
  const client = new Client({ connection });
  expect(await markSending(client, new Uint8Array([1]), 300)).toContain('did not acknowledge');
  await connection.close();
});
