import type { OrderReading, PayoutReading } from '../../src/contract/outcomes.js';
import type { OrderRecord, PayoutRecord } from '../../src/payments-service/result.js';

/** An order of the service in the words of the contract. */
export function orderReading(record: OrderRecord): OrderReading {
  const { id, status, partnerCode, valueCentavos, valueUnclear } = record;
  return {
    ...{ service_id: id, status, partner_code: partnerCode, value_centavos: valueCentavos },
    ...(valueUnclear !== undefined && { value_unclear: valueUnclear }),
  };
}

/** A payout of the service in the words of the contract. */
export function payoutReading(record: PayoutRecord): PayoutReading {
  return { ...orderReading(record), claimed_at: record.claimedAt };
}
