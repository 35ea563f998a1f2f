import type { PayoutInput } from '../src/contract/payout.js';
import type { PayoutState } from '../src/contract/state.js';
import { formatAmount } from '../src/domain/money.js';
import { abandon, endUnsent, resolve, retry, withdraw } from './payout/commands.js';
import { PayoutPayment, type PayoutSnapshot } from './payout/payment.js';
import { mayBeSent } from './payout/proof.js';
import { readAttempts, scanForLatest } from './payout/reads.js';
import { closesUnread, endsRefused, lastReadDueAt, refusalReadDueAt, watchEndsAt } from './payout/watch.js';
import type { PaymentContext } from './shared/context.js';
import { registerHandlers } from './shared/handlers.js';
import { TemporalContext } from './shared/temporal-context.js';
import { temporalRun, type Continued } from './shared/temporal-run.js';
import { advanceValidation } from './shared/validation-request.js';

/**
 * A payout by pix or bank transfer, from its submission to the end of its watch. One workflow owns it through any
 * number of attempts; a further one is made only on command, and only when every previous one is proven failed.
 *
 * Endpoints: `POST /v1/payout/pix`, `POST /v1/payout/transfer`, `GET /v1/payout/{id}`, `GET /v1/payouts`.
 */
export async function payout(input: PayoutInput, snapshot?: Continued<PayoutSnapshot>): Promise<PayoutState> {
  const payment = new PayoutPayment(input, temporalRun(snapshot?.run), snapshot);
  const ctx = new TemporalContext(payment, input);
  registerHandlers(ctx, payment, ['retryPayout', 'abandonPayout', 'resolveSubmission']);
  return ctx.live(() => payoutLifecycle(ctx, payment));
}

/** The life of a payout. Statuses can regress, so each stage is left as soon as the payout is no longer in it. */
export async function payoutLifecycle(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  if (payment.start.problem !== undefined) payment.rejectInput(payment.start.problem);
  while (!payment.closed) {
    await validateAccount(ctx, payment);
    await submit(ctx, payment);
    await verify(ctx, payment);
    await awaitResolution(ctx, payment);
    await follow(ctx, payment);
    await awaitDecision(ctx, payment);
    await watch(ctx, payment);
  }
}

/** Before the first attempt of a transfer that asks for it: the account has to be validated. */
async function validateAccount(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const { account } = payment;
  while (!payment.closed && payment.awaitsAccount && account.validation !== null) {
    if (account.validation.ended(ctx.now())) {
      await endUnsent(ctx, payment, () => {
        payment.fail('never_sent', `Not sent. ${account.objection}`, 'account_invalid');
      });
      return;
    }
    await advanceValidation(ctx, payment, account.validation, takesUnsent(ctx, payment));
    if (account.hasPassed) payment.record.note('The account was validated; the answer is not verified.');
  }
}

/** Sends the latest attempt once; again only after proof that the previous call had no effect. */
async function submit(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  while (!payment.closed && payment.stage === 'submit') {
    const { data, sendBefore } = payment;
    const until = () => Math.min(data.submission.at, sendBefore);
    const woke = await ctx.wait(until, 'the time to send it again', takesUnsent(ctx, payment));
    if (woke !== 'due') continue;
    if (ctx.now() >= sendBefore) {
      await endUnsent(ctx, payment, () => {
        payment.fail('never_sent', 'Not sent: the time named by send_before has passed. No money has moved.');
      });
    } else if (await mayBeSent(ctx, payment)) {
      // What came in while the proof was made goes first: a withdrawal above all.
      const still = await ctx.wait(() => 0, 'the time to send it again', takesUnsent(ctx, payment));
      if (still === 'due') payment.applySubmitted(await sendLatest(ctx, payment));
    }
  }
}

function sendLatest(ctx: PaymentContext, payment: PayoutPayment) {
  const { attempts, data, input, method, record } = payment;
  const { corrections, scanBegunAt, scannedAt, submission } = data;
  const { decidedAt, number } = attempts.latest;
  payment.sending();
  const doing = `submit attempt ${String(number)} of ${formatAmount(record.valueCentavos)}`;
  return ctx.send(submission, doing, (calls, once) => {
    const call = {
      ...once,
      payout: input,
      corrections,
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
  while (payment.stage === 'verify') {
    const woke = await ctx.wait(() => payment.reads.nextReadAt, 'the next scan for the submission');
    if (woke === 'due') await scanForLatest(ctx, payment);
  }
}

/** Scans did not find it, which proves nothing: an operator finds out, or a later scan does. */
async function awaitResolution(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  while (payment.stage === 'resolve') {
    const woke = await ctx.wait(() => payment.reads.nextReadAt, 'resolveSubmission by an operator', {
      resolveSubmission: (command) => resolve(ctx, payment, command),
    });
    if (woke === 'due') await readAttempts(ctx, payment);
  }
}

/** Money may be on its way: reads until every attempt is done or failed. */
async function follow(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  while (payment.stage === 'follow') {
    const woke = await ctx.wait(() => payment.reads.nextReadAt, 'the next status of the service', {
      resolveSubmission: (command) => resolve(ctx, payment, command),
    });
    if (woke === 'due') await readAttempts(ctx, payment);
  }
}

/** Every attempt failed: an operator retries or abandons, unless a read shows that one moved after all. */
async function awaitDecision(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  while (!payment.closed && payment.stage === 'decide') {
    if (payment.needsFreshRun) await ctx.continueAsNew();
    const until = () => Math.min(payment.reads.nextReadAt, refusalReadDueAt(payment));
    const woke = await ctx.wait(until, 'retryPayout or abandonPayout; it is read daily', {
      retryPayout: (command) => retry(ctx, payment, command),
      abandonPayout: (command) => abandon(ctx, payment, command),
    });
    if (woke === 'due' && (await readAttempts(ctx, payment)) !== 'unreadable' && endsRefused(payment)) {
      payment.closed = true;
    }
  }
}

/** Settled: it is read rarely until the end of its watch, which ends with a read that worked. */
async function watch(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  while (!payment.closed && payment.stage === 'watch') {
    const until = () => Math.min(payment.reads.nextReadAt, lastReadDueAt(payment));
    const ends = Number.isFinite(watchEndsAt(payment));
    const woke = await ctx.wait(until, ends ? 'the end of the watch' : 'an operator, see attention');
    if (woke !== 'due') continue;
    const isOver = ctx.hasPassed(watchEndsAt(payment));
    const read = isOver && closesUnread(payment) ? 'clear' : await readAttempts(ctx, payment);
    if (isOver && read === 'clear' && ctx.hasPassed(watchEndsAt(payment))) payment.closed = true;
  }
}

/** What an operator may do while nothing of the latest attempt was sent. */
function takesUnsent(ctx: PaymentContext, payment: PayoutPayment) {
  return {
    abandonPayout: (command: Parameters<typeof withdraw>[2]) => withdraw(ctx, payment, command),
    cancel: () =>
      endUnsent(ctx, payment, () => {
        if (payment.attemptNumber() === 1) payment.cancel();
        else payment.fail('never_sent', 'Withdrawn by a cancel request before it was sent.');
      }),
  };
}
