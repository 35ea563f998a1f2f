import { z } from 'zod';
import { keptNotification } from '../contract/http/notifications.js';
import { paymentNotification } from '../contract/notify.js';
import { isPaymentWorkflowId } from '../domain/ids.js';
import { workflowTypes } from '../domain/kinds.js';
import { paymentRuns } from './notification-runs.js';
import type { TemporalCalls } from './temporal-calls.js';

const types: readonly string[] = Object.values(workflowTypes);
const asWritten = keptNotification.omit({ delivery: true });

/**
 * Whether the history of the one payment that these notifications name shows that it had each of them, word for word,
 * for this webhook. What other workflows were given to deliver proves nothing.
 *
 * @throws TemporalUnavailableError; an Error when a payload can't be decoded
 */
export async function areOfPayment(
  calls: TemporalCalls,
  webhook: string,
  notifications: unknown,
): Promise<boolean> {
  const wanted = z.array(paymentNotification).safeParse(notifications).data ?? [];
  const [workflowId, ...others] = new Set(wanted.map(({ payment }) => payment.workflow_id));
  if (workflowId === undefined || others.length > 0 || !isPaymentWorkflowId(workflowId)) return false;
  const runs = await paymentRuns(calls, workflowId);
  const own = runs.filter(({ workflowType }) => types.includes(workflowType));
  const had = new Set(
    own
      .flatMap(({ handedOver, sent }) => [...sent.values(), ...handedOver])
      .map((each) => JSON.stringify(asWritten.parse(each))),
  );
  return wanted.every((each) => had.has(JSON.stringify(asWritten.parse({ ...each, webhook }))));
}
