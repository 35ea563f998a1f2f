import type { PayoutInput } from '../src/contract/payout.js';
import type { PayoutState } from '../src/contract/state.js';
import { formatAmount } from '../src/domain/money.js';
import { spans } from '../src/domain/cadence.js';
import { cancelled } from '../src/domain/payout.js';
import { payoutStages } from '../src/domain/payout-stages.js';
import { abandon, endUnsent, resolve, retry, withdraw } from './payout/commands.js';
import { PayoutPayment, type PayoutSnapshot } from './payout/payment.js';
import { mayBeSent } from './payout/proof.js';
import { readAttempts, scanForLatest } from './payout/reads.js';
import { closesUnread, endsRefused, lastReadDueAt, refusalReadDueAt, watchEndsAt } from './payout/watch.js';
import type { PaymentContext } from './shared/context.js';
import { registerHandlers } from './shared/handlers.js';
import { TemporalContext } from './shared/temporal-context.js';
import { temporalRun, type Continued } from './shared/temporal-run.js';
import { advanceValidation, awaitedOf } from './shared/validation-request.js';

/**
 * A payout by pix or bank transfer, from its submission to the end of its watch. One workflow owns it through any
 * number of attempts; a further one is made only on command, and only when every previous one is proven failed.
 *
 * Endpoints: `POST /v1/payout/pix`, `POST /v1/payout/transfer`, `GET /v1/payout/{id}`, `GET /v1/payouts`.
 */
export async function payout(input: PayoutInput, snapshot?: Continued<PayoutSnapshot>): Promise<PayoutState> {
  const payment = new PayoutPayment(input, temporalRun(snapshot?.run), snapshot);
  const ctx = new TemporalContext(payment, input);
  registerHandlers(ctx, payment);
  return ctx.live(() => payoutLifecycle(ctx, payment));
}

/** The life of a payout: one step of the stage that it is in, until it is closed. Statuses can regress. */
export async function payoutLifecycle(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  if (payment.start.problem !== undefined) payment.rejectInput(payment.start.problem);
  for (;;) {
    const { stage } = payment;
    switch (stage) {
      case 'validate':
        await validateAccount(ctx, payment);
        break;
      case 'submit':
        await submit(ctx, payment);
        break;
      case 'verify':
        await verify(ctx, payment);
        break;
      case 'resolve':
        await awaitResolution(ctx, payment);
        break;
      case 'find':
        await find(ctx, payment);
        break;
      case 'follow':
        await follow(ctx, payment);
        break;
      case 'decide':
        await awaitDecision(ctx, payment);
        break;
      case 'watch':
        await watch(ctx, payment);
        break;
      case 'closed':
        return;
    }
  }
}

/** Before the first attempt of a transfer that asks for it: the account has to be validated. */
async function validateAccount(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const { account, pendingValidation: validation } = payment;
  if (validation === null) return;
  if (validation.ended(ctx.now())) {
    return endUnsent(ctx, payment, () => {
      payment.fail('never_sent', `Not sent. ${account.objection}`, 'account_invalid');
    });
  }
  const woke = await ctx.wait(payoutStages.validate, {
    until: () => validation.dueAt(),
    awaiting: awaitedOf(validation),
    takes: takesUnsent(ctx, payment),
  });
  if (woke === 'due') await advanceValidation(ctx, payment, validation);
  payment.conclude();
  if (account.hasPassed) payment.record.note('The account was validated; the answer is not verified.');
}

/** Sends the latest attempt once; again only after proof that the previous call had no effect. */
async function submit(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const { sendBefore } = payment;
  const isDue = async (until: () => number) => {
    const awaiting = 'the time to send it again';
    const woke = await ctx.wait(payoutStages.submit, { until, awaiting, takes: takesUnsent(ctx, payment) });
    return woke === 'due';
  };
  if (!(await isDue(() => Math.min(payment.data.submission.at, sendBefore)))) return;
  if (ctx.now() >= sendBefore) {
    return endUnsent(ctx, payment, () => {
      payment.fail('never_sent', 'Not sent: the time named by send_before has passed. No money has moved.');
    });
  }
  if (!(await mayBeSent(ctx, payment))) return;
  // What came in while the proof was made goes first: a withdrawal above all.
  if (await isDue(() => 0)) payment.applySubmitted(await sendLatest(ctx, payment));
}

