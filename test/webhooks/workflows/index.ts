import {
  condition,
  continueAsNew,
  defineSignal,
  executeChild,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Notify } from '../../../src/contract/notify.js';
import {
  NotificationQueue,
  type NotificationQueueSnapshot,
} from '../../../workflows/shared/notification-queue.js';
import { handOver, Notifier } from '../../../workflows/shared/notifier.js';

/** What happens next: a change to notify of, a run of its own to go on in, or the end. */
export type Step = { status: string } | 'continue as new' | 'close';

export const stepSignal = defineSignal<[Step]>('step');

/** As little of a payment as can notify of its changes. */
export async function teller(notify: Notify, snapshot?: NotificationQueueSnapshot): Promise<void> {
  const queue = new NotificationQueue(notify, workflowInfo().runId, snapshot);
  const notifier = new Notifier(queue, () => undefined);
  const steps: Step[] = [];
  setHandler(stepSignal, (step) => {
    steps.push(step);
  });
  if (snapshot === undefined) queue.update(paymentThatIs('submitting'), new Date().toISOString());
  for (;;) {
    void notifier.deliver();
    await condition(() => steps.length > 0);
    const step = steps.shift();
    if (step === 'continue as new') await continueAsNew<typeof teller>(notify, queue.data);
    else if (step === 'close') return handOver(notify, queue.takeAll());
    else if (step !== undefined) queue.update(paymentThatIs(step.status), new Date().toISOString());
  }
}

/** Hands over what it has not to say: notifications of another payment. */
export async function impostor(notify: Notify): Promise<void> {
  const queue = new NotificationQueue(notify, workflowInfo().runId);
  for (const status of ['submitting', 'done'])
    queue.update({ ...paymentThatIs(status), workflow_id: 'payout-p1' }, new Date().toISOString());
  await executeChild('notification', { args: [{ notify, notifications: queue.takeAll() }] });
}

export { notification } from '../../../workflows/notification.js';

function paymentThatIs(status: string) {
  return {
    kind: 'payout',
    partner_code: 'p1',
    workflow_id: workflowInfo().workflowId,
    started_by: null,
    service_id: null,
    status,
    attention: null,
    value: 1,
    attempt: 1,
    cause: null,
  } as const;
}
