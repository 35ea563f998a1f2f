import { randomUUID } from 'node:crypto';
import { card } from './requests.mjs';

const reason = 'torture';
const workflowTaskCompleted = 7;

/** What a plan has an operator do, as a call of the gateway: address and body. Undefined when it does not apply now. */
export function commandOf(action, payment) {
  const { path, plan } = payment;
  const record = payment.latestRecord();
  const nothing = [`${path}/resolve`, { nothing_happened: true, reason }];
  switch (action) {
    case 'retry':
      return [`${path}/retry`, { reason }];
    case 'retry_named': {
      const corrections = { pix: 'other@example.com' };
      return [`${path}/retry`, { attempt: payment.state?.attempts?.length ?? 1, corrections, reason }];
    }
    case 'abandon':
      return [`${path}/abandon`, { reason }];
    case 'resolve_truly':
      return record === undefined ? nothing : [`${path}/resolve`, { service_id: record.id, reason }];
    case 'resolve_as_nothing':
      return nothing;
    case 'resolve_as_another': {
      const another = payment.anotherRecord();
      return another === undefined ? undefined : [`${path}/resolve`, { service_id: another.id, reason }];
    }
    case 'acknowledge':
      return [`${path}/acknowledge`, { attention: payment.state?.attention ?? 'overdue', reason }];
    case 'accept_value':
      return [
        `${path}/acknowledge`,
        { attention: payment.state?.attention ?? 'overdue', accept_value: 24.5, reason },
      ];
    case 'provide_card':
      return [`${path}/card`, { credit_card: card, reason }];
    case 'complete':
      return [`${path}/3ds-completion`, { callback: 'callback', eci: '05', credit_card: card }];
    case 'retry_refund':
      return [`${path}/retry`, { ...(noneIsQueued(record) && { nothing_queued: true }), reason }];
    case 'resolve_refund': {
      const outcome = record?.status === 'refunded' ? 'refunded' : 'not_refunded';
      return [`${path}/resolve`, { outcome, reason }];
    }
    default:
      throw new Error(`${plan.kind} has no ${String(action)}`);
  }
}

function noneIsQueued(order) {
  return order === undefined || order.refunds_requested === 0 || order.status === 'refund_failed';
}

/** Resets a workflow to a share of what its present run has recorded. */
export async function reset({ client, temporal: { namespace } }, workflowId, percent) {
  const handle = client.workflow.getHandle(workflowId);
  const { events } = await handle.fetchHistory();
  const completed = events.filter(({ eventType }) => eventType === workflowTaskCompleted);
  const at = completed[Math.min(completed.length - 1, Math.floor((completed.length * percent) / 100))];
  await client.workflowService.resetWorkflowExecution({
    namespace,
    workflowExecution: { workflowId },
    requestId: randomUUID(),
    reason,
    workflowTaskFinishEventId: at.eventId,
  });
}
