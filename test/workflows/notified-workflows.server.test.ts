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
});

/** The signals that a workflow has sent to others. */
async function signalsOf(stack: TestStack, payment: Pick<Payment<unknown>, 'workflowId'>) {
  const { events } = await stack.handleOf(payment).fetchHistory();
  return (events ?? []).flatMap(
    ({ signalExternalWorkflowExecutionInitiatedEventAttributes: signal }) => signal ?? [],
  );
}
