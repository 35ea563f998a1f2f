import type { CardOrderInput } from '../contract/order.js';
import type { PayoutInput } from '../contract/payout.js';
import type { OrderState, PayoutState } from '../contract/state.js';
import { workflowIdOf } from '../domain/ids.js';

const untouched = {
  service_id: null,
  status: 'submitting',
  attention: null,
  attention_detail: null,
  closed: false,
  awaiting: 'the first answer of the service',
  refusal: null,
  last_read: null,
  next_read_at: null,
};

/** A payout as it stands the moment it was started. */
export function begunPayout({ partner_code, method, value }: PayoutInput): PayoutState {
  return {
    ...untouched,
    story: [],
    kind: 'payout',
    method,
    partner_code,
    workflow_id: workflowIdOf('payout', partner_code),
    value,
    updated_at: new Date().toISOString(),
    attempts: [{ number: 1, partner_code, service_id: null, status: 'submitting', error: null }],
  };
}

/** A card order as it stands the moment it was started. */
export function begunCardOrder({
  order: { partner_code, value },
}: Pick<CardOrderInput, 'order'>): OrderState {
  return {
    ...untouched,
    story: [],
    kind: 'card_order',
    partner_code,
    workflow_id: workflowIdOf('card_order', partner_code),
    value,
    updated_at: new Date().toISOString(),
    candidates: [],
    checkout: null,
    authentication: null,
  };
}
