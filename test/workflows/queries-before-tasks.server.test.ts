import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { longTests } from '../support/waiting.js';
import { StateLostError } from '../../src/client.js';
import { PayoutHandle } from '../../src/client/payout-handle.js';
import { askAgain } from '../../src/domain/ask-again.js';
import { readsMade } from '../../scripts/bench/history-cost.mjs';
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

type Last = 'workflowTaskScheduledEventAttributes' | 'timerStartedEventAttributes';
async function untilLastEvent(payouts: readonly WorkflowHandle[], has: Last): Promise<void> {
  for (const payout of payouts)
    await expect.poll(async () => (await payout.fetchHistory()).events?.at(-1)?.[has]).toBeTruthy();
}
/** Waits until each has a task that no worker has taken. */
const untilDue = (payouts: readonly WorkflowHandle[]) =>
  untilLastEvent(payouts, 'workflowTaskScheduledEventAttributes');
/** Waits until the task of each has been handled: what it did then stands in the history. */
const untilHandled = (payouts: readonly WorkflowHandle[]) =>
  untilLastEvent(payouts, 'timerStartedEventAttributes');

const client = ({ server }: ResettableStack) => ({ client: server.client, callTimeoutMs: 30_000 });

test('payments that are asked before their tasks are handled decide at the time of the tasks, and the client asks again', async ({
  stack,
}) => {
  const payouts = await followed(stack, 20);
  // The questions wait for a worker. When there is one, it is given the newest events with them.
  const [bare, ofClient] = [payouts.slice(0, 10), payouts.slice(10)];
  const answers = bare.map((payout) => payout.query<{ status: string }>('state').catch(String));
  const states = ofClient.map(({ workflowId }) => new PayoutHandle(client(stack), workflowId).state());
  await untilDue(payouts);
  await stack.working(async () => {
    for (const answer of await Promise.all(answers)) {
      if (typeof answer === 'string') expect(answer).toContain(askAgain);
      else expect(answer.status).toBe('claimed');
    }
    for (const { status } of await Promise.all(states)) expect(status).toBe('claimed');
    await untilHandled(payouts);
  });
  // Each history is replayed now: where a payout had decided at another time, that fails.
});

/** Payouts of which several hints have shown nothing new: the next one has to wait for a while. */
async function hintedInVain(stack: ResettableStack, count: number): Promise<WorkflowHandle[]> {
  const payouts = await followed(stack, count);
  const readsOf = async (payout: WorkflowHandle) => readsMade((await payout.fetchHistory()).events ?? []);
  const read = async (payout: WorkflowHandle) => {
    const before = await readsOf(payout);
    await payout.signal('statusHint', { source: 'test' });
    await expect.poll(() => readsOf(payout)).toBeGreaterThan(before);
  };
  await stack.working(async () => {
    for (const _ of [1, 2, 3]) await Promise.all(payouts.map(read));
  });
  return payouts;
}

test('a hint that waits for a worker is followed at the time of its task, although the payment is asked before it', async ({
  stack,
}) => {
  const payouts = await hintedInVain(stack, 20);
  // The questions wait for a worker before there is a task that could bring them.
  const answers = payouts.map((payout) => payout.query('state').catch(String));
  await Promise.all(payouts.map((payout) => payout.describe()));
  await Promise.all(payouts.map((payout) => payout.signal('statusHint', { source: 'test' })));
  // So long it would have had to wait.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await stack.working(async () => {
    await Promise.all(answers);
    await untilHandled(payouts);
  });
  // Each history is replayed now. At the time of the task before the hint would have had to wait, at that of its own it has not.
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
