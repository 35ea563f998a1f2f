import type { AccountValidationInput } from '../../contract/account-validation.js';
import type { PayoutInput } from '../../contract/payout.js';
import type { RefundInput } from '../../contract/refund.js';
import type { AccountValidationState, OrderState, PayoutState, RefundState } from '../../contract/state.js';
import type { Conclusions } from '../../domain/conclusions.js';
import { workflowIdOf } from '../../domain/ids.js';
import type { OrderKind, PaymentKind } from '../../domain/kinds.js';
import { maskedPayee } from '../../domain/masked-payee.js';
import { toCentavos } from '../../domain/money.js';
import { orderConclusions } from '../../domain/order-conclusions.js';
import { orderStage, orderStages } from '../../domain/order-stages.js';
import { newOrder } from '../../domain/order.js';
import { commonState, firstExpectation, newRecord, type CommonState } from '../../domain/payment-record.js';
import { payoutConclusions } from '../../domain/payout-conclusions.js';
import { payoutStages } from '../../domain/payout-stages.js';
import { asksForValidation, newPayout, lastStage } from '../../domain/payout.js';
import { refundConclusions } from '../../domain/refund-conclusions.js';
import { refundStage, refundStages } from '../../domain/refund-stages.js';
import { newRefund, requestedLine } from '../../domain/refund.js';
import { commandsOf, type Stage } from '../../domain/stage-table.js';
import { withLine } from '../../domain/timeline.js';
import { validationConclusions } from '../../domain/validation-conclusions.js';
import { newValidation } from '../../domain/validation.js';
import { orderView, payoutView, refundView, validationView } from '../../domain/views.js';
import { validationStages } from '../../domain/validation-stages.js';

/** A payment that was started just now. Nothing is known of it yet: neither a read nor what keeps it from being sent. */
type Started = {
  readonly kind: PaymentKind;
  readonly partnerCode: string;
  readonly value: number | null | undefined;
  /** Of what its workflow id is made, where that is not the partner_code. */
  readonly idKey?: string;
  readonly startedBy: string | undefined;
  /** Temporal's time. */
  readonly now: number;
  readonly stage: Stage;
  readonly conclusions: Conclusions;
};

const nothingKnown = { misfit: null, unreadable: null };

/** The part of its state that every payment has, by what follows for it. */
function started({
  kind,
  partnerCode,
  value,
  idKey = partnerCode,
  startedBy,
  now,
  stage,
  conclusions,
}: Started): CommonState {
  const workflowId = workflowIdOf(kind, idKey);
  const valueCentavos = toCentavos(value ?? 0) ?? 0;
  const identity = { kind, partnerCode, workflowId, owner: startedBy ?? null, valueCentavos };
  const { cause = null, needs, status } = conclusions;
  const record = { ...newRecord(kind, now), cause, needs, status };
  return commonState(identity, record, { ...firstExpectation, commands: commandsOf(stage) });
}

/** A payout as it stands the moment it was started. */
export function startedPayout(input: PayoutInput, now: number, startedBy?: string): PayoutState {
  const { partner_code: partnerCode, value } = input;
  const account = asksForValidation(input) ? newValidation(0, 1) : null;
  const payout = newPayout(partnerCode, 0, account, maskedPayee(input));
  const stage = lastStage(payout);
  const conclusions = payoutConclusions(payout, { stage, unreadable: null, unsent: null });
  const state = started({
    kind: 'payout',
    partnerCode,
    value,
    startedBy,
    now,
    stage: payoutStages[stage],
    conclusions,
  });
  return { ...state, ...payoutView(payout, input, state.commands) };
}

/** An order as it stands the moment it was started. */
export function startedOrder(
  kind: OrderKind,
  { partner_code: partnerCode, value }: { partner_code: string; value: number },
  now: number,
  startedBy?: string,
): OrderState {
  const order = newOrder(0);
  const conclusions = orderConclusions(kind, order, nothingKnown);
  // What an order has beside the stages of every one comes later.
  const stage = orderStages[orderStage(order, { status: conclusions.status, everRead: false })];
  return {
    ...started({ kind, partnerCode, value, startedBy, now, stage, conclusions }),
    ...orderView(kind, order),
  };
}

/** A refund as it stands the moment it was started. */
export function startedRefund(request: RefundRequest, now: number, startedBy?: string): RefundState {
  const { by, partner_code: partnerCode, reason, service_id: idKey, value = null } = request;
  const refund = newRefund(0);
  const conclusions = refundConclusions(refund, nothingKnown);
  const stage = refundStages[refundStage(refund.phase, { needsOperator: false, unconfirmed: false })];
  const state = started({ kind: 'refund', partnerCode, value, idKey, startedBy, now, stage, conclusions });
  const timeline = [...withLine([], requestedLine, now, { by, reason })];
  return { ...state, service_id: idKey, timeline, ...refundView(refund, state.value, state.commands) };
}

type RefundRequest = Omit<RefundInput, 'value'> & { value?: number | null | undefined };

/** An account validation as it stands the moment it was started. */
export function startedAccountValidation(
  { partner_code: partnerCode }: Pick<AccountValidationInput, 'partner_code'>,
  now: number,
  startedBy?: string,
): AccountValidationState {
  const validation = newValidation(0, 1);
  const conclusions = validationConclusions(validation);
  const { request: stage } = validationStages;
  const state = started({
    kind: 'account_validation',
    partnerCode,
    value: null,
    startedBy,
    now,
    stage,
    conclusions,
  });
  return { ...state, ...validationView(validation) };
}