function sendLatest(ctx: PaymentContext, payment: PayoutPayment) {
  const { corrections, data, input, method, record } = payment;
  const { scanBegunAt, scannedAt, submission } = data;
  // The deadline of the payout counts from the first send on.
  payment.set({ overdueFrom: data.overdueFrom ?? ctx.now() + payment.scaled(spans.payoutDoneMs) });
  const { decidedAt, number } = payment.latest;
  const doing = `submit attempt ${String(number)} of ${formatAmount(record.valueCentavos)}`;
  return ctx.send(submission, doing, (calls, once) => {
    const call = {
      ...once,
      payout: input,
      corrections: corrections.latest,
      attempt: number,
      decided_at: new Date(decidedAt).toISOString(),
      scanned_at: scannedAt === null ? null : new Date(scannedAt).toISOString(),
      scan_begun_at: scanBegunAt === null ? null : new Date(scanBegunAt).toISOString(),
    };
    return method === 'transfer' ? calls.createTransferPayout(call) : calls.createPixPayout(call);
  });
}

/** It is not known whether the service took the latest attempt: complete scans of its list look for it. */
async function verify(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const until = () => payment.reads.nextReadAt;
  const woke = await ctx.wait(payoutStages.verify, { until, awaiting: 'the next scan for the submission' });
  if (woke === 'due') await scanForLatest(ctx, payment);
}

/** Scans did not find it, which proves nothing: an operator finds out, or a later scan does. */
async function awaitResolution(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const woke = await ctx.wait(payoutStages.resolve, {
    until: () => payment.reads.nextReadAt,
    awaiting: 'resolveSubmission by an operator',
    takes: { resolveSubmission: (command) => resolve(ctx, payment, command) },
  });
  if (woke === 'due') await readAttempts(ctx, payment);
}

/** The service answered with an identifier that no read has found yet: it may be the wrong one. */
async function find(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const woke = await ctx.wait(payoutStages.find, {
    until: () => payment.reads.nextReadAt,
    awaiting: nextStatus,
    takes: { resolveSubmission: (command) => resolve(ctx, payment, command) },
  });
  if (woke === 'due') await readAttempts(ctx, payment);
}

/** Money may be on its way: reads until every attempt is done or failed. */
async function follow(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const until = () => payment.reads.nextReadAt;
  const woke = await ctx.wait(payoutStages.follow, { until, awaiting: nextStatus });
  if (woke === 'due') await readAttempts(ctx, payment);
}

/** Every attempt failed: an operator retries or abandons, unless a read shows that one moved after all. */
async function awaitDecision(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  if (payment.needsFreshRun) await ctx.continueAsNew();
  const woke = await ctx.wait(payoutStages.decide, {
    until: () => Math.min(payment.reads.nextReadAt, refusalReadDueAt(payment)),
    awaiting: 'retryPayout or abandonPayout; it is read daily',
    takes: {
      retryPayout: (command) => retry(ctx, payment, command),
      abandonPayout: (command) => abandon(ctx, payment, command),
    },
  });
  if (woke === 'due' && (await readAttempts(ctx, payment)) !== 'unreadable' && endsRefused(payment)) {
    payment.apply({ closed: true });
  }
}

/** Settled: it is read rarely until the end of its watch, which ends with a read that worked. */
async function watch(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const until = () => Math.min(payment.reads.nextReadAt, lastReadDueAt(payment));
  const ends = Number.isFinite(watchEndsAt(payment));
  const awaiting = ends ? 'the end of the watch' : 'an operator, see attention';
  if ((await ctx.wait(payoutStages.watch, { until, awaiting })) !== 'due') return;
  const isOver = ctx.hasPassed(watchEndsAt(payment));
  const read = isOver && closesUnread(payment) ? 'clear' : await readAttempts(ctx, payment);
  if (isOver && read === 'clear' && ctx.hasPassed(watchEndsAt(payment))) payment.apply({ closed: true });
}

const nextStatus = 'the next status of the service';

/** What an operator may do while nothing of the latest attempt was sent. */
function takesUnsent(ctx: PaymentContext, payment: PayoutPayment) {
  return {
    abandonPayout: (command: Parameters<typeof withdraw>[2]) => withdraw(ctx, payment, command),
    cancel: () =>
      endUnsent(ctx, payment, () => {
        if (payment.attemptNumber() === 1) payment.apply(cancelled(payment.data));
        else payment.fail('never_sent', 'Withdrawn by a cancel request before it was sent.');
      }),
  };
}
