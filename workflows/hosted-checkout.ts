import type { HostedCheckoutInput } from '../src/contract/order.js';
import type { OrderState } from '../src/contract/state.js';
import { formatAmount } from '../src/domain/money.js';
import { HostedCheckoutPayment, type HostedCheckoutSnapshot } from './order/hosted-checkout-payment.js';
import { awaitResolution, find, follow, open, watch } from './order/stages.js';
import type { PaymentContext } from './shared/context.js';
import { registerHandlers } from './shared/handlers.js';
import { TemporalContext } from './shared/temporal-context.js';
import { temporalRun, type Continued } from './shared/temporal-run.js';

/**
 * An order that the customer pays on a page of the service: from its submission, which answers where the customer is
 * sent, to the end of its watch. One that nobody pays in time expires, after a read that worked; it is watched on, and
 * a payment after that needs an operator.
 *
 * Endpoints: `POST /v1/checkout`, `GET /v1/order/{id}`.
 */
export async function hostedCheckout(
  input: HostedCheckoutInput,
  snapshot?: Continued<HostedCheckoutSnapshot>,
): Promise<OrderState> {
  const payment = new HostedCheckoutPayment(input, temporalRun(snapshot?.run), snapshot);
  const ctx = new TemporalContext(payment, input);
  registerHandlers(ctx, payment);
  return ctx.live(() => hostedCheckoutLifecycle(ctx, payment));
}

/** The life of a checkout: one step of the stage that it is in, until it is closed. Statuses can regress. */
export async function hostedCheckoutLifecycle(
  ctx: PaymentContext,
  payment: HostedCheckoutPayment,
): Promise<void> {
  if (payment.start.problem !== undefined) payment.rejectInput(payment.start.problem);
  const { input, record } = payment;
  const doing = `open a checkout of ${formatAmount(record.valueCentavos)}`;
  for (;;) {
    const { orderStage } = payment;
    switch (orderStage) {
      case 'submit':
        await open(ctx, payment, doing, (calls, once) => calls.createCheckout({ ...once, order: input }));
        break;
      case 'resolve':
        await awaitResolution(ctx, payment);
        break;
      case 'find':
        await find(ctx, payment);
        break;
      case 'follow':
        await follow(ctx, payment, 'the payment by the customer or the next status of the service');
        break;
      case 'watch':
        await watch(ctx, payment);
        break;
      case 'closed':
        return;
    }
  }
}
