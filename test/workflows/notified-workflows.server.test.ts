import { expect } from 'vitest';
import { test } from '../support/lifecycles/notifications.js';
import { statusIs } from '../support/payment.js';
import { freshCode } from '../support/requests.js';

test.for([
  [
    'that is not there is signalled each change, and the payout, which an SDK has started, goes on and says that it was not notified',
    'oms-1',
    ['paymentChanged', 'paymentChanged'],
    'The OMS was not notified',
  ],
  [
    'that NOTIFY_WORKFLOWS does not name gets no signal from a payout that an SDK has started, which goes on and says so',
    'crm-1',
    [],
    'NOTIFY_WORKFLOWS',
  ],
] as const)('a workflow %s', async ([, workflow_id, expected, words], { oms, sandbox, stack }) => {
  const code = freshCode();
  const payout = await oms.start(code, { notify: { workflow_id, signal: 'paymentChanged' } });
  await payout.until(statusIs('claimed'));
  sandbox.setPayoutStatus(code, 'done');
  const { timeline } = await payout.until(statusIs('done'));
  expect(timeline.filter(({ what }) => what.includes(words))).not.toEqual([]);
  const { events } = await stack.handleOf(payout).fetchHistory();
  const signals = (events ?? []).flatMap(
    ({ signalExternalWorkflowExecutionInitiatedEventAttributes: signal }) => signal ?? [],
  );
  expect(signals.map(({ signalName }) => signalName)).toEqual(expected);
  for (const { workflowExecution } of signals) expect(workflowExecution?.workflowId).toBe(workflow_id);
});
