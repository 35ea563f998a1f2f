import type { OrderReading, PayoutReading } from '../../src/contract/outcomes.js';
import { shownCode } from '../../src/domain/service-ids.js';
import type { OrderRecord, PayoutRecord } from '../../src/payments-service/result.js';

/** An order of the service in the words of the contract. Its code may be anybody's, unless it is known to be ours. */
export function orderReading(record: OrderRecord, code = shownCode(record.partnerCode)): OrderReading {
  const { id, status, valueCentavos, valueUnclear } = record;
  return {
    ...{ service_id: id, status, partner_code: code, value_centavos: valueCentavos },
    ...(valueUnclear !== undefined && { value_unclear: valueUnclear }),
  };
}

/** A payout of the service in the words of the contract. */
export function payoutReading(record: PayoutRecord, code?: string): PayoutReading {
  return { ...orderReading(record, code), claimed_at: record.claimedAt };
}
