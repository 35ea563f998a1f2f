import type { RefundInput } from '../src/contract/refund.js';
import type { RefundState } from '../src/contract/state.js';
import { describeProblems } from '../src/domain/submission.js';
import { cancel, retry } from './refund/commands.js';
import { RefundPayment, type RefundSnapshot } from './refund/payment.js';
import { mayBeRequested, readOrder } from './refund/reads.js';
import type { PaymentContext } from './shared/context.js';
import { registerHandlers } from './shared/handlers.js';
import { TemporalContext } from './shared/temporal-context.js';
import { temporalRun, type Continued } from './shared/temporal-run.js';

/**
 * The refund of an order, by the order's identifier at the service, whether or not its own workflow is still there. It is
 * requested once and followed until a read shows the order as refunded, or an operator has resolved it. A read that goes
 * on showing `paid` proves neither that it failed nor that it was never queued.
 *
 * Endpoints: `PUT /v1/order/{id}/refund`, `GET /v1/order/{id}`.
 */
export async function refund(input: RefundInput, snapshot?: Continued<RefundSnapshot>): Promise<RefundState> {
  const payment = new RefundPayment(input, temporalRun(snapshot?.run), snapshot);
  const ctx = new TemporalContext(payment, input);
  registerHandlers(ctx, payment, ['retryRefund', 'resolveRefund']);
  return ctx.live(() => refundLifecycle(ctx, payment));
}

/** The life of a refund. What a read shows can change, so each stage is left once the refund is no longer in it. */
export async function refundLifecycle(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  await checkInput(ctx, payment);
  while (!payment.closed) {
    await request(ctx, payment);
    await confirm(ctx, payment);
    await awaitDecision(ctx, payment);
    await awaitAcknowledgement(ctx, payment);
  }
}

async function checkInput(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  if (payment.start.problem !== undefined) return payment.rejectInput(payment.start.problem);
  if (payment.stage !== 'check') return;
  const problems = await ctx.checkInput('refund', payment.input);
  if (problems.length > 0) payment.rejectInput(describeProblems(problems));
  else payment.beginChecked();
}

/** Requests the refund once. Before each request a fresh read has to show that none is made or under way. */
async function request(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  while (payment.stage === 'request') {
    const until = () => Math.max(payment.data.submission.at, payment.data.readAgainAt);
    const woke = await ctx.wait(until, 'the time to request it', { cancel: () => cancel(ctx, payment) });
    if (woke !== 'due' || !(await mayBeRequested(ctx, payment))) continue;
    const sent = await ctx.send(payment.data.submission, 'request the refund', (calls, once) =>
      calls.requestRefund({ ...once, service_id: payment.input.service_id }),
    );
    payment.applySubmitted(sent);
  }
}

/** The service took the request: reads until the order is refunded, or ten days have passed. */
async function confirm(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  while (payment.stage === 'confirm') {
    const until = () => Math.min(payment.reads.nextReadAt, payment.confirmationEndsAt);
    const woke = await ctx.wait(until, 'the confirmation of the refund by a read of the order');
    if (woke === 'due') await readOrder(ctx, payment);
  }
}

/** Refused, failed or unconfirmed: an operator retries or resolves it. The order is read on. */
async function awaitDecision(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  while (payment.stage === 'decide') {
    if (payment.needsFreshRun) await ctx.continueAsNew();
    const woke = await ctx.wait(
      () => payment.reads.nextReadAt,
      'retryRefund or resolveRefund; the order is read on',
      {
        retryRefund: (command) => retry(ctx, payment, command),
        resolveRefund: (command) => {
          payment.resolveAs(command.outcome, command);
        },
      },
    );
    if (woke === 'due') await readOrder(ctx, payment);
  }
}

/** Over, but an attention that needs an operator stands. */
async function awaitAcknowledgement(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  while (payment.stage === 'over' && !payment.closed)
    await ctx.wait(() => Infinity, 'acknowledgeAttention by an operator');
}
