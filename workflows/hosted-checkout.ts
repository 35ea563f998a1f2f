import { continueAsNew } from '@temporalio/workflow';
import type { HostedCheckoutInput } from '../src/contract/order.js';
import type { OrderState } from '../src/contract/state.js';
import { formatAmount } from '../src/domain/money.js';
import { HostedCheckoutPayment, type HostedCheckoutSnapshot } from './order/hosted-checkout-payment.js';
import { awaitResolution, cancelUnsent, endUnsent, follow, watch } from './order/stages.js';
import type { PaymentContext } from './shared/context.js';
import { registerHandlers } from './shared/handlers.js';
import { TemporalContext } from './shared/temporal-context.js';
import { runSnapshot, temporalRun, type RunSnapshot } from './shared/temporal-run.js';

/**
 * An order that the customer pays on a page of the service: from its submission, which answers where the customer is
 * sent, to the end of its watch. One that nobody pays in time expires, after a read that worked; it is watched on, and
 * a payment after that needs an operator.
 *
 * Endpoints: `POST /v1/checkout`, `GET /v1/order/{id}`.
 */
export async function hostedCheckout(
  input: HostedCheckoutInput,
  snapshot?: HostedCheckoutSnapshot & { run: RunSnapshot },
): Promise<OrderState> {
  const run = temporalRun(snapshot?.run);
  const payment = new HostedCheckoutPayment(input, run, snapshot);
  const ctx = new TemporalContext(run, payment, payment.start.scale, () =>
    continueAsNew<typeof hostedCheckout>(input, { ...payment.snapshot(), run: runSnapshot(run) }),
  );
  registerHandlers(ctx, payment, ['resolveSubmission']);
  await ctx.live(() => hostedCheckoutLifecycle(ctx, payment));
  return payment.view();
}

/** The life of a checkout. Statuses can regress, so each stage is left as soon as the order is no longer in it. */
export async function hostedCheckoutLifecycle(
  ctx: PaymentContext,
  payment: HostedCheckoutPayment,
): Promise<void> {
  if (payment.start.problem !== undefined) payment.rejectInput(payment.start.problem);
  while (!payment.closed) {
    await submit(ctx, payment);
    await awaitResolution(ctx, payment);
    await follow(ctx, payment, {}, 'the payment by the customer or the next status of the service');
    await watch(ctx, payment);
  }
}

/** Opens the checkout once; again only after proof that the previous call had no effect. */
async function submit(ctx: PaymentContext, payment: HostedCheckoutPayment): Promise<void> {
  while (!payment.closed && payment.stage === 'submit') {
    const { input, record, submission, submitUntil } = payment;
    const until = () => Math.min(submission.at, submitUntil);
    const takes = { cancel: cancelUnsent(ctx, payment) };
    if ((await ctx.wait(until, 'the time to send it again', takes)) !== 'due') continue;
    if (ctx.now() >= submitUntil) {
      await endUnsent(
        ctx,
        payment,
        'rejected',
        'It could not be sent before its time was over. Nothing was sent.',
      );
      continue;
    }
    const sent = await ctx.send(
      submission,
      `open a checkout of ${formatAmount(record.valueCentavos)}`,
      (calls, once) => calls.createCheckout({ ...once, order: input }),
    );
    payment.applyAnswer(sent);
  }
}
