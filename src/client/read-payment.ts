import type { NexusReadPayment, PaymentAnswer } from '../contract/nexus.js';
import { referredWorkflowId } from '../contract/nexus.js';
import { isNotFound, StateLostError, TemporalUnavailableError } from './errors.js';
import { OrderHandle } from './order-handle.js';
import { PayoutHandle } from './payout-handle.js';
import type { TemporalCalls } from './temporal-calls.js';

/** Reads a payout or an order; what can't be read, now or ever, is an answer too. */
export async function readPayment(calls: TemporalCalls, payment: NexusReadPayment): Promise<PaymentAnswer> {
  const workflowId = referredWorkflowId(payment);
  try {
    const handle =
      payment.kind === 'payout' ? new PayoutHandle(calls, workflowId) : new OrderHandle(calls, workflowId);
    return { kind: 'read', state: await handle.state() };
  } catch (error) {
    if (isNotFound(error)) return { kind: 'gone', type: 'not-found', message: error.message };
    if (error instanceof StateLostError) return { kind: 'gone', type: 'state-lost', message: error.message };
    if (error instanceof TemporalUnavailableError) return { kind: 'unavailable' };
    throw error;
  }
}
