import type { AccountValidationInput } from '../../contract/account-validation.js';
import type { PayoutInput } from '../../contract/payout.js';
import type { RefundInput } from '../../contract/refund.js';
import type { AccountValidationState, OrderState, PayoutState, RefundState } from '../../contract/state.js';
import { workflowIdOf } from '../../domain/ids.js';
import type { OrderKind, PaymentKind } from '../../domain/kinds.js';

function untouched(
  kind: PaymentKind,
  partner_code: string,
  startedBy: string | undefined,
  idKey = partner_code,
) {
  return {
    partner_code,
    workflow_id: workflowIdOf(kind, idKey),
    service_id: null,
    status: kind === 'refund' ? 'requesting' : 'submitting',
    cause: null,
    attention: null,
    attention_detail: null,
    updated_at: new Date().toISOString(),
    closed: false,
    closed_as: null,
    started_by: startedBy ?? null,
    awaiting: 'the first answer of the service',
    refusal: null,
    last_read: null,
    next_read_at: null,
    timeline: [],
  };
}

/** A payout as it stands the moment it was started. */
export function startedPayout(
  { partner_code, method, send_before, value }: PayoutInput,
  startedBy?: string,
): PayoutState {
  return {
    ...untouched('payout', partner_code, startedBy),
    kind: 'payout',
    method,
    value,
    attempts: [
      {
        number: 1,
        partner_code,
        service_id: null,
        list_id: null,
        status: 'submitting',
        cause: null,
        error: null,
      },
    ],
    send_before: send_before ?? null,
  };
}

/** An order as it stands the moment it was started. */
export function startedOrder(
  kind: OrderKind,
  { partner_code, value }: { partner_code: string; value: number },
  startedBy?: string,
): OrderState {
  return {
    ...untouched(kind, partner_code, startedBy),
    kind,
    value,
    candidates: [],
    checkout: null,
    authentication: null,
  };
}

/** A refund as it stands the moment it was started. */
export function startedRefund(
  { partner_code, service_id, value = null }: RefundRequest,
  startedBy?: string,
): RefundState {
  return {
    ...untouched('refund', partner_code, startedBy, service_id),
    kind: 'refund',
    service_id,
    value,
    outcome: null,
    requests: 0,
  };
}

type RefundRequest = Pick<RefundInput, 'partner_code' | 'service_id'> & { value?: number | null | undefined };

/** An account validation as it stands the moment it was started. */
export function startedAccountValidation(
  { partner_code }: Pick<AccountValidationInput, 'partner_code'>,
  startedBy?: string,
): AccountValidationState {
  return {
    ...untouched('account_validation', partner_code, startedBy),
    kind: 'account_validation',
    value: null,
    answer: null,
  };
}
