import type { RefundInput } from '../src/contract/refund.js';
import type { RefundState } from '../src/contract/state.js';
import { refundStages } from '../src/domain/refund-stages.js';
import { resolvedAs } from '../src/domain/refund.js';
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
  registerHandlers(ctx, payment);
  return ctx.live(() => refundLifecycle(ctx, payment));
}

/** The life of a refund: one step of the stage that it is in, until it is closed. What a read shows can change. */
export async function refundLifecycle(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  if (payment.start.problem !== undefined) payment.rejectInput(payment.start.problem);
  for (;;) {
    const { stage } = payment;
    switch (stage) {
      case 'check':
        await checkInput(ctx, payment);
        break;
      case 'request':
        await request(ctx, payment);
        break;
      case 'confirm':
        await confirm(ctx, payment);
        break;
      case 'decide':
        await awaitDecision(ctx, payment);
        break;
      case 'watch':
        await watch(ctx, payment);
        break;
      case 'acknowledge':
        await ctx.wait(refundStages.acknowledge, {
          until: () => Infinity,
          awaiting: 'acknowledgeAttention by an operator',
        });
        break;
      case 'closed':
        return;
    }
  }
}

async function checkInput(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  const problems = await ctx.checkInput('refund', payment.input);
  if (problems.length > 0) payment.rejectInput(describeProblems(problems));
  else payment.beginChecked();
}

/** Requests the refund once. Before each request a fresh read has to show that none is made or under way. */
async function request(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  const woke = await ctx.wait(refundStages.request, {
    until: () => Math.max(payment.data.submission.at, payment.data.readAgainAt),
    awaiting: 'the time to request it',
    takes: { cancel: () => cancel(ctx, payment) },
  });
  if (woke !== 'due' || !(await mayBeRequested(ctx, payment))) return;
  const sent = await ctx.send(payment.data.submission, 'request the refund', (calls, once) =>
    calls.requestRefund({ ...once, service_id: payment.input.service_id }),
  );
  payment.applySubmitted(sent);
}

/** The service took the request: reads until the order is refunded, or ten days have passed. */
async function confirm(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  const woke = await ctx.wait(refundStages.confirm, {
    until: () => Math.min(payment.reads.nextReadAt, payment.confirmationEndsAt),
    awaiting: 'the confirmation of the refund by a read of the order',
  });
  if (woke === 'due') await readOrder(ctx, payment);
}

/** Refused, failed or unconfirmed: an operator retries or resolves it. The order is read on. */
async function awaitDecision(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  if (payment.needsFreshRun) await ctx.continueAsNew();
  const woke = await ctx.wait(refundStages.decide, {
    until: () => payment.reads.nextReadAt,
    awaiting: 'retryRefund or resolveRefund; the order is read on',
    takes: {
      retryRefund: (command) => retry(ctx, payment, command),
      resolveRefund: (command) => {
        payment.apply(resolvedAs(payment.data, command.outcome), command);
      },
    },
  });
  if (woke === 'due') await readOrder(ctx, payment);
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
  if (isSure && payment.stage === 'watch' && ctx.hasPassed(payment.watchEndsAt))
    payment.apply({ phase: 'over' });
}
