import type { OrderSnapshot } from '../../workflows/order/payment.js';
import { hostedCheckoutLifecycle } from '../../workflows/hosted-checkout.js';
import { HostedCheckoutPayment } from '../../workflows/order/hosted-checkout-payment.js';
import type { Run } from '../../workflows/shared/run.js';
import type { Step } from './world.js';
import { customer, order, OrderModel, type OrderService } from './order-model.js';
import type { PaymentContext } from '../../workflows/shared/context.js';
import type { Answers } from './answers.js';

/** A checkout that the customer pays on a page of the service. */
export class HostedCheckoutModel extends OrderModel<HostedCheckoutPayment> {
  protected firstServices(): OrderService[] {
    return [{ held: [], isSent: false, isDenied: false }];
  }

  protected copy(service: OrderService): OrderService {
    return { ...service, held: [...service.held] };
  }

  protected payment(run: Run, snapshot: string | undefined): HostedCheckoutPayment {
    const input = { order: { ...order, redirect_url: 'https://shop.example/' }, customer, watch_days: 1 };
    return new HostedCheckoutPayment(
      input,
      run,
      snapshot === undefined ? undefined : (JSON.parse(snapshot) as OrderSnapshot),
    );
  }

  protected lifecycle(ctx: PaymentContext, payment: HostedCheckoutPayment): Promise<void> {
    return hostedCheckoutLifecycle(ctx, payment);
  }

  protected override answers(step: Step<HostedCheckoutPayment, OrderService>): Answers {
    const answers = super.answers(step);
    return {
      ...answers,
      calls: { ...answers.calls, createCheckout: () => Promise.resolve(this.created(step, false)) },
    };
  }
}
