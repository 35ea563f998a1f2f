import { ApplicationFailure, log, workflowInfo } from '@temporalio/workflow';
import type { NotificationInput } from '../src/contract/notify.js';
import { notifying, notOfPayment } from '../src/domain/notifications.js';
import { asRecord } from '../src/domain/records.js';
import { inBulk } from './shared/activities.js';
import { Notifier } from './shared/notifier.js';

/**
 * Delivers what a payment could not deliver before it closed, or what is resent: in order, for days if need be.
 *
 * @throws ApplicationFailure `NotOfPayment` when something of it is not what its payment has notified of
 */
export async function notification(input: NotificationInput): Promise<void> {
  await requireOrigin(input);
  const waiting = [...input.notifications];
  const queue = {
    to: input.notify,
    get first() {
      return waiting[0];
    },
    done: () => {
      waiting.shift();
    },
  };
  const onGivenUp = ({ sequence }: { sequence: number }, reason: string) => {
    log.warn('A notification was given up.', { sequence, reason });
  };
  await new Notifier(queue, onGivenUp).deliver();
}

/**
 * A payment hands over its own notifications, by starting this as its child. Whatever else starts it, as a resend does,
 * proves nothing: then all is looked up in the history of its payment before any of it is signed, and no workflow is
 * signalled.
 */
async function requireOrigin(input: NotificationInput): Promise<void> {
  const { notifications, notify } = asRecord(input);
  const { parent } = workflowInfo();
  const payments = Array.isArray(notifications) ? notifications.map(paymentIn) : [];
  const isOurs =
    parent === undefined
      ? typeof asRecord(notify).webhook === 'string'
      : payments.every(({ workflow_id: id }) => id === parent.workflowId);
  if (payments.length === 0 || !isOurs || payments.some(({ status }) => typeof status !== 'string'))
    throw refusal();
  if (parent !== undefined || !('webhook' in input.notify)) return;
  const { webhook } = input.notify;
  const { problem } = await checkingOrigin().checkOrigin({ webhook, notifications: input.notifications });
  if (problem !== null) throw refusal();
}

/** Safe to retry, for as long as a delivery is tried: it only reads. */
function checkingOrigin() {
  return inBulk({
    startToCloseTimeout: '10 minutes',
    scheduleToCloseTimeout: notifying.giveUpAfterMs,
    summary: 'look for them in the history of the payment',
  });
}

function paymentIn(notification: unknown): Record<string, unknown> {
  return asRecord(asRecord(notification).payment);
}

function refusal(): ApplicationFailure {
  return ApplicationFailure.nonRetryable(notOfPayment, 'NotOfPayment');
}
