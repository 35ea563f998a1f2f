import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { expect } from 'vitest';
import { freshCode } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';
import { operatorOf, reaches, startAgain } from './support/operator.js';

const { RESET_TYPE_FIRST_WORKFLOW_TASK } = temporal.api.enums.v1.ResetType;
const identity = 'ana';

/** Three payouts that the service has. */
async function claimed(stack: ResettableStack): Promise<ReadonlyMap<string, WorkflowHandle>> {
  const payouts = new Map<string, WorkflowHandle>();
  for (let count = 0; count < 3; count += 1) {
    const code = freshCode();
    payouts.set(code, stack.current(await stack.startPayout(code)));
  }
  for (const payout of payouts.values()) await reaches(stack, payout, 'claimed');
  return payouts;
}

test('a batch that resets payouts to their start: nothing is sent again', async ({ stack }) => {
  const operator = operatorOf(stack);
  await stack.working(async () => {
    const payouts = await claimed(stack);
    await operator.batch([...payouts.values()], {
      resetOperation: {
        identity,
        options: { firstWorkflowTask: {} },
        resetType: RESET_TYPE_FIRST_WORKFLOW_TASK,
      },
    });
    for (const [code, payout] of payouts) {
      await stack.addLatestRun(payout);
      await reaches(stack, payout, 'claimed');
      expect(stack.made(code)).toEqual([code]);
    }
  });
});

test('a batch that terminates payouts, which are started again: nothing is sent again', async ({ stack }) => {
  const operator = operatorOf(stack);
  await stack.working(async () => {
    const payouts = await claimed(stack);
    await operator.batch([...payouts.values()], { terminationOperation: { identity } });
    for (const code of payouts.keys()) {
      const again = await startAgain(stack, code);
      expect(await again.result()).toMatchObject({ status: 'rejected', attention: 'invalid_input' });
      expect(stack.made(code)).toEqual([code]);
    }
  });
});

test('a batch that cancels payouts that were sent: their money is followed', async ({ stack, sandbox }) => {
  const operator = operatorOf(stack);
  await stack.working(async () => {
    const payouts = await claimed(stack);
    await operator.batch([...payouts.values()], { cancellationOperation: { identity } });
    for (const [code, payout] of payouts) {
      sandbox.setPayoutStatus(code, 'done');
      await reaches(stack, payout, 'done');
      expect(stack.made(code)).toEqual([code]);
    }
  });
});

test('two batches that signal a retry to failed payouts: each is sent once more', async ({
  stack,
  sandbox,
}) => {
  const operator = operatorOf(stack);
  await stack.working(async () => {
    const payouts = await claimed(stack);
    for (const [code, payout] of payouts) {
      sandbox.setPayoutStatus(code, 'error');
      await reaches(stack, payout, 'error');
    }
    const handles = [...payouts.values()];
    const decision = defaultPayloadConverter.toPayload({ by: identity, reason: 'The bank works again.' });
    const input = { payloads: [decision] };
    const retry = { signalOperation: { signal: 'retryPayout', identity, input } };
    await Promise.all([operator.batch(handles, retry), operator.batch(handles, retry)]);
    for (const [code, payout] of payouts) {
      await reaches(stack, payout, 'claimed');
      sandbox.setPayoutStatus(`${code}-r2`, 'done');
      await reaches(stack, payout, 'done');
      expect(stack.made(code)).toEqual([code, `${code}-r2`]);
    }
  });
});
