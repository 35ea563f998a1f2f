import { activityInfo } from '@temporalio/activity';
import type { OrderReading, PayoutReading } from '../../src/contract/outcomes.js';
import { isCodeOf } from '../../src/domain/ids.js';
import { shownCode } from '../../src/domain/service-ids.js';
import type { OrderRecord, PayoutRecord } from '../../src/payments-service/result.js';

/** An order of the service in the words of the contract. */
export function orderReading(record: OrderRecord, code = codeFor(record.partnerCode)): OrderReading {
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

/** A code in full where the payment that asks has it; that of another may be anything. */
function codeFor(code: string | null): string | null {
  const { workflowId = '' } = activityInfo().workflowExecution ?? {};
  return code !== null && isCodeOf(workflowId, code) ? code : shownCode(code);
}
