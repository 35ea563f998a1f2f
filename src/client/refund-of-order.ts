import { WorkflowNotFoundError } from '@temporalio/client';
import { refundWorkflowId, workflowIdOf } from '../domain/ids.js';
import { PaymentNotFoundError } from './errors.js';
import { describeExecution } from './execution.js';
import { listPayments } from './list-payments.js';
import type { TemporalCalls } from './temporal-calls.js';

/** The workflow id of the refund of an order. @throws PaymentNotFoundError, TemporalUnavailableError */
export async function refundIdOfOrder(calls: TemporalCalls, partnerCode: string): Promise<string> {
  const orderId = workflowIdOf('card_order', partnerCode);
  const serviceId = await serviceIdOf(calls, orderId);
  if (serviceId !== null) return refundWorkflowId(serviceId);
  const { payments } = await listPayments(calls, { kinds: ['refund'], partner_code: partnerCode, limit: 1 });
  const [found] = payments;
  if (found === undefined) throw new PaymentNotFoundError(orderId);
  return found.workflow_id;
}

async function serviceIdOf(calls: TemporalCalls, orderId: string): Promise<string | null> {
  try {
    return (await describeExecution(calls, orderId)).serviceId;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
