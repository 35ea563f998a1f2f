import { randomUUID } from 'node:crypto';
import { describe, expect, vi } from 'vitest';
import { CardStore } from '../../src/card-store/card-store.js';
import type { PayoutState } from '../../src/contract/state.js';
import { recordedAs } from '../support/keep-histories.js';
import { cardOrder, freshCode, testCard, transferPayout } from '../support/requests.js';
import { test } from '../support/resets.js';
import { longTests, waiting } from '../support/waiting.js';

vi.setConfig(longTests);

// They wait for bounds of Temporal in real time, and so wait side by side.
describe.concurrent('a run that a reset started never concludes that nothing was sent', () => {
  test('not when it is cancelled: the payout that the previous run made is found', async ({ stack }) => {
    const code = freshCode();
    const handle = await stack.startPayout(code);
    await stack.working(() => stack.untilStatus(handle, 'claimed'));
    const again = await stack.resetToStart(handle);
    await again.cancel();
    await stack.working(() => stack.untilStatus(again, 'claimed'));
    const { timeline } = await stack.working(() => again.query<PayoutState>('state'));
    expect(timeline.map(({ what }) => what).join()).toContain('This run of the workflow is a reset');
    expect(stack.made(code)).toEqual([code]);
  });

  test('not when the validation of its account is not answered again', async ({ stack, sandbox }) => {
    const code = freshCode();
    sandbox.fault({
      endpoint: 'POST /v1/account/validate',
      partner_code: code,
      fault: { status: 200, body: { id: '77', valid: true } },
    });
    const handle = await stack.start(
      'payout',
      `payout-${code}`,
      transferPayout(code, { validate_account: true, poll_scale: 0.000_05 }),
    );
    await stack.working(async () => {
      await stack.untilStatus(handle, 'claimed');
      await stack.untilStatus(await stack.resetToStart(handle), 'claimed');
    });
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

describe('an attempt that was made before a reset', () => {
  test(
    'is found before a retry in the fresh run would make it again, and followed',
    recordedAs('payout-made-before-a-reset'),
    async ({ stack, sandbox }) => {
      const code = freshCode();
      const handle = await stack.startPayout(code, '422');
      const retry: { args: [object] } = {
        args: [{ corrections: { pix: 'right@example.com' }, by: 'ana', reason: 'wrong key' }],
      };
      await stack.working(async () => {
        await stack.untilStatus(handle, 'rejected');
        await handle.executeUpdate('retryPayout', retry);
        await stack.untilStatus(handle, 'claimed');
        sandbox.setPayoutStatus(`${code}-r2`, 'done');

        const again = await stack.resetToStart(handle);
        const done = await stack.untilStatus(again, 'done');
        expect(done.attempts).toMatchObject([{ status: 'not_paid' }, { number: 2, status: 'done' }]);
      });
      expect(stack.made(code)).toEqual([`${code}-r2`]);
    },
  );
});
