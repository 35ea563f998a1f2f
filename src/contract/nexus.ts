import { z } from 'zod';
import { awaitBounds } from '../domain/command-messages.js';
import { workflowIdOf } from '../domain/ids.js';
import { anyPartnerCode, statusWord } from './fields.js';
import { abandonPayout, retryPayout } from './messages.js';
import { cardOrderInput, hostedCheckoutBody, threeDSecureOrderBody } from './order.js';
import { pixPayoutBody, transferPayoutBody } from './payout.js';
import type { OrderState, PayoutState } from './state.js';

/** A card would be at rest: Temporal keeps the input of an operation in the histories of its caller. */
const noCard = {
  credit_card: z
    .never(
      'must not pass by Nexus, whose inputs stay in the history of your workflow: send the card to POST /v1/cards and ' +
        'its answer as card, or start a hosted checkout',
    )
    .optional(),
};

/** Operation `startPayout`: the body of POST /v1/payouts/pix or /transfer, and by which of the two ways. */
export const nexusStartPayout = z.discriminatedUnion('method', [
  pixPayoutBody.safeExtend({ method: z.literal('pix') }),
  transferPayoutBody.safeExtend({ method: z.literal('transfer') }),
]);
export type NexusStartPayout = z.input<typeof nexusStartPayout>;

/** Operation `startCardOrder`: the body of POST /v1/orders/card, with the card where POST /v1/cards has put it. */
export const nexusStartCardOrder = cardOrderInput.omit({ poll_scale: true }).extend(noCard);
export type NexusStartCardOrder = z.input<typeof nexusStartCardOrder>;

/** Operation `startHostedCheckout`: the body of POST /v1/orders/checkout. */
export const nexusStartHostedCheckout = hostedCheckoutBody.extend(noCard);
export type NexusStartHostedCheckout = z.input<typeof nexusStartHostedCheckout>;

/** Operation `startThreeDSecureOrder`: the body of POST /v1/orders/3ds. */
export const nexusStartThreeDSecureOrder = threeDSecureOrderBody.extend(noCard);
export type NexusStartThreeDSecureOrder = z.input<typeof nexusStartThreeDSecureOrder>;

/** What a start answers: `repeated` when the same request had started the payment before. */
export const nexusStarted = z.object({ workflow_id: z.string(), repeated: z.boolean() });
export type NexusStarted = z.infer<typeof nexusStarted>;

/** Operation `readPayment`: which payment. */
export const nexusReadPayment = z.strictObject({
  kind: z.enum(['payout', 'order'], 'must be payout or order'),
  partner_code: anyPartnerCode,
});
export type NexusReadPayment = z.infer<typeof nexusReadPayment>;

/** Operation `awaitOutcome`: `statuses` are those to be answered at before the end. */
export const nexusAwaitOutcome = nexusReadPayment.extend({
  statuses: z.array(statusWord).max(awaitBounds.statuses).optional(),
});
export type NexusAwaitOutcome = z.infer<typeof nexusAwaitOutcome>;

/** Operation `retryPayout`: as POST /v1/payouts/{partner_code}/retry. */
export const nexusRetryPayout = retryPayout
  .omit({ bulk_retry_id: true, by: true, take_before: true })
  .extend({ partner_code: anyPartnerCode });
export type NexusRetryPayout = z.input<typeof nexusRetryPayout>;

/** Operation `abandonPayout`: as POST /v1/payouts/{partner_code}/abandon. */
export const nexusAbandonPayout = abandonPayout
  .omit({ by: true, take_before: true })
  .extend({ partner_code: anyPartnerCode });
export type NexusAbandonPayout = z.infer<typeof nexusAbandonPayout>;

/** The state of a payout or an order; `kind` says which. */
export type NexusPayment = PayoutState | OrderState;

/** What the workflow of a payment showed; `gone` when it never will, `unavailable` when it did not answer. */
export type PaymentAnswer =
  | { kind: 'read'; state: NexusPayment }
  | { kind: 'gone'; type: 'not-found' | 'state-lost'; message: string }
  | { kind: 'unavailable' };

/** The workflow id of the payment that is referred to. */
export function referredWorkflowId({ kind, partner_code: code }: NexusReadPayment): string {
  return workflowIdOf(kind === 'payout' ? 'payout' : 'card_order', code);
}
