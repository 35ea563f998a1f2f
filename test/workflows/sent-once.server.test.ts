import { describe, expect, vi } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import { recordedAs } from '../support/keep-histories.js';
import { payAndDie } from '../support/pay-and-die.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';
import { waiting } from '../support/waiting.js';

describe('an operator who has Temporal run a creating activity again', () => {
  test('by resetting the activity does not pay twice: the second dispatch sends nothing and scans', async ({
    stack,
  }) => {
    const code = freshCode();
    const handle = await stack.startPayout(code);
    const execution = { workflowId: handle.workflowId };
    const { server } = stack;
    const { workflowService } = server.connection;

    const task = await payAndDie(stack, code);
    await workflowService.pauseActivity({
      namespace: server.namespace,
      execution,
      id: task.activityId,
      reason: 'test',
    });
    await workflowService.respondActivityTaskFailed({
      namespace: server.namespace,
      taskToken: task.taskToken,
      failure: { message: 'the worker died', applicationFailureInfo: {} },
    });

    await workflowService.resetActivity({ namespace: server.namespace, execution, id: task.activityId });

    const state = await stack.working(() => stack.untilStatus(handle, 'claimed'));
    expect(state.timeline.map(({ what }) => what).join('\n')).toContain('was dispatched before');
    expect(stack.made(code)).toHaveLength(1);
  });

  test('by resetting the workflow does not pay twice, and finds the payout that the previous run made', async ({
    stack,
  }) => {
    const code = freshCode();
    const handle = await stack.startPayout(code);
    await stack.working(async () => {
      await stack.untilStatus(handle, 'claimed');
      const again = await stack.resetToStart(handle);
      const state = await stack.untilStatus(again, 'claimed');
      expect(state.timeline.map(({ what }) => what).join('\n')).toContain(
        'This run of the workflow is a reset',
      );
    });
    expect(stack.made(code)).toHaveLength(1);
  });

  test('by resetting the workflow sends nothing on an empty scan either, until an operator has decided', async ({
    stack,
  }) => {
    const code = freshCode();
    const handle = await stack.startPayout(code, '422');
    await stack.working(async () => {
      await stack.untilStatus(handle, 'rejected');
      const again = await stack.resetToStart(handle);
      await stack.untilStatus(again, 'submission_unknown');
      expect(stack.made(code)).toHaveLength(0);
      await again.executeUpdate('resolveSubmission', {
        args: [{ nothing_happened: true, by: 'ana', reason: 'a test' }],
      });
      await again.executeUpdate('retryPayout', {
        args: [{ corrections: { pix: 'right@example.com' }, by: 'ana', reason: 'a test' }],
      });
      const state = await stack.untilStatus(again, 'claimed');
      expect(state.attempts.map(({ status }) => status)).toEqual(['not_paid', 'claimed']);
    });
    expect(stack.made(code)).toEqual([`${code}-r2`]);
  });
});

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

describe('the cost of a payout', () => {
  test('to done with one postback is about 20 events', async ({ stack, sandbox }) => {
    const code = freshCode();
    const handle = await stack.start('payout', `payout-${code}`, pixPayout(code, '', { watch_days: 0 }));
    await stack.working(async () => {
      await sandbox.until((ledger) => ledger.payouts.some(({ partner_code: sent }) => sent === code));
      sandbox.setPayoutStatus(code, 'done');
      const status = async () => (await handle.query<PayoutState>('state')).status;
      await vi.waitUntil(async () => (await status()) !== 'submitting', waiting);
      await handle.signal('postbackReceived', {
        received_at: new Date().toISOString(),
        content_type: null,
        body: '',
      });
      await handle.result();
    });
    const { events } = await handle.fetchHistory();
    expect(events?.length).toBeLessThanOrEqual(26);
  });
});
