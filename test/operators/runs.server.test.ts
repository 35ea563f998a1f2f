import { isGrpcServiceError } from '@temporalio/client';
import { expect, inject } from 'vitest';
import { test } from '../support/resets.js';
import { onServer } from '../support/tools.js';
import { operatorOf, reaches, startAgain, startUnanswered, wordsOf } from './support/operator.js';

const server = inject('temporalServer');

test.runIf(onServer('newest', server))(
  'a workflow that is paused while it sends: the answer counts once it is unpaused',
  async ({ stack, sandbox }) => {
    const { workflowService, namespace, execution } = operatorOf(stack);
    await stack.working(async () => {
      const { code, payout } = await startUnanswered(stack);
      const target = { namespace, ...execution(payout), identity: 'ana' };
      await workflowService.pauseWorkflowExecution({ ...target, reason: 'test' });
      sandbox.hurry();
      await expect.poll(async () => (await payout.describe()).raw.pendingActivities ?? []).toEqual([]);
      sandbox.setPayoutStatus(code, 'done');
      await workflowService.unpauseWorkflowExecution({ ...target, reason: 'test' });
      await reaches(stack, payout, 'done');
      expect(stack.made(code)).toEqual([code]);
    });
  },
);

test.runIf(onServer('embedded', server))(
  'a workflow that is paused: the server refuses it',
  async ({ stack }) => {
    const { workflowService, namespace, execution } = operatorOf(stack);
    const payout = await stack.startPayout('never-paused');
    const pause = workflowService.pauseWorkflowExecution({ namespace, ...execution(payout), reason: 'test' });
    const refusal: unknown = await pause.catch((error: unknown) => error);
    expect(isGrpcServiceError(refusal) && refusal.code).toBe(12);
  },
);

test('a workflow that is cancelled while it sends: the answer counts, and money is followed', async ({
  stack,
  sandbox,
}) => {
  await stack.working(async () => {
    const { code, payout } = await startUnanswered(stack);
    await payout.cancel();
    sandbox.hurry();
    await reaches(stack, payout, 'claimed');
    expect(stack.made(code)).toEqual([code]);
  });
});

test('a workflow that is terminated while it sends, and started again: the second run sends nothing', async ({
  stack,
  sandbox,
}) => {
  await stack.working(async () => {
    const { code, payout } = await startUnanswered(stack);
    await payout.terminate('by mistake');
    const again = await startAgain(stack, code);
    sandbox.hurry();
    expect(await again.result()).toMatchObject({ status: 'rejected', attention: 'invalid_input' });
    expect(stack.made(code)).toEqual([code]);
  });
});

test('a workflow that is deleted while it sends, and started again: the payout is found and followed', async ({
  stack,
  sandbox,
}) => {
  const { workflowService, namespace, execution } = operatorOf(stack);
  await stack.working(async () => {
    const { code, payout } = await startUnanswered(stack);
    stack.forget(payout);
    await workflowService.deleteWorkflowExecution({ namespace, workflowExecution: execution(payout) });
    const isListed = async () =>
      (await stack.server.client.workflow.count(`WorkflowId = '${payout.workflowId}'`)).count > 0;
    await expect.poll(isListed).toBe(false);
    const again = await startAgain(stack, code);
    sandbox.hurry();
    expect(wordsOf(await reaches(stack, again, 'claimed'))).toContain('that this payment has not sent');
    expect(stack.made(code)).toEqual([code]);
  });
});
