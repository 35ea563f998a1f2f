import { refundWorkflowId, workflowIdOf } from '../domain/ids.js';
import { PaymentNotFoundError } from './errors.js';
import { listPayments } from './list-payments.js';
import { OrderHandle } from './order-handle.js';
import type { TemporalCalls } from './temporal-calls.js';

/** The workflow id of the refund of an order. @throws PaymentNotFoundError, StateLostError, TemporalUnavailableError */
export async function refundIdOfOrder(calls: TemporalCalls, partnerCode: string): Promise<string> {
  const orderId = workflowIdOf('card_order', partnerCode);
  const serviceId = await serviceIdOf(new OrderHandle(calls, orderId));
  if (serviceId !== null) return refundWorkflowId(serviceId);
  const { payments } = await listPayments(calls, { kinds: ['refund'], partner_code: partnerCode, limit: 1 });
  const [found] = payments;
  if (found === undefined) throw new PaymentNotFoundError(orderId);
  return found.workflow_id;
}

async function serviceIdOf(order: OrderHandle): Promise<string | null> {
  try {
    return await order.serviceId();
  } catch (error) {
    if (error instanceof PaymentNotFoundError) return null;
    throw error;
  }
}
