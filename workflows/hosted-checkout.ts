import { formatAmount } from '../src/domain/money.js';
import { orderStages, type OrderStage } from '../src/domain/order-stages.js';
import { HostedCheckoutPayment } from './order/hosted-checkout-payment.js';
import { readOrder } from './order/reads.js';
import { awaitResolution, find, nextRead, open, watch } from './order/stages.js';
import type { PaymentContext } from './shared/context.js';
import { lifecycle, paymentWorkflow, whenDue, type OpenStage } from './shared/lifecycle.js';

export const hostedCheckoutLifecycle = lifecycle<OpenStage<OrderStage>, HostedCheckoutPayment>({
  submit,
  resolve: awaitResolution,
  find,
  follow: awaitPayment,
  watch,
});

/**
 * An order that the customer pays on a page of the service: from its submission, which answers where the customer is
 * sent, to the end of its watch. One that nobody pays in time expires, after a read that worked; it is watched on, and
 * a payment after that needs an operator.
 *
 * Endpoints: `POST /v1/checkout`, `GET /v1/order/{id}`.
 */
export const hostedCheckout = paymentWorkflow(HostedCheckoutPayment, hostedCheckoutLifecycle);

/** Opens the checkout, whose answer says where the customer is sent. */
function submit(ctx: PaymentContext, payment: HostedCheckoutPayment): Promise<void> {
  const { input, record } = payment;
  const doing = `open a checkout of ${formatAmount(record.valueCentavos)}`;
  return open(ctx, payment, doing, (calls, once) => calls.createCheckout({ ...once, order: input }));
}

/** The customer may pay, or has: reads until the order is settled, has failed or has expired. */
function awaitPayment(ctx: PaymentContext, payment: HostedCheckoutPayment): Promise<void> {
  const waiting = nextRead(payment, 'the payment by the customer or the next status of the service');
  return whenDue(ctx, payment, orderStages.follow, waiting, readOrder);
}
