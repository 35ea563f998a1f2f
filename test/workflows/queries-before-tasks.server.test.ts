import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { longTests } from '../support/waiting.js';
import { StateLostError, createPaymentsClient } from '../../src/client.js';
import { PayoutHandle } from '../../src/client/payout-handle.js';
import { askAgain } from '../../src/domain/ask-again.js';
import { freshCode } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';

vi.setConfig(longTests);

// What comes while a query is answered races with a thread of the workflows' own.
beforeAll(() => {
  vi.stubEnv('TEMPORAL_DEBUG', 'false');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

/** Payouts that are followed; the next read of each is due some seconds after the last worker has gone. */
async function followed(stack: ResettableStack, count: number, tags = ''): Promise<WorkflowHandle[]> {
  return stack.working(() =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const payout = await stack.startPayout(freshCode(), tags, { poll_scale: 0.3 });
        await stack.untilStatus(payout, 'claimed');
        return payout;
      }),
    ),
  );
}

/** Waits until each has a task that no worker has taken. */
async function untilDue(payouts: readonly WorkflowHandle[]): Promise<void> {
  const lastEvent = async (payout: WorkflowHandle) => (await payout.fetchHistory()).events?.at(-1);
  for (const payout of payouts) {
    await expect
      .poll(async () => (await lastEvent(payout))?.workflowTaskScheduledEventAttributes)
      .toBeTruthy();
  }
}

/** Waits until the task of each has been handled: what it did then stands in the history. */
async function untilHandled(payouts: readonly WorkflowHandle[]): Promise<void> {
  const lastEvent = async (payout: WorkflowHandle) => (await payout.fetchHistory()).events?.at(-1);
  for (const payout of payouts) {
    await expect.poll(async () => (await lastEvent(payout))?.timerStartedEventAttributes).toBeTruthy();
  }
}

const client = ({ server }: ResettableStack) => ({ client: server.client, callTimeoutMs: 30_000 });

/** Through the client as it is used without settings. */
const asCalledByDefault = ({ server }: ResettableStack, { workflowId }: WorkflowHandle) =>
  createPaymentsClient({ client: server.client, taskQueue: 'unused' }).payout(
    workflowId.replace('payout-', ''),
  );

test('payments that are asked before their tasks are handled decide at the time of the tasks', async ({
  stack,
}) => {
  const payouts = await followed(stack, 20);
  // The questions wait for a worker. When there is one, it is given the newest events with them.
  const answers = payouts.map((payout) => payout.query<{ status: string }>('state').catch(String));
  await untilDue(payouts);
  await stack.working(async () => {
    for (const answer of await Promise.all(answers)) {
      if (typeof answer === 'string') expect(answer).toContain(askAgain);
      else expect(answer.status).toBe('claimed');
    }
    await untilHandled(payouts);
  });
  // Each history is replayed now: where a payout had decided at another time, that fails.
});

test('payments that are asked while they read lose nothing that they decided', async ({ stack }) => {
  const payouts = await followed(stack, 10, 'read-slow');
  const answers = [...payouts, ...payouts, ...payouts].map((payout) => payout.query('state').catch(String));
  await untilDue(payouts);
  await stack.working(async () => {
    await Promise.all(answers);
    // Some of their tasks are lost now, and the client outlasts that.
    const known = await Promise.all(payouts.map((payout) => asCalledByDefault(stack, payout).state()));
    expect(known.map(({ status }) => status)).toEqual(payouts.map(() => 'claimed'));
    for (const { workflowId } of payouts) {
      stack.sandbox.setPayoutStatus(workflowId.replace('payout-', ''), 'done');
    }
    await Promise.all(
      payouts.map(async (payout) => {
        await payout.signal('statusHint', { source: 'test' });
        expect((await stack.untilStatus(payout, 'done')).status).toBe('done');
      }),
    );
  });
  // Each history is replayed now: where a task's outcome was sent with the next task, that fails.
});

test('the client asks again', async ({ stack }) => {
  const payouts = await followed(stack, 10);
  const states = payouts.map(({ workflowId }) => new PayoutHandle(client(stack), workflowId).state());
  await untilDue(payouts);
  const known = await stack.working(() => Promise.all(states));
  expect(new Set(known.map(({ status }) => status))).toEqual(new Set(['claimed']));
});

test('of a payment that was terminated before it had handled its last events no state is made up', async ({
  stack,
}) => {
  const payouts = await followed(stack, 1);
  await untilDue(payouts);
  await Promise.all(payouts.map((payout) => payout.terminate('test')));
  await stack.working(async () => {
    for (const { workflowId } of payouts) {
      const error: unknown = await new PayoutHandle(client(stack), workflowId).state().catch(String);
      expect(error).toContain(StateLostError.name);
      expect(error).toContain('the money may still move');
    }
  });
});
