import { isGrpcServiceError } from '@temporalio/client';
import {
  TypedSearchAttributes,
  WorkflowExecutionAlreadyStartedError,
  defineSearchAttributeKey,
} from '@temporalio/common';
import type { KeptNotification } from '../contract/http/notifications.js';
import type { NotificationInput } from '../contract/notify.js';
import type { WebhookResendInput } from '../contract/webhook-resend.js';
import { resentNotificationsId } from '../domain/ids.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { readNotifications } from './notification-history.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

/** How many notifications of a payment are sent again, and how many were still on their way. */
export type Resent = { resent: number; waiting: number };

/** gRPC: nothing waits any more, it does not wait for its next attempt, or the server has no such call. */
const nothingToHasten: readonly number[] = [5, 9, 12];

/**
 * Sends notifications of one payment again, in their order, by a workflow of their own; one that still waits for its
 * next attempt is tried at once. The payment itself notices nothing.
 *
 * @throws TemporalUnavailableError; an Error when a payload can't be decoded
 */
export async function resendNotifications(
  calls: TemporalCalls,
  taskQueue: string,
  request: WebhookResendInput,
  workflowId: string,
): Promise<Resent> {
  const { notifications, waitingIn } = await readNotifications(calls, workflowId);
  for (const id of waitingIn) await hasten(calls, id);
  const meant = notifications.filter((each) => isMeant(each, request));
  const again = meant.filter(({ delivery }) => delivery !== 'waiting');
  return {
    resent: (await sendAgain(calls, taskQueue, request.resend_id, workflowId, again)) ? again.length : 0,
    waiting: meant.length - again.length,
  };
}

function isMeant(
  { at, delivery, sequence, webhook }: KeptNotification,
  request: WebhookResendInput,
): boolean {
  const { seen_after: after, seen_before: before, sequence_from: from = 1, sequence_to: to } = request;
  return (
    sequence >= from &&
    (to === undefined || sequence <= to) &&
    (after === undefined || Date.parse(at) >= Date.parse(after)) &&
    (before === undefined || Date.parse(at) < Date.parse(before)) &&
    (request.webhook === undefined || webhook === request.webhook) &&
    !(request.undelivered === true && delivery === 'delivered')
  );
}

/** False when there is nothing to send, or this resend has sent it before. */
async function sendAgain(
  calls: TemporalCalls,
  taskQueue: string,
  resendId: string,
  workflowId: string,
  again: readonly KeptNotification[],
): Promise<boolean> {
  const [first] = again;
  if (first === undefined) return false;
  const notifications = again.map(({ delivery: _, webhook: __, ...each }) => ({
    ...each,
    resent: true as const,
  }));
  const input: NotificationInput = { notify: { webhook: first.webhook }, notifications };
  const { name, type } = searchAttributes.PaymentPartnerCode;
  try {
    await callTemporal(calls, () =>
      calls.client.workflow.start('notification', {
        workflowId: resentNotificationsId(resendId, workflowId),
        taskQueue,
        args: [input],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
        staticSummary: `Notifications of ${workflowId} that are sent again`,
        typedSearchAttributes: new TypedSearchAttributes([
          { key: defineSearchAttributeKey(name, type), value: first.payment.partner_code },
        ]),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/**
 * Has a delivery that waits for its next attempt made now. By the type of the activity, so that no other activity is
 * ever reset: what moves money is none that this could reach.
 */
async function hasten(calls: TemporalCalls, workflowId: string): Promise<void> {
  const { client } = calls;
  try {
    await callTemporal(calls, () =>
      client.workflowService.resetActivity({
        namespace: client.options.namespace,
        execution: { workflowId },
        type: 'notifyOms',
        keepPaused: true,
      }),
    );
  } catch (error) {
    if (!isGrpcServiceError(error) || !nothingToHasten.includes(Number(error.code))) throw error;
  }
}
