import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { expect } from 'vitest';
import type { PayoutState } from '../../../src/contract/state.js';
import { freshCode } from '../../support/requests.js';
import type { ResettableStack } from '../../support/resets.js';

const { BATCH_OPERATION_STATE_RUNNING, BATCH_OPERATION_STATE_COMPLETED } =
  temporal.api.enums.v1.BatchOperationState;

type Activity = Required<
  Pick<temporal.api.workflowservice.v1.IPauseActivityRequest, 'namespace' | 'execution' | 'id'>
>;
type BatchOperation = temporal.api.workflowservice.v1.IStartBatchOperationRequest;

/** What Temporal's own calls let an operator do, on the server of this test run. */
export function operatorOf({ server }: ResettableStack) {
  const { workflowService } = server.connection;
  const { namespace } = server;
  const execution = ({ workflowId }: WorkflowHandle) => ({ workflowId });
  /** What Temporal is told of an activity whose worker died. */
  const reportDeath = async (taskToken: Uint8Array) => {
    const failure = { message: 'the worker died', applicationFailureInfo: {} };
    await workflowService.respondActivityTaskFailed({ namespace, taskToken, failure });
  };
  return {
    workflowService,
    namespace,
    execution,
    /** The activity that is under way, by its id: in a field that every call on activities has. */
    activityOf: async (payment: WorkflowHandle) => {
      await expect.poll(async () => (await pendingOf(payment)).length).toBe(1);
      const [activity] = await pendingOf(payment);
      return { namespace, execution: execution(payment), id: activity?.activityId ?? '' };
    },
    reportDeath,
    /** The worker of this activity is dead; it is paused, and unpaused with its attempts reset. */
    runAgainAfterDeath: async (activity: Activity, taskToken: Uint8Array) => {
      await workflowService.pauseActivity({ ...activity, reason: 'test' });
      await reportDeath(taskToken);
      await workflowService.unpauseActivity({ ...activity, resetAttempts: true });
    },
    /** A batch operation on these payments; resolves when it has been applied to all of them. */
    batch: async (payments: readonly WorkflowHandle[], operation: BatchOperation) => {
      const jobId = randomUUID();
      await workflowService.startBatchOperation({
        ...{ namespace, jobId, reason: 'test', executions: payments.map(execution) },
        ...operation,
      });
      const state = async () => (await workflowService.describeBatchOperation({ namespace, jobId })).state;
      await expect.poll(state).not.toBe(BATCH_OPERATION_STATE_RUNNING);
      expect(await state()).toBe(BATCH_OPERATION_STATE_COMPLETED);
    },
  };
}

async function pendingOf(payment: WorkflowHandle) {
  return (await payment.describe()).raw.pendingActivities ?? [];
}

/** Starts a payout whose call has reached the service, and is answered when the sandbox is told to hurry. */
export async function startUnanswered(
  stack: ResettableStack,
): Promise<{ code: string; payout: WorkflowHandle }> {
  const code = freshCode();
  stack.sandbox.fault({
    endpoint: 'POST /v1/payout/pix',
    partner_code: code,
    fault: { effect: 'done', delay_ms: 60_000 },
  });
  const payout = await stack.startPayout(code);
  await stack.sandbox.until(({ payouts }) => payouts.some(({ partner_code: sent }) => sent === code));
  return { code, payout: stack.current(payout) };
}

/** Starts the same payout once more, with every default of the SDK's: its id may be used again. */
export function startAgain(stack: ResettableStack, code: string): Promise<WorkflowHandle> {
  return stack.startPayout(code);
}

/** Waits until the payment has this status; fails when it does not come to it. */
export async function reaches(
  stack: ResettableStack,
  payment: WorkflowHandle,
  status: string,
): Promise<PayoutState> {
  const state = await stack.untilStatus(payment, status);
  expect(state, wordsOf(state)).toMatchObject({ status });
  return state;
}

/** All that a payment's timeline says. */
export const wordsOf = ({ timeline }: { readonly timeline: readonly { readonly what: string }[] }) =>
  timeline.map(({ what }) => what).join('\n');
