import { ApplicationFailure } from '@temporalio/activity';
import type { PaymentsClient } from 'durable-payments-client';
import type { Card } from './store-card.js';

const phone = '+5511987654321';
const customer = { name: 'Ana Lima', email: 'ana.lima@example.com', phone, document: '52998224725' };

export const paymentActivities = (payments: PaymentsClient) => ({
  /** Safe to retry: the partner_code is the idempotency key. Retried until the outcome is known. */
  async charge(partnerCode: string, card: Card): Promise<string> {
    const order = { partner_code: partnerCode, value: 89.9, description: 'Two tickets' };
    const { payment } = await payments.startCardOrder({ order, customer, card });
    const known = ['paid', 'compensated', 'denied', 'error', 'rejected', 'cancelled'];
    const { status, service_id } = await payment.awaitStatus({ statuses: known, timeout_seconds: 30 });
    if (!known.includes(status)) throw new Error(`The order is ${status} so far.`);
    if (service_id !== null && ['paid', 'compensated'].includes(status)) return service_id;
    throw ApplicationFailure.nonRetryable(`The order is ${status}.`);
  },

  /** Safe to retry: the order's identifier is the idempotency key. Retried until the money is back. */
  async refund(partnerCode: string, serviceId: string): Promise<void> {
    const { payment } = await payments.startRefund({ partner_code: partnerCode, service_id: serviceId });
    const { status } = await payment.awaitStatus({ statuses: ['refunded'], timeout_seconds: 30 });
    if (status !== 'refunded') throw new Error(`The refund is ${status} so far.`);
  },
});
