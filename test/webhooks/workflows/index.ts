import { condition, continueAsNew, defineQuery, defineSignal, setHandler } from '@temporalio/workflow';
import type { Notify } from '../../../src/contract/notify.js';
import { Notifier, type NotifierCarry } from '../../../workflows/shared/notifier.js';

/** What happens next: a change to tell, a run of its own to go on in, or the end. */
export type Step = { status: string } | 'continue as new' | 'close';

export const waitingQuery = defineQuery<number>('waiting');
export const stepSignal = defineSignal<[Step]>('step');

/** As little of a payment as can tell of its changes. */
export async function teller(notify: Notify, carried?: NotifierCarry): Promise<void> {
  const notifier = new Notifier(notify, () => undefined, carried);
  const steps: Step[] = [];
  setHandler(stepSignal, (step) => {
    steps.push(step);
  });
  setHandler(waitingQuery, () => notifier.carry().waiting.length);
  for (;;) {
    void notifier.tell();
    await condition(() => steps.length > 0);
    const step = steps.shift();
    if (step === 'continue as new') await continueAsNew<typeof teller>(notify, notifier.carry());
    else if (step === 'close') return notifier.handOver();
    else if (step !== undefined) notifier.add('payment.status_changed', paymentThatIs(step.status));
  }
}

export { notification } from '../../../workflows/notification.js';

function paymentThatIs(status: string) {
  return {
    kind: 'payout',
    partner_code: 'p1',
    workflow_id: 'payout-p1',
    service_id: null,
    status,
    attention: null,
    value: 1,
  } as const;
}
