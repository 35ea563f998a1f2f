import { describe, expect } from 'vitest';
import { test } from '../support/lifecycles/notifications.js';
import { statusIs, type Payment } from '../support/payment.js';
import { freshCode } from '../support/requests.js';
import type { TestStack } from '../support/test-stack.js';

describe('an OMS with a workflow', () => {
  test('that is not there is noted, and the payment goes on', async ({ oms, sandbox }) => {
    const code = freshCode();
    const payout = await oms.start(code, { notify: { workflow_id: 'oms-nobody', signal: 'paymentChanged' } });
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'done');
    const done = await payout.until(statusIs('done'));
    expect(done.timeline.filter(({ what }) => what.includes('The OMS was not notified'))).not.toEqual([]);
  });

  test('is sent each change as a signal', async ({ oms, sandbox, stack }) => {
    const code = freshCode();
    const payout = await oms.start(code, { notify: { workflow_id: 'oms-1', signal: 'paymentChanged' } });
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'done');
    await payout.until(statusIs('done'));
    const signals = await signalsOf(stack, payout);
    expect(signals.map(({ workflowExecution }) => workflowExecution?.workflowId)).toEqual(['oms-1', 'oms-1']);
    expect(signals.map(({ signalName }) => signalName)).toEqual(['paymentChanged', 'paymentChanged']);
  });

  test.for(['retryPayout', 'postbackReceived', 'statusHint', '__x'])(
    'can not be a payment that is commanded by %s',
    async (signal, { oms }) => {
      const code = freshCode();
      const payout = await oms.start(code, { notify: { workflow_id: 'payout-x', signal } });
      expect(await payout.result()).toMatchObject({ attention: 'invalid_input' });
    },
  );
});

describe('a workflow that NOTIFY_WORKFLOWS does not name', () => {
  test('gets no signal from a payment that an SDK started, which goes on and says so', async ({
    oms,
    sandbox,
    stack,
  }) => {
    const code = freshCode();
    const payout = await oms.start(code, { notify: { workflow_id: 'crm-1', signal: 'paymentChanged' } });
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'done');
    const { timeline } = await payout.until(statusIs('done'));
    expect(timeline.filter(({ what }) => what.includes('NOTIFY_WORKFLOWS'))).not.toEqual([]);
    expect(await signalsOf(stack, payout)).toEqual([]);
  });

  test.for(['payout-x', 'temporal-sys-scheduler:payout-reconciliation', 'token-renewal-1', 'crm-1'])(
    'gets none either from the workflow `notification` that an SDK has started, for %s',
    async (workflowId, { oms, stack }) => {
      const code = freshCode();
      const payout = await oms.start(code);
      await payout.until(statusIs('claimed'));
      await oms.untilReceived(payout, code, 1, '1 second');
      const notifications = oms.received(code).map(({ notification }) => notification);
      const notify = { workflow_id: workflowId, signal: 'retryPayout' };
      const handedOver = await stack.start('notification', `notification-${code}`, { notify, notifications });
      await expect(handedOver.result('1 second')).rejects.toThrow();
      expect(await signalsOf(stack, handedOver)).toEqual([]);
    },
  );
});

/** The signals that a workflow has sent to others. */
async function signalsOf(stack: TestStack, payment: Pick<Payment<unknown>, 'workflowId'>) {
  const { events } = await stack.handleOf(payment).fetchHistory();
  return (events ?? []).flatMap(
    ({ signalExternalWorkflowExecutionInitiatedEventAttributes: signal }) => signal ?? [],
  );
}
