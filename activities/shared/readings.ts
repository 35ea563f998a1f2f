import type { OrderReading, PayoutReading } from '../../src/contract/outcomes.js';
import { attemptNumberOf } from '../../src/domain/ids.js';
import { isSameIdentifier, withoutCard } from '../../src/domain/service-ids.js';
import type { OrderRecord, PayoutRecord } from '../../src/payments-service/result.js';

/**
 * An order of the service in the words of the contract.
 *
 * @param ours the partner_code of the payment that asks: any other that the record shows may be anything
 */
export function orderReading(record: OrderRecord, ours?: string): OrderReading {
  const { id, partnerCode: code, status, valueCentavos, valueUnclear } = record;
  const isOurs = code !== null && ours !== undefined && attemptNumberOf(ours, code) !== undefined;
  return {
    ...{
      service_id: id,
      status,
      partner_code: isOurs ? code : withoutCard(code),
      value_centavos: valueCentavos,
    },
    ...(valueUnclear !== undefined && { value_unclear: valueUnclear }),
  };
}

/** What a read by an identifier has shown: another identifier may be anything. */
export function readBy<Found extends OrderRecord>(serviceId: string, record: Found): Found {
  return isSameIdentifier(record.id, serviceId) ? record : { ...record, id: withoutCard(record.id) };
}

/** A payout of the service in the words of the contract. @param ours as of {@link orderReading} */
export function payoutReading(record: PayoutRecord, ours?: string): PayoutReading {
  return { ...orderReading(record, ours), claimed_at: record.claimedAt };
}
