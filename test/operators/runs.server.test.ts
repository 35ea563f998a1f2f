import { isGrpcServiceError } from '@temporalio/client';
import { expect, inject } from 'vitest';
import { test } from '../support/resets.js';
import { onServer } from '../support/tools.js';
import { operatorOf, whileItSends } from './support/operator.js';

const server = inject('temporalServer');
const reason = 'test';

test.runIf(onServer('newest', server))(
  'a workflow that is paused while it sends: the answer counts once it is unpaused',
  async ({ stack, sandbox }) => {
    await whileItSends(
      stack,
      async ({ execution, namespace, workflowService }, payout, code) => {
        const target = { namespace, ...execution(payout), identity: 'ana', reason };
        await workflowService.pauseWorkflowExecution(target);
        sandbox.hurry();
        await expect.poll(async () => (await payout.describe()).raw.pendingActivities ?? []).toEqual([]);
        sandbox.setPayoutStatus(code, 'done');
        await workflowService.unpauseWorkflowExecution(target);
      },
      'done',
    );
  },
);

test.runIf(onServer('embedded', server))(
  'a workflow that is paused: the server refuses it',
  async ({ stack }) => {
    const { workflowService, namespace, execution } = operatorOf(stack);
    const payout = await stack.startPayout('never-paused');
    const pause = workflowService.pauseWorkflowExecution({ namespace, ...execution(payout), reason });
    const refusal: unknown = await pause.catch((error: unknown) => error);
    expect(isGrpcServiceError(refusal) && refusal.code).toBe(12);
  },
);

test('a workflow that is cancelled while it sends: the answer counts, and money is followed', async ({
  stack,
}) => {
  await whileItSends(stack, (_operator, payout) => payout.cancel());
});

test('a workflow that is terminated while it sends, and started again: the second run sends nothing', async ({
  stack,
}) => {
  await whileItSends(
    stack,
    async (_operator, payout, code) => {
      await payout.terminate('by mistake');
      const again = await stack.startPayout(code);
      expect(await again.result()).toMatchObject({ status: 'rejected', attention: 'invalid_input' });
    },
    'rejected',
  );
});

test('a workflow that is deleted while it sends, and started again: the payout is found and followed', async ({
  stack,
}) => {
  const words = await whileItSends(stack, async ({ execution, namespace, workflowService }, payout, code) => {
    stack.forget(payout);
    await workflowService.deleteWorkflowExecution({ namespace, workflowExecution: execution(payout) });
    const query = `WorkflowId = '${payout.workflowId}'`;
    const isListed = async () => (await stack.server.client.workflow.count(query)).count > 0;
    await expect.poll(isListed).toBe(false);
    await stack.startPayout(code);
  });
  expect(words).toContain('that this payment has not sent');
});
