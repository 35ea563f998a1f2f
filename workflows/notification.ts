import { log } from '@temporalio/workflow';
import type { Notify, PaymentNotification } from '../src/contract/notify.js';
import { Notifier } from './shared/notifier.js';

/** What a payment that has closed had not delivered yet. */
export type NotificationInput = { notify: Notify; notifications: PaymentNotification[] };

/** Delivers what a payment could not deliver before it closed: in order, for days if need be. */
export async function notification({ notify, notifications }: NotificationInput): Promise<void> {
  const waiting = [...notifications];
  const queue = {
    to: notify,
    get first() {
      return waiting[0];
    },
    done: () => {
      waiting.shift();
    },
  };
  await new Notifier(queue, ({ sequence }, reason) => {
    log.warn('A notification was given up.', { sequence, reason });
  }).deliver();
}
