import type { OrderReading } from '../../src/contract/outcomes.js';
import { formatAmount } from '../../src/domain/money.js';
import type { PaymentRecord } from './payment-record.js';

/** What speaks against a reading being of the order that was asked for; null when nothing does. */
export function orderMisfit(serviceId: string, record: PaymentRecord, shown: OrderReading): string | null {
  const { service_id: id, value_centavos: value, partner_code: code } = shown;
  if (id !== null && id !== serviceId) {
    return `The service answered with order ${id} when asked for ${serviceId}.`;
  }
  const expected = record.expectedCentavos;
  if (value !== null && expected !== 0 && value !== expected) {
    return `The service shows ${formatAmount(value)}, asked for were ${formatAmount(expected)}.`;
  }
  return code !== null && code !== record.partnerCode ? `The service shows the partner_code ${code}.` : null;
}
