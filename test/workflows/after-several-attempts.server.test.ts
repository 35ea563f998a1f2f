import type { WorkflowHandle } from '@temporalio/client';
import { describe, expect } from 'vitest';
import type { OrderState, PayoutState } from '../../src/contract/state.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode, threeDSecureOrder } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';

const command = (handle: WorkflowHandle, name: string, message: object = {}) =>
  handle.executeUpdate<PayoutState, [object]>(name, { args: [{ by: 'ana', reason: 'a test', ...message }] });

/** A payout whose second attempt is done, reset to a moment at which its first one was under way. */
async function resetFromSecondAttempt(stack: ResettableStack, code: string): Promise<WorkflowHandle> {
  const handle = await stack.startPayout(code);
  await stack.untilStatus(handle, 'claimed');
  await stack.untilStatus(handle, 'claimed');
  await handle.signal('statusHint', { source: 'test' });
  stack.sandbox.setPayoutStatus(code, 'error');
  await stack.untilStatus(handle, 'error');
  await command(handle, 'retryPayout', { by: 'ana' });
  await stack.untilStatus(handle, 'claimed');
  stack.sandbox.setPayoutStatus(`${code}-r2`, 'done');
  await handle.signal('statusHint', { source: 'test' });
  await stack.untilStatus(handle, 'done');
  return stack.resetToBeforeWithout(handle, 'statusHint');
}

describe('a payout that is reset after several attempts', () => {
  test('to its start finds the third, and sends none again', async ({ stack, sandbox }) => {
    const code = freshCode();
    await stack.working(async () => {
      const handle = await stack.startPayout(code, '422');
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

  test('to its first attempt never shows it as failed: the first read looks for all attempts', async ({
    stack,
  }) => {
    const code = freshCode();
    await stack.working(async () => {
      const again = await resetFromSecondAttempt(stack, code);
      const done = await stack.untilStatus(again, 'done');
      expect(done).toMatchObject({ attention: null, cause: null, attempts: [{}, { status: 'done' }] });
      expect(done.timeline.map(({ what }) => what).join()).not.toContain('payout_failed');
    });
    expect(stack.made(code)).toEqual([code, `${code}-r2`]);
  });

  test('to its first attempt finds the second before it is retried', async ({ stack }) => {
    const code = freshCode();
    await stack.working(async () => {
      const again = await resetFromSecondAttempt(stack, code);
      expect(await command(again, 'retryPayout').catch(refusalOf)).toMatch(/^(AlreadyMoving|NotParked)$/);
      await stack.untilStatus(stack.current(again), 'done');
    });
    expect(stack.made(code)).toEqual([code, `${code}-r2`]);
  });

  test('to its first attempt finds the second before it is abandoned', async ({ stack }) => {
    const code = freshCode();
    await stack.working(async () => {
      const again = await resetFromSecondAttempt(stack, code);
      const abandoned = await command(again, 'abandonPayout', { by: 'rui' }).catch(refusalOf);
      expect(abandoned).toMatch(/^(AlreadyMoving|NotParked)$/);
      const done = await stack.untilStatus(stack.current(again), 'done');
      expect(done).toMatchObject({ attention: null, cause: null });
    });
    expect(stack.made(code)).toEqual([code, `${code}-r2`]);
  });

  test('to its first attempt, and then continued as new, still finds the second before it is retried', async ({
    stack,
  }) => {
    const code = freshCode();
    await stack.working(async () => {
      const again = await resetFromSecondAttempt(stack, code);
      const { runId } = await stack.current(again).describe();
      const hint = () => stack.current(again).signal('statusHint', { source: 'test' });
      await stack.untilNextRun(again, runId, hint);
      await command(stack.current(again), 'retryPayout', { attempt: 1 }).catch(refusalOf);
      await stack.untilStatus(stack.current(again), 'done');
    });
    expect(stack.made(code)).toEqual([code, `${code}-r2`]);
  });
});

describe('a reset run that continues as new before it has read anything', () => {
  /** The run that continues it: its first attempt failed, and of the second, which is done, it knows nothing. */
  async function continued(stack: ResettableStack, code: string): Promise<WorkflowHandle> {
    const handle = await stack.startPayout(code, '', {});
    const current = stack.current(handle);
    const hint = () => current.signal('statusHint', { source: 'test' });
    await stack.working(async () => {
      await stack.untilStatus(handle, 'claimed');
      stack.sandbox.setPayoutStatus(code, 'error');
      await hint();
      await stack.untilStatus(handle, 'error');
      await handle.signal('postbackReceived');
      await command(handle, 'retryPayout', { by: 'ana' });
      await stack.untilStatus(handle, 'claimed');
      stack.sandbox.setPayoutStatus(`${code}-r2`, 'done');
      await hint();
      await stack.untilStatus(handle, 'done');
    });
    await stack.resetToBeforeWithout(handle, 'postbackReceived');
    const { runId } = await current.describe();
    // A signal that is not usable adds to the history and has nothing read.
    const unusable = () => current.signal('retryPayout', { by: 7 });
    for (let sent = 0; sent < 170; sent += 1) await unusable();
    await stack.working(async () => {
      await stack.untilNextRun(current, runId, unusable);
    });
    return current;
  }

  test('still looks for all attempts with the first read after that', async ({ stack }) => {
    const code = freshCode();
    const payout = await continued(stack, code);
    await payout.signal('statusHint', { source: 'test' });
    const done = await stack.working(() => stack.untilStatus(payout, 'done'));
    expect(done).toMatchObject({ status: 'done', attention: null, attempts: [{}, { status: 'done' }] });
    expect(stack.made(code)).toEqual([code, `${code}-r2`]);
  });

  test('still looks for all attempts before it is abandoned', async ({ stack }) => {
    const code = freshCode();
    const payout = await continued(stack, code);
    const abandoned = stack.working(() => command(payout, 'abandonPayout', { by: 'rui' }));
    expect(await abandoned.catch(refusalOf)).toMatch(/^(AlreadyMoving|NotParked)$/);
    expect(stack.made(code)).toEqual([code, `${code}-r2`]);
  });
});

test('a deadline counts from the start of a payment, not of the run that continues it', async ({ stack }) => {
  const code = freshCode();
  await stack.working(async () => {
    const handle = await stack.start('threeDSecureOrder', `order-${code}`, threeDSecureOrder(code));
    await stack.untilStatus(handle, 'awaiting_authentication');
    const { authentication } = await handle.query<OrderState>('state');
    const first = (await handle.describe()).runId;
    const current = stack.current(handle);
    await stack.untilNextRun(current, first, () => current.signal('statusHint', { source: 'test' }));
    const continued = await current.query<OrderState>('state');
    expect(continued).toMatchObject({ status: 'awaiting_authentication', authentication });
  });
});
