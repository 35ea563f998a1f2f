import { log } from '@temporalio/workflow';
import type { NotificationInput } from '../src/contract/notify.js';
import { Notifier } from './shared/notifier.js';

/** Delivers what a payment could not deliver before it closed, or what is resent: in order, for days if need be. */
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
