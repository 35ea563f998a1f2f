import type { OrderReading, PayoutReading } from '../../src/contract/outcomes.js';
import type { OrderRecord, PayoutRecord } from '../../src/payments-service/result.js';

/** An order of the service in the words of the contract. */
export function orderReading({ id, status, partnerCode, valueCentavos }: OrderRecord): OrderReading {
  return { service_id: id, status, partner_code: partnerCode, value_centavos: valueCentavos };
}

/** A payout of the service in the words of the contract. */
export function payoutReading(record: PayoutRecord): PayoutReading {
  return { ...orderReading(record), claimed_at: record.claimedAt };
}
