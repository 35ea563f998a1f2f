import { describe, expect } from 'vitest';
import { recordedAs } from '../support/keep-histories.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';

describe('a retry that a reset brings back', () => {
  test('does not pay again', recordedAs('payout-retried-and-reset'), async ({ stack }) => {
    const code = freshCode();
    await retryAndReset(stack, code, 0);
    expect(stack.made(code)).toEqual([code, `${code}-r2`]);
  });

  test('does not pay again when the reset run is so long at once that it continues as new', async ({
    stack,
  }) => {
    const code = freshCode();
    await retryAndReset(stack, code, 170);
    expect(stack.made(code)).toEqual([code, `${code}-r2`]);
  });

  async function retryAndReset(stack: ResettableStack, code: string, postbacks: number): Promise<void> {
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
  }
});

describe('a payment with a long history', () => {
  test(
    'continues as new under its id with everything it knew, while postbacks keep coming',
    recordedAs('payout-continued-as-new'),
    async ({ stack, sandbox }) => {
      const code = freshCode();
      const handle = await stack.startPayout(code);
      await stack.working(async () => {
        await stack.untilStatus(handle, 'claimed');
        const first = (await handle.describe()).runId;
        const current = stack.current(handle);
        const postback = { received_at: new Date().toISOString(), content_type: null, body: '{}' };
        await stack.untilNextRun(current, first, () => current.signal('postbackReceived', postback));
        sandbox.setPayoutStatus(code, 'done');
        await current.signal('postbackReceived', postback);
        const done = await stack.untilStatus(current, 'done');
        expect(done.attempts).toMatchObject([{ number: 1, partner_code: code, status: 'done' }]);
      });
      expect(stack.made(code)).toHaveLength(1);
    },
  );
});

describe('a payment that many wait for, and that does nothing meanwhile', () => {
  test('answers all of them, and the operator after them: it continues as new before its Updates are used up', async ({
    stack,
  }) => {
    const code = freshCode();
    const handle = await stack.start('payout', `payout-${code}`, pixPayout(code));
    const current = stack.current(handle);
    await stack.working(async () => {
      await stack.untilStatus(current, 'claimed');
      for (let asked = 0; asked < 130; asked += 1) await stack.untilStatus(current, 'claimed');
    });
    const { runId } = await current.describe();
    expect(runId).not.toBe(handle.firstExecutionRunId);
    expect(stack.made(code)).toHaveLength(1);
  });
});
