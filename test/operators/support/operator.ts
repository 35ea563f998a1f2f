import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { expect, vi } from 'vitest';
import type { PayoutState } from '../../../src/contract/state.js';
import { freshCode } from '../../support/requests.js';
import type { ResettableStack } from '../../support/resets.js';
import { waiting } from '../../support/waiting.js';

const { BATCH_OPERATION_STATE_RUNNING, BATCH_OPERATION_STATE_COMPLETED } =
  temporal.api.enums.v1.BatchOperationState;

export type Activity = Required<
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

export type Operator = ReturnType<typeof operatorOf>;

type WhileItSends = (operator: Operator, payout: WorkflowHandle, code: string) => Promise<unknown>;

/**
 * What an operator does to a payout whose call has reached the service, which answers only then. The payout is made once,
 * and has this status in the end; answers what its timeline says.
 */
export async function whileItSends(
  stack: ResettableStack,
  act: WhileItSends,
  status = 'claimed',
): Promise<string> {
  const { made, sandbox } = stack;
  const code = freshCode();
  const fault = { effect: 'done', delay_ms: 60_000 } as const;
  sandbox.fault({ endpoint: 'POST /v1/payout/pix', partner_code: code, fault });
  return stack.working(async () => {
    const payout = stack.current(await stack.startPayout(code));
    await sandbox.until(() => made(code).length > 0);
    await act(operatorOf(stack), payout, code);
    sandbox.hurry();
    // By a query: the run may be over by now.
    const state = await vi.waitUntil(async () => {
      const shown = await payout.query<PayoutState>('state');
      return shown.status === status && shown;
    }, waiting);
    expect(made(code)).toEqual([code]);
    return wordsOf(state);
  });
}

/** All that a payment's timeline says. */
export const wordsOf = ({ timeline }: { readonly timeline: readonly { readonly what: string }[] }) =>
  timeline.map(({ what }) => what).join('\n');
