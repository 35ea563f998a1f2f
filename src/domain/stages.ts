import type { PaymentKind } from './kinds.js';
import { cardOrderStages, orderStages, threeDSecureStages } from './order-stages.js';
import { payoutStages } from './payout-stages.js';
import { refundStages } from './refund-stages.js';
import type { StageTable } from './stage-table.js';
import { validationStages } from './validation-stages.js';

/** The stages of each kind of payment: for what goes through all of them, such as docs, drills and tests. */
export const stagesOfKind = {
  card_order: cardOrderStages,
  hosted_checkout: orderStages,
  three_d_secure_order: threeDSecureStages,
  refund: refundStages,
  payout: payoutStages,
  account_validation: validationStages,
} as const satisfies Record<PaymentKind, StageTable>;
