import type { AccountValidationInput } from '../../../src/contract/account-validation.js';
import type {
  CardOrderInput,
  HostedCheckoutInput,
  ThreeDSecureOrderInput,
} from '../../../src/contract/order.js';
import type { PayoutInput } from '../../../src/contract/payout.js';
import type { RefundInput } from '../../../src/contract/refund.js';
import { ValidationPayment } from '../../../workflows/account-validation/payment.js';
import { accountValidationLifecycle } from '../../../workflows/account-validation.js';
import { cardOrderLifecycle } from '../../../workflows/card-order.js';
import { hostedCheckoutLifecycle } from '../../../workflows/hosted-checkout.js';
import { CardOrderPayment } from '../../../workflows/order/card-order-payment.js';
import { HostedCheckoutPayment } from '../../../workflows/order/hosted-checkout-payment.js';
import { ThreeDSecurePayment } from '../../../workflows/order/three-d-secure-payment.js';
import { PayoutPayment } from '../../../workflows/payout/payment.js';
import { payoutLifecycle } from '../../../workflows/payout.js';
import { RefundPayment } from '../../../workflows/refund/payment.js';
import { refundLifecycle } from '../../../workflows/refund.js';
import type { PaymentContext } from '../../../workflows/shared/context.js';
import type { Payment } from '../../../workflows/shared/payment.js';
import type { Run } from '../../../workflows/shared/run.js';
import { threeDSecureLifecycle } from '../../../workflows/three-d-secure-order.js';

/** A payment and its life, as its workflow builds them. */
export type Life = { readonly payment: Payment; readonly live: (ctx: PaymentContext) => Promise<void> };

/** By the type of the workflow. Its input may be anything: each payment checks it. */
export const lives: Readonly<Record<string, (input: unknown, run: Run) => Life>> = {
  payout: (input, run) => {
    const payment = new PayoutPayment(input as PayoutInput, run);
    return { payment, live: (ctx) => payoutLifecycle(ctx, payment) };
  },
  refund: (input, run) => {
    const payment = new RefundPayment(input as RefundInput, run);
    return { payment, live: (ctx) => refundLifecycle(ctx, payment) };
  },
  cardOrder: (input, run) => {
    const payment = new CardOrderPayment(input as CardOrderInput, run);
    return { payment, live: (ctx) => cardOrderLifecycle(ctx, payment) };
  },
  hostedCheckout: (input, run) => {
    const payment = new HostedCheckoutPayment(input as HostedCheckoutInput, run);
    return { payment, live: (ctx) => hostedCheckoutLifecycle(ctx, payment) };
  },
  threeDSecureOrder: (input, run) => {
    const payment = new ThreeDSecurePayment(input as ThreeDSecureOrderInput, run);
    return { payment, live: (ctx) => threeDSecureLifecycle(ctx, payment) };
  },
  accountValidation: (input, run) => {
    const payment = new ValidationPayment(input as AccountValidationInput, run);
    return { payment, live: (ctx) => accountValidationLifecycle(ctx, payment) };
  },
};
