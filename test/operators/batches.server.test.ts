import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { expect } from 'vitest';
import { freshCode } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';
import { operatorOf } from './support/operator.js';

const { RESET_TYPE_FIRST_WORKFLOW_TASK } = temporal.api.enums.v1.ResetType;
const identity = 'ana';

/** Two payouts that the service has, by their codes. */
async function claimed(stack: ResettableStack): Promise<ReadonlyMap<string, WorkflowHandle>> {
  const codes = [freshCode(), freshCode()];
  const start = async (code: string) => [code, stack.current(await stack.startPayout(code))] as const;
  const payouts = new Map(await Promise.all(codes.map(start)));
  for (const payout of payouts.values()) await stack.untilStatus(payout, 'claimed');
  return payouts;
}

test('batches that reset, terminate and cancel payouts: nothing is sent again, and money is followed', async ({
  stack,
  sandbox,
}) => {
  const operator = operatorOf(stack);
  await stack.working(async () => {
    const [reset, terminated, cancelled] = [await claimed(stack), await claimed(stack), await claimed(stack)];
    const resetType = RESET_TYPE_FIRST_WORKFLOW_TASK;
    const options = { firstWorkflowTask: {} };
    await operator.batch([...reset.values()], { resetOperation: { identity, options, resetType } });
    await operator.batch([...terminated.values()], { terminationOperation: { identity } });
    await operator.batch([...cancelled.values()], { cancellationOperation: { identity } });
    for (const code of terminated.keys()) {
      const again = await stack.startPayout(code);
      expect(await again.result()).toMatchObject({ status: 'rejected', attention: 'invalid_input' });
    }
    for (const [code, payout] of [...reset, ...cancelled]) {
      sandbox.setPayoutStatus(code, 'done');
      await stack.addLatestRun(payout);
      await stack.untilStatus(payout, 'done');
    }
    for (const code of [...reset.keys(), ...terminated.keys(), ...cancelled.keys()])
      expect(stack.made(code)).toEqual([code]);
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
      await stack.untilStatus(payout, 'error');
    }
    const handles = [...payouts.values()];
    const decision = defaultPayloadConverter.toPayload({ by: identity, reason: 'The bank works again.' });
    const retry = {
      signalOperation: { signal: 'retryPayout', identity, input: { payloads: [decision] } },
    };
    await Promise.all([operator.batch(handles, retry), operator.batch(handles, retry)]);
    for (const [code, payout] of payouts) {
      await stack.untilStatus(payout, 'claimed');
      sandbox.setPayoutStatus(`${code}-r2`, 'done');
      await stack.untilStatus(payout, 'done');
      expect(stack.made(code)).toEqual([code, `${code}-r2`]);
    }
  });
});
