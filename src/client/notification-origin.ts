import { keptNotification } from '../contract/http/notifications.js';
import { paymentNotification } from '../contract/notify.js';
import { isPaymentWorkflowId } from '../domain/ids.js';
import { workflowTypes } from '../domain/kinds.js';
import { paymentRuns } from './notification-history.js';
import type { TemporalCalls } from './temporal-calls.js';

const types: readonly string[] = Object.values(workflowTypes);
const asWritten = keptNotification.omit({ delivery: true });

/**
 * Whether the history of the payment that a notification names shows that it had it, word for word, for this webhook.
 * What other workflows were given to deliver proves nothing.
 *
 * @throws TemporalUnavailableError; an Error when a payload can't be decoded
 */
export async function isOfPayment(
  calls: TemporalCalls,
  webhook: string,
  notification: unknown,
): Promise<boolean> {
  const { data } = paymentNotification.safeParse(notification);
  if (data === undefined || !isPaymentWorkflowId(data.payment.workflow_id)) return false;
  const wanted = JSON.stringify(asWritten.parse({ ...data, webhook }));
  const runs = await paymentRuns(calls, data.payment.workflow_id);
  const own = runs.filter(({ workflowType }) => types.includes(workflowType));
  return own
    .flatMap(({ handedOver, sent }) => [...sent.values(), ...handedOver])
    .some((each) => JSON.stringify(asWritten.parse(each)) === wanted);
}
