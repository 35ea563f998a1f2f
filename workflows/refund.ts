import type { OrderRead } from '../activities/request-refund.js';
import { refundStages, type RefundStage } from '../src/domain/refund-stages.js';
import { resolvedAs } from '../src/domain/refund.js';
import { readDuring } from '../src/domain/submission.js';
import { cancel, retry } from './refund/commands.js';
import { RefundPayment } from './refund/payment.js';
import { mayBeRequested, readOrder } from './refund/reads.js';
import type { CommandMessages } from './shared/commands.js';
import type { PaymentContext } from './shared/context.js';
import { lifecycle, paymentWorkflow, whenDue, type OpenStage } from './shared/lifecycle.js';
import { waitsToSend } from './shared/submission.js';

export const refundLifecycle = lifecycle<OpenStage<RefundStage>, RefundPayment>({
  request,
  confirm,
  decide: awaitDecision,
  watch,
  acknowledge: awaitAcknowledgement,
});

/**
 * The refund of an order, by the order's identifier at the service, whether or not its own workflow is still there. It is
 * requested once and followed until a read shows the order as refunded, or an operator has resolved it. A read that goes
 * on showing `paid` proves neither that it failed nor that it was never queued.
 *
 * Endpoints: `PUT /v1/order/{id}/refund`, `GET /v1/order/{id}`.
 */
export const refund = paymentWorkflow(RefundPayment, refundLifecycle);

/** Requests the refund once, by a call that reads the order first and sends nothing when the reading speaks against it. */
async function request(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  const { until, ...waiting } = waitsToSend(payment, 'the time to request it');
  const woke = await ctx.wait(refundStages.request, {
    ...waiting,
    until: () => Math.max(until(), payment.data.readAgainAt),
    takes: { cancel: () => cancel(ctx, payment) },
  });
  if (woke !== 'due') return;
  const cause = payment.reads.begin();
  const begunAt = ctx.now();
  const reads: OrderRead[] = [];
  const sent = await ctx.send(payment.data.submission, 'request the refund', async (calls, once) => {
    const called = await calls.requestRefund({ ...once, ...payment.toRequest });
    if (called.kind === 'completed' && called.result.order !== undefined) reads.push(called.result.order);
    return called;
  });
  const [order] = reads;
  if (order === undefined) payment.reads.dueNow(cause);
  else {
    const at = readDuring(order.read_at, begunAt, ctx.now());
    const isUnsent = sent.kind === 'again' && sent.nothingBy === 'not_sent';
    if (!(await mayBeRequested(ctx, payment, { at, cause, read: order.read })) && isUnsent) return;
  }
  payment.applySubmitted(sent);
}

/** The service took the request: reads until the order is refunded, or ten days have passed. */
function confirm(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  const waiting = {
    until: () => Math.min(payment.reads.nextReadAt, payment.confirmationEndsAt),
    awaiting: 'the confirmation of the refund by a read of the order',
  };
  return whenDue(ctx, payment, refundStages.confirm, waiting, readOrder);
}

/** Refused, failed or unconfirmed: an operator retries or resolves it. The order is read on. */
async function awaitDecision(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  if (payment.needsFreshRun) await ctx.continueAsNew();
  const waiting = {
    until: () => payment.reads.nextReadAt,
    awaiting: 'retryRefund or resolveRefund; the order is read on',
    takes: {
      retryRefund: (command: CommandMessages['retryRefund']) => retry(ctx, payment, command),
      resolveRefund: (command: CommandMessages['resolveRefund']) => {
        payment.apply(resolvedAs(payment.data, command.outcome), command);
      },
    },
  };
  return whenDue(ctx, payment, refundStages.decide, waiting, readOrder);
}

/** Cancelled or resolved: the service may show otherwise, and it may be requested after all. */
async function watch(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  if (payment.needsFreshRun) await ctx.continueAsNew();
  const woke = await ctx.wait(refundStages.watch, {
    until: () => Math.min(payment.reads.nextReadAt, payment.reads.onceDueAt(payment.watchEndsAt)),
    awaiting: 'the end of the watch; retryRefund has it requested after all',
    takes: { retryRefund: (command) => retry(ctx, payment, command) },
  });
  if (woke !== 'due') return;
  const isSure = (await readOrder(ctx, payment)) || payment.data.requests === 0;
  if (isSure && payment.stage === 'watch' && ctx.now() >= payment.watchEndsAt)
    payment.apply({ phase: 'over' });
}

/** It is over, and something that does not fit is still to be seen by an operator. */
function awaitAcknowledgement(ctx: PaymentContext): Promise<unknown> {
  const awaiting = 'acknowledgeAttention by an operator';
  return ctx.wait(refundStages.acknowledge, { until: () => Infinity, awaiting });
}
