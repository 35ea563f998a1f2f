import { ValidationPayment } from '../../workflows/account-validation/payment.js';
import { accountValidationLifecycle } from '../../workflows/account-validation.js';
import { cardOrderLifecycle } from '../../workflows/card-order.js';
import { hostedCheckoutLifecycle } from '../../workflows/hosted-checkout.js';
import { CardOrderPayment } from '../../workflows/order/card-order-payment.js';
import { HostedCheckoutPayment } from '../../workflows/order/hosted-checkout-payment.js';
import { ThreeDSecurePayment } from '../../workflows/order/three-d-secure-payment.js';
import { PayoutPayment } from '../../workflows/payout/payment.js';
import { payoutLifecycle } from '../../workflows/payout.js';
import { RefundPayment } from '../../workflows/refund/payment.js';
import { refundLifecycle } from '../../workflows/refund.js';
import type { PaymentContext } from '../../workflows/shared/context.js';
import type { Payment } from '../../workflows/shared/payment.js';
import type { Run } from '../../workflows/shared/run.js';
import { threeDSecureLifecycle } from '../../workflows/three-d-secure-order.js';

/** A payment and its life, as a run of its workflow builds them. */
export type Life<P extends Payment = Payment> = {
  readonly payment: P;
  readonly live: (ctx: PaymentContext) => Promise<void>;
};

/** Its input may be anything: each payment checks it. What the run before has handed on is JSON, as through Temporal. */
export type Build<P extends Payment = Payment> = (input: unknown, run: Run, snapshot?: string) => Life<P>;

function lifeOf<Input, Snapshot, P extends Payment>(
  Built: new (input: Input, run: Run, snapshot?: Snapshot) => P,
  lifecycle: (ctx: PaymentContext, payment: P) => Promise<void>,
): Build<P> {
  return (input, run, snapshot) => {
    const before = snapshot === undefined ? undefined : (JSON.parse(snapshot) as Snapshot);
    const payment = new Built(input as Input, run, before);
    return { payment, live: (ctx) => lifecycle(ctx, payment) };
  };
}

/** By the type of the workflow. */
export const lives = {
  payout: lifeOf(PayoutPayment, payoutLifecycle),
  refund: lifeOf(RefundPayment, refundLifecycle),
  cardOrder: lifeOf(CardOrderPayment, cardOrderLifecycle),
  hostedCheckout: lifeOf(HostedCheckoutPayment, hostedCheckoutLifecycle),
  threeDSecureOrder: lifeOf(ThreeDSecurePayment, threeDSecureLifecycle),
  accountValidation: lifeOf(ValidationPayment, accountValidationLifecycle),
};
