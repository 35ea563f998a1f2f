import { randomUUID } from 'node:crypto';
import { describe, expect, vi } from 'vitest';
import { CardStore } from '../../src/card-store/card-store.js';
import type { PayoutState } from '../../src/contract/state.js';
import { recordedAs } from '../support/keep-histories.js';
import { cardOrder, freshCode, testCard } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';
import { longTests, waiting } from '../support/waiting.js';

vi.setConfig(longTests);

// What a reset run looks for before it decides anything: `after-a-reset.test.ts`; resets to each task of a life:
// `test/operators/resets.server.test.ts`.

test(
  'an order that is reset once the gateway that held its card is gone needs an operator, not a card',
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

test(
  'a payout that is reset to its start follows the attempt that was made before, which a retry would make again',
  recordedAs('payout-made-before-a-reset'),
  async ({ stack, sandbox }) => {
    const code = freshCode();
    const handle = await stack.startPayout(code, '422');
    await stack.working(async () => {
      await stack.untilStatus(handle, 'rejected');
      const retry = { by: 'ana', reason: 'a test', corrections: { pix: 'right@example.com' } };
      await handle.executeUpdate('retryPayout', { args: [retry] });
      await stack.untilStatus(handle, 'claimed');
      sandbox.setPayoutStatus(`${code}-r2`, 'done');
      const done = await stack.untilStatus(await stack.resetToStart(handle), 'done');
      expect(done.attempts).toMatchObject([{ status: 'not_paid' }, { number: 2, status: 'done' }]);
    });
    expect(stack.made(code)).toEqual([`${code}-r2`]);
  },
);

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
    await Promise.all(Array.from({ length: postbacks }, () => handle.signal('postbackReceived', postback)));
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
