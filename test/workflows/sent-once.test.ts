import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { ownTokens } from '../support/own-tokens.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { startSendingRig, type SendingRig } from '../support/sending-rig.js';

let rig: SendingRig;
beforeAll(async () => {
  rig = await startSendingRig();
});
afterEach(() => rig.finish());
afterAll(() => rig.close());

const made = (code: string) =>
  rig.sandbox.ledger().payouts.filter(({ partner_code: sent }) => sent.startsWith(code));

describe('an operator who has Temporal run a creating activity again', () => {
  test('by resetting the activity does not pay twice: the second dispatch sends nothing and looks', async () => {
    const code = freshCode();
    const taskQueue = `test-${randomUUID()}`;
    const handle = await rig.startPayout(code, taskQueue);
    const execution = { workflowId: handle.workflowId };
    const { server } = rig;
    const { workflowService } = server.connection;

    // A worker that takes the task, pays, and dies before it can tell.
    const task = await rig.withoutActivities(taskQueue, () =>
      workflowService.pollActivityTaskQueue({
        namespace: server.namespace,
        taskQueue: { name: taskQueue },
        identity: 'a worker that will die',
      }),
    );
    const service = createPaymentsService({
      baseUrl: rig.sandbox.url,
      clientId: 'rig',
      clientSecret: 'secret',
    });
    const { token } = await ownTokens(service).current();
    await service.createPixPayout(paymentBySomebody(code), {
      token,
      tokenIsNew: false,
      refusal: () => undefined,
    });
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

    const state = await rig.working(taskQueue, () => rig.untilStatus(handle, 'claimed'));
    expect(state.timeline.map(({ what }) => what).join('\n')).toContain('was dispatched before');
    expect(made(code)).toHaveLength(1);
  });

  test('by resetting the workflow does not pay twice, and finds the payout that the former run made', async () => {
    const code = freshCode();
    const taskQueue = `test-${randomUUID()}`;
    const handle = await rig.startPayout(code, taskQueue);
    await rig.working(taskQueue, async () => {
      await rig.untilStatus(handle, 'claimed');
      const again = await rig.resetToStart(handle);
      const state = await rig.untilStatus(again, 'claimed');
      expect(state.timeline.map(({ what }) => what).join('\n')).toContain(
        'This run of the workflow is a reset',
      );
    });
    expect(made(code)).toHaveLength(1);
  });

  test('by resetting the workflow sends nothing on an empty scan either, until a person has decided', async () => {
    const code = freshCode();
    const taskQueue = `test-${randomUUID()}`;
    const handle = await rig.startPayout(code, taskQueue, '422');
    await rig.working(taskQueue, async () => {
      await rig.untilStatus(handle, 'rejected');
      const again = await rig.resetToStart(handle);
      await rig.untilStatus(again, 'submission_unknown');
      expect(made(code)).toHaveLength(0);
      await again.executeUpdate('resolveSubmission', { args: [{ nothing_happened: true, by: 'ana' }] });
      await again.executeUpdate('retryPayout', { args: [{ corrections: { pix: 'right@example.com' } }] });
      const state = await rig.untilStatus(again, 'claimed');
      expect(state.attempts.map(({ status }) => status)).toEqual(['not_paid', 'claimed']);
    });
    expect(made(code).map(({ partner_code: sent }) => sent)).toEqual([`${code}-r2`]);
  });
});

describe('a retry that a reset brings back', () => {
  test.for([
    ['the reset run goes on', 0],
    ['the reset run is so long at once that it should continue as new', 170],
  ] as const)('does not pay again when %s', async ([, postbacks]) => {
    const code = freshCode();
    const taskQueue = `test-${randomUUID()}`;
    const handle = await rig.startPayout(code, taskQueue);
    await rig.working(taskQueue, async () => {
      await rig.untilStatus(handle, 'claimed');
      rig.sandbox.setPayoutStatus(code, 'error');
      await rig.untilStatus(handle, 'error');
      await rig.untilStatus(handle, 'error'); // One task more, to which the reset goes back: there it is failed already.
    });
    const postback = { received_at: new Date().toISOString(), content_type: null, body: '' };
    for (let sent = 0; sent < postbacks; sent += 1) await handle.signal('postbackReceived', postback);
    await handle.signal('retryPayout');
    await rig.working(taskQueue, async () => {
      const current = rig.server.client.workflow.getHandle(handle.workflowId);
      await rig.untilStatus(current, 'claimed');
      const again = await rig.resetToBefore(handle, postbacks > 0 ? 'postbackReceived' : 'retryPayout');
      const state = await rig.untilStatus(again, 'claimed');
      expect(state.attempts).toHaveLength(2);
    });
    expect(made(code).map(({ partner_code: sent }) => sent)).toEqual([code, `${code}-r2`]);
  });
});

describe('a payment with a long history', () => {
  test('continues as new under its id with everything it knew, while postbacks keep coming', async () => {
    const code = freshCode();
    const taskQueue = `test-${randomUUID()}`;
    const handle = await rig.startPayout(code, taskQueue);
    await rig.working(taskQueue, async () => {
      await rig.untilStatus(handle, 'claimed');
      const first = (await handle.describe()).runId;
      const current = rig.server.client.workflow.getHandle(handle.workflowId);
      const postback = { received_at: new Date().toISOString(), content_type: null, body: '{}' };
      for (let runId = first; runId === first; runId = (await current.describe()).runId) {
        await current.signal('postbackReceived', postback);
      }
      rig.sandbox.setPayoutStatus(code, 'done');
      await current.signal('postbackReceived', postback);
      const done = await rig.untilStatus(current, 'done');
      expect(done.attempts).toMatchObject([{ number: 1, partner_code: code, status: 'done' }]);
    });
    expect(made(code)).toHaveLength(1);
  });
});

describe('a payment that many wait for, and that does nothing meanwhile', () => {
  test('answers all of them, and the operator after them: it continues as new before its Updates are used up', async () => {
    const code = freshCode();
    const taskQueue = `test-${randomUUID()}`;
    const handle = await rig.server.client.workflow.start('payout', {
      workflowId: `payout-${code}`,
      taskQueue,
      args: [pixPayout(code)],
    });
    const current = rig.server.client.workflow.getHandle(handle.workflowId);
    await rig.working(taskQueue, async () => {
      await rig.untilStatus(current, 'claimed');
      for (let asked = 0; asked < 130; asked += 1) await rig.untilStatus(current, 'claimed');
    });
    const { runId } = await current.describe();
    expect(runId).not.toBe(handle.firstExecutionRunId);
    expect(made(code)).toHaveLength(1);
  });
});

describe('the cost of a payout', () => {
  test('to done with one postback is about 20 events', async () => {
    const code = freshCode();
    const taskQueue = `test-${randomUUID()}`;
    const handle = await rig.server.client.workflow.start('payout', {
      workflowId: `payout-${code}`,
      taskQueue,
      args: [pixPayout(code, '', { watch_days: 0 })],
    });
    await rig.working(taskQueue, async () => {
      await rig.sandbox.until((ledger) => ledger.payouts.some(({ partner_code: sent }) => sent === code));
      rig.sandbox.setPayoutStatus(code, 'done');
      while ((await handle.query<PayoutState>('state')).status === 'submitting');
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

/** The request that the activity would have sent. */
function paymentBySomebody(partnerCode: string) {
  return {
    partner_code: partnerCode,
    kind: 'personal',
    first_name: 'Maria',
    last_name: 'Silva',
    document: '52998224725',
    value: 150.25,
    pix: 'maria.silva@example.com',
    notification_url: 'http://127.0.0.1:9/postbacks/x',
  };
}
