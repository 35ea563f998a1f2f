import { Client, type WorkflowHandle } from '@temporalio/client';
import { describe, expect } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import { cardOrder, freshCode, pixPayout } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { whereThereIs } from '../support/tools.js';
import { isHere, starters } from './starters/starters.js';

const execution = (stack: ResettableStack, { workflowId }: WorkflowHandle) => ({
  namespace: stack.server.namespace,
  workflowExecution: { workflowId },
});
const isListed = async (stack: ResettableStack, { workflowId }: WorkflowHandle) => {
  const query = `WorkflowId = '${workflowId}'`;
  return (await stack.server.client.workflow.count(query)).count > 0;
};

/** How the first run of an id comes to its end, after which Temporal lets the id be used again. */
const ends: Readonly<
  Record<string, (payout: WorkflowHandle, code: string, stack: ResettableStack) => Promise<unknown>>
> = {
  'it was terminated': (payout) => payout.terminate('by mistake'),
  'it was closed at the end of its watch': async (payout, code, stack) => {
    stack.sandbox.setPayoutStatus(code, 'done');
    await payout.result();
  },
};

/** By a client of its own: what is deleted can't be replayed. */
async function started(stack: ResettableStack, code: string): Promise<WorkflowHandle> {
  const client = new Client({ ...stack.server.place, dataConverter: testDataConverter });
  const payout = await client.workflow.start('payout', {
    workflowId: `payout-${code}`,
    taskQueue: stack.taskQueue,
    args: [pixPayout(code, '', { poll_scale: 0.0005, watch_days: 0 })],
  });
  await stack.untilStatus(payout, 'claimed');
  return payout;
}

/** Starts the same payout once more, with every default. */
async function startAgain(stack: ResettableStack, starter: string, code: string): Promise<void> {
  await starters[starter]?.({
    ...stack.server.place,
    address: stack.server.address,
    type: 'payout',
    workflowId: `payout-${code}`,
    taskQueue: stack.taskQueue,
    input: pixPayout(code, '', { poll_scale: 0.0005 }),
  });
}

describe.for(Object.keys(starters))('with the defaults of %s', (starter) => {
  test.runIf(whereThereIs(starter, isHere(starter))).for(Object.keys(ends))(
    'a payout is not paid again after %s',
    async (end, { stack }) => {
      const code = freshCode();
      await stack.working(async () => {
        const payout = await started(stack, code);
        await ends[end]?.(payout, code, stack);
        await startAgain(stack, starter, code);
        const again = stack.server.client.workflow.getHandle(payout.workflowId);
        expect(await again.result()).toMatchObject({
          status: 'rejected',
          attention: 'invalid_input',
          attempts: [{ error: expect.stringContaining('The workflow id was used before') as string }],
        });
      });
      expect(stack.sandbox.ledger(code).payouts).toMatchObject([{ times_created: 1 }]);
    },
  );

  test.runIf(whereThereIs(starter, isHere(starter)))(
    'a payout is not paid again after its run was deleted: the one that was paid is found and followed',
    async ({ stack }) => {
      const code = freshCode();
      await stack.working(async () => {
        const payout = await started(stack, code);
        stack.sandbox.setPayoutStatus(code, 'done');
        await payout.result();
        await stack.server.connection.workflowService.deleteWorkflowExecution(execution(stack, payout));
        await expect.poll(() => isListed(stack, payout)).toBe(false);
        await startAgain(stack, starter, code);
        const again = stack.server.client.workflow.getHandle(payout.workflowId);
        const { attempts, timeline } = await stack.untilStatus(again, 'done');
        expect(attempts).toMatchObject([{ number: 1, status: 'done' }]);
        expect(timeline.map(({ what }) => what).join()).toContain('that this payment has not sent');
      });
      expect(stack.sandbox.ledger(code).payouts).toMatchObject([{ times_created: 1 }]);
    },
  );
});

test('a first start with the defaults is paid, and a further attempt as well', async ({ stack }) => {
  const code = freshCode();
  const handle = await stack.startPayout(code);
  const state = await stack.working(async () => {
    await stack.untilStatus(handle, 'claimed');
    stack.sandbox.setPayoutStatus(code, 'error');
    await stack.untilStatus(handle, 'error');
    return handle.executeUpdate<PayoutState, [object]>('retryPayout', {
      args: [{ by: 'oms', reason: 'a test' }],
    });
  });
  expect(state.attempts).toHaveLength(2);
});

test('an order of an id that was used before is not sent', async ({ stack }) => {
  const code = freshCode();
  const { order, customer } = cardOrder(code);
  const { installments: _installments, ...secured } = order;
  const start = () => stack.start('threeDSecureOrder', `order-${code}`, { order: secured, customer });
  await stack.working(async () => {
    const first = await start();
    await stack.untilStatus(first, 'awaiting_authentication');
    await first.terminate('by mistake');
    const again: unknown = await (await start()).result();
    expect(again).toMatchObject({ status: 'rejected', attention: 'invalid_input' });
  });
  expect(stack.sandbox.ledger(code).orders).toHaveLength(1);
});
