import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { describe, expect, vi } from 'vitest';
import { CardStore } from '../../src/card-store/card-store.js';
import type { PayoutState } from '../../src/contract/state.js';
import { recordedAs } from '../support/keep-histories.js';
import { refusalOf } from '../support/refusal.js';
import { cardOrder, freshCode, testCard } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';
import { longTests, waiting } from '../support/waiting.js';

vi.setConfig(longTests);

const command = (handle: WorkflowHandle, name: string, message: object = {}) =>
  handle.executeUpdate<PayoutState, [object]>(name, { args: [{ by: 'ana', reason: 'a test', ...message }] });
const hint = (handle: WorkflowHandle) => handle.signal<[object]>('statusHint', { source: 'test' });

// They wait for bounds of Temporal in real time, and so wait side by side.
describe.concurrent('a run that a reset started never concludes that nothing was sent', () => {
  test('not when it is cancelled: the payout that the previous run made is found', async ({ stack }) => {
    const code = freshCode();
    const handle = await stack.startPayout(code);
    await stack.working(() => stack.untilStatus(handle, 'claimed'));
    const again = await stack.resetToStart(handle);
    await again.cancel();
    const { timeline } = await stack.working(() => stack.untilStatus(again, 'claimed'));
    expect(timeline.map(({ what }) => what).join()).toContain('This run of the workflow is a reset');
    expect(stack.made(code)).toEqual([code]);
  });

  test(
    'not when the gateway that held the card is gone: the order needs an operator, not a card',
    recordedAs('card-order-reset-without-its-card-store'),
    async ({ stack, sandbox }) => {
      const code = freshCode();
      const cardStore = new CardStore(`card-store-${randomUUID()}`);
      const { card_ref, task_queue } = cardStore.put(testCard);
      const order = { ...cardOrder(code), card: { card_ref, task_queue }, poll_scale: 0.1 };
      const handle = await stack.start('cardOrder', `order-${code}`, order);
      await stack.working(async () => {
        await stack.holdingCards(cardStore, () => stack.untilStatus(handle, 'waiting_payment'));
        await cardStore.close();
        const again = await stack.resetToStart(handle);
        // The gateway's queue is given 30 seconds.
        await vi.waitUntil(async () => {
          const wait = { statuses: ['submission_unknown', 'awaiting_card'], timeout_seconds: 30 };
          await again.executeUpdate('awaitStatus', { args: [wait] });
          return (await again.query<PayoutState>('state')).status !== 'submitting';
        }, waiting);
        expect(await again.query<PayoutState>('state')).toMatchObject({
          status: 'submission_unknown',
          attention: 'submission_unknown',
        });
      });
      expect(sandbox.ledger(code).orders).toMatchObject([{ times_submitted: 1 }]);
    },
  );
});

describe('a payout that is reset to its start', () => {
  test(
    'follows the attempt that was made before, which a retry would make again',
    recordedAs('payout-made-before-a-reset'),
    async ({ stack, sandbox }) => {
      const code = freshCode();
      const handle = await stack.startPayout(code, '422');
      await stack.working(async () => {
        await stack.untilStatus(handle, 'rejected');
        await command(handle, 'retryPayout', { corrections: { pix: 'right@example.com' } });
        await stack.untilStatus(handle, 'claimed');
        sandbox.setPayoutStatus(`${code}-r2`, 'done');
        const done = await stack.untilStatus(await stack.resetToStart(handle), 'done');
        expect(done.attempts).toMatchObject([{ status: 'not_paid' }, { number: 2, status: 'done' }]);
      });
      expect(stack.made(code)).toEqual([`${code}-r2`]);
    },
  );

  test('finds its third attempt, and sends none in the middle again', async ({ stack, sandbox }) => {
    const code = freshCode();
    const handle = await stack.startPayout(code, '422');
    await stack.working(async () => {
      await stack.untilStatus(handle, 'rejected');
      await command(handle, 'retryPayout', { corrections: { pix: 'sandbox+422@example.com' } });
      await stack.untilStatus(handle, 'rejected');
      await command(handle, 'retryPayout', { attempt: 2, corrections: { pix: 'right@example.com' } });
      await stack.untilStatus(handle, 'claimed');
      sandbox.setPayoutStatus(`${code}-r3`, 'done');
      const again = await stack.resetToStart(handle);
      const done = await stack.untilStatus(again, 'done');
      expect(done.attempts.at(-1)).toMatchObject({ number: 3, status: 'done' });
      expect(await command(again, 'retryPayout').catch(refusalOf)).toBe('NotParked');
    });
    expect(stack.made(code)).toEqual([`${code}-r3`]);
  });
});

