import type { AccountValidationInput } from '../../contract/account-validation.js';
import type { PayoutInput } from '../../contract/payout.js';
import type { RefundInput } from '../../contract/refund.js';
import type { AccountValidationState, OrderState, PayoutState, RefundState } from '../../contract/state.js';
import { workflowIdOf } from '../../domain/ids.js';
import type { OrderKind, PaymentKind } from '../../domain/kinds.js';
import { toCentavos } from '../../domain/money.js';
import { cardOrderStages, orderStages, threeDSecureStages } from '../../domain/order-stages.js';
import { commonState, firstExpectation, newRecord, type CommonState } from '../../domain/payment-record.js';
import { attemptView, newAttempt } from '../../domain/payout-attempts.js';
import { payoutStages } from '../../domain/payout-stages.js';
import { refundStages } from '../../domain/refund-stages.js';
import { commandsOf, type Stage } from '../../domain/stage-table.js';
import { validationStages } from '../../domain/validation-stages.js';

/** What a payment does first. */
const firstStages: Record<PaymentKind, Stage> = {
  card_order: cardOrderStages.submit,
  hosted_checkout: orderStages.submit,
  three_d_secure_order: threeDSecureStages.submit,
  refund: refundStages.check,
  payout: payoutStages.submit,
  account_validation: validationStages.request,
};

type Identified = { partner_code: string; value?: number | null | undefined };

function started(
  kind: PaymentKind,
  { partner_code: partnerCode, value }: Identified,
  startedBy: string | undefined,
  idKey = partnerCode,
): CommonState {
  const workflowId = workflowIdOf(kind, idKey);
  const valueCentavos = toCentavos(value ?? 0) ?? 0;
  const identity = { kind, partnerCode, workflowId, owner: startedBy ?? null, valueCentavos };
  const commands = commandsOf(firstStages[kind]);
  return commonState(identity, newRecord(kind, Date.now()), { ...firstExpectation, commands });
}

/** A payout as it stands the moment it was started. */
export function startedPayout(input: PayoutInput, startedBy?: string): PayoutState {
  return {
    ...started('payout', input, startedBy),
    kind: 'payout',
    method: input.method,
    attempts: [attemptView(newAttempt(1, input.partner_code, 0))],
    send_before: input.send_before ?? null,
    retry_requires: null,
  };
}

/** An order as it stands the moment it was started. */
export function startedOrder(
  kind: OrderKind,
  order: { partner_code: string; value: number },
  startedBy?: string,
): OrderState {
  return {
    ...started(kind, order, startedBy),
    kind,
    candidates: [],
    checkout: null,
    authentication: null,
  };
}

/** A refund as it stands the moment it was started. */
export function startedRefund(refund: RefundRequest, startedBy?: string): RefundState {
  return {
    ...started('refund', refund, startedBy, refund.service_id),
    kind: 'refund',
    service_id: refund.service_id,
    value: refund.value ?? null,
    outcome: null,
    requests: 0,
    retry_requires: null,
  };
}

type RefundRequest = Pick<RefundInput, 'partner_code' | 'service_id'> & { value?: number | null | undefined };

/** An account validation as it stands the moment it was started. */
export function startedAccountValidation(
  validation: Pick<AccountValidationInput, 'partner_code'>,
  startedBy?: string,
): AccountValidationState {
  return {
    ...started('account_validation', { partner_code: validation.partner_code }, startedBy),
    kind: 'account_validation',
    value: null,
    answer: null,
  };
}
