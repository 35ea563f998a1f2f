import { log } from '@temporalio/workflow';
import type { Notify, PaymentNotification } from '../src/contract/notify.js';
import { Notifier } from './shared/notifier.js';

/** What a payment that has closed had not yet told. */
export type NotificationInput = { notify: Notify; notifications: PaymentNotification[] };

/** Tells the OMS what a payment could not tell before it closed: in order, for days if need be. */
export async function notification({ notify, notifications }: NotificationInput): Promise<void> {
  const carried = { count: notifications.length, waiting: notifications };
  const notifier = new Notifier(notify, (what) => log.warn(what), carried);
  await notifier.tell();
}