describe('a retry that a reset brings back', () => {
  test('does not pay again', recordedAs('payout-retried-and-reset'), async ({ stack }) => {
    await retryAndReset(stack, 0);
  });

  test('does not pay again when the reset run is so long at once that it continues as new', async ({
    stack,
  }) => {
    await retryAndReset(stack, 170);
  });

  async function retryAndReset(stack: ResettableStack, postbacks: number): Promise<void> {
    const code = freshCode();
    const handle = await stack.startPayout(code);
    await stack.working(async () => {
      await stack.untilStatus(handle, 'claimed');
      stack.sandbox.setPayoutStatus(code, 'error');
      await stack.untilStatus(handle, 'error');
      // One task more, to which the reset goes back: there it is failed already.
      await stack.untilStatus(handle, 'error');
    });
    const postback = { received_at: new Date().toISOString(), content_type: null, body: '' };
    for (let sent = 0; sent < postbacks; sent += 1) await handle.signal('postbackReceived', postback);
    await handle.signal('retryPayout', { by: 'ana', reason: 'a test' });
    await stack.working(async () => {
      await stack.untilStatus(stack.current(handle), 'claimed');
      const again = await stack.resetToBefore(handle, postbacks > 0 ? 'postbackReceived' : 'retryPayout');
      const state = await stack.untilStatus(again, 'claimed');
      expect(state.attempts).toHaveLength(2);
    });
    expect(stack.made(code)).toEqual([code, `${code}-r2`]);
  }
});

type Before = 'statusHint' | 'postbackReceived';

/** A payout whose second attempt is done. Before a hint its first was under way, before a postback it had failed. */
async function secondDone(stack: ResettableStack, code: string, before: Before) {
  // Before a postback nothing is read but on a hint.
  const handle = await stack.startPayout(code, '', before === 'postbackReceived' ? {} : undefined);
  await stack.untilStatus(handle, 'claimed');
  await stack.untilStatus(handle, 'claimed');
  if (before === 'statusHint') await hint(handle);
  stack.sandbox.setPayoutStatus(code, 'error');
  if (before === 'postbackReceived') await hint(handle);
  await stack.untilStatus(handle, 'error');
  if (before === 'postbackReceived') await handle.signal(before);
  await command(handle, 'retryPayout');
  await stack.untilStatus(handle, 'claimed');
  stack.sandbox.setPayoutStatus(`${code}-r2`, 'done');
  await hint(handle);
  await stack.untilStatus(handle, 'done');
  return handle;
}

test.for([
  ['shown as failed', undefined],
  ['retried', 'retryPayout'],
  ['abandoned', 'abandonPayout'],
] as const)(
  'a payout that is reset to its first attempt finds the second, which is done, before it is %s',
  async ([, name], { stack }) => {
    const code = freshCode();
    await stack.working(async () => {
      const handle = await secondDone(stack, code, 'statusHint');
      const again = await stack.resetToBefore(handle, 'statusHint', false);
      if (name !== undefined) {
        expect(await command(again, name).catch(refusalOf)).toMatch(/^(AlreadyMoving|NotParked)$/);
      }
      const done = await stack.untilStatus(again, 'done');
      expect(done).toMatchObject({ attention: null, cause: null, attempts: [{}, { status: 'done' }] });
      expect(done.timeline.map(({ what }) => what).join()).not.toContain('payout_failed');
    });
    expect(stack.made(code)).toEqual([code, `${code}-r2`]);
  },
);

// Which commands look for it is shown by `after-a-reset.test.ts`.
test('a reset run that continues as new before it has read anything still finds the second attempt before it is abandoned', async ({
  stack,
}) => {
  const code = freshCode();
  const handle = await stack.working(() => secondDone(stack, code, 'postbackReceived'));
  const again = await stack.resetToBefore(handle, 'postbackReceived', false);
  const { runId } = await again.describe();
  // A signal that is not usable adds to the history and has nothing read.
  const unusable = () => again.signal('retryPayout', { by: 7 });
  for (let sent = 0; sent < 170; sent += 1) await unusable();
  await stack.working(async () => {
    await stack.untilNextRun(again, runId, unusable);
    expect(await command(again, 'abandonPayout').catch(refusalOf)).toMatch(/^(AlreadyMoving|NotParked)$/);
  });
  expect(stack.made(code)).toEqual([code, `${code}-r2`]);
});
