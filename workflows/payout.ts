import type { PayoutInput } from '../src/contract/payout.js';
import { cancelled, pendingAccount, withAccount } from '../src/domain/payout.js';
import { payoutStages, type PayoutStage } from '../src/domain/payout-stages.js';
import { abandon, endUnsent, resolve, retry, withdraw } from './payout/commands.js';
import { PayoutPayment } from './payout/payment.js';
import { mayBeSent } from './payout/proof.js';
import { readAttempts, scanForLatest } from './payout/reads.js';
import { sendLatest } from './payout/submission.js';
import { closesUnread, endsRefused, lastReadDueAt, refusalEndsAt, watchEndsAt } from './payout/watch.js';
import type { CommandMessages } from './shared/commands.js';
import type { PaymentContext, Waiting, Woke } from './shared/context.js';
import { lifecycle, paymentWorkflow, whenDue, type OpenStage } from './shared/lifecycle.js';
import { waitsToSend } from './shared/submission.js';
import { nextStep, validationStep } from './shared/validation-step.js';
import { hasEnded, objectionOf } from '../src/domain/validation.js';

/**
 * A payout by pix or bank transfer, from its submission to the end of its watch. One workflow owns it through any
 * number of attempts; a further one is made only on command, and only when every previous one is proven failed.
 *
 * Endpoints: `POST /v1/payout/pix`, `POST /v1/payout/transfer`, `GET /v1/payout/{id}`, `GET /v1/payouts`.
 */
export const payoutLifecycle = lifecycle<OpenStage<PayoutStage>, PayoutPayment>({
  validate: validateAccount,
  submit,
  verify,
  resolve: awaitResolution,
  find,
  follow,
  decide: (ctx, payment) => awaitDecision(ctx, payment, (waiting) => ctx.wait(payoutStages.decide, waiting)),
  decide_unread: (ctx, payment) =>
    awaitDecision(ctx, payment, ({ takes, ...waiting }) =>
      ctx.wait(payoutStages.decide_unread, {
        ...waiting,
        takes: { ...takes, ...takesFinding(ctx, payment) },
      }),
    ),
  watch,
});

export const payout = paymentWorkflow(PayoutPayment, payoutLifecycle);

/** Before the first attempt of a transfer that asks for it: the account has to be validated. */
async function validateAccount(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const account = pendingAccount(payment.data);
  if (account === null) return;
  if (hasEnded(account, ctx.now())) {
    return endUnsent(ctx, payment, () => {
      payment.neverSent(`Not sent. ${objectionOf(account)}`, 'account_invalid');
    });
  }
  const waiting = nextStep({
    now: () => ctx.now(),
    start: payment.start,
    get data() {
      return pendingAccount(payment.data) ?? account;
    },
    set: (changes) => {
      payment.set(withAccount(payment.data, changes));
    },
  });
  const woke = await ctx.wait(payoutStages.validate, { ...waiting, takes: takesUnsent(ctx, payment) });
  if (woke === 'due') await advanceValidation(ctx, payment);
}

async function advanceValidation(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const account = pendingAccount(payment.data);
  if (account === null) return;
  const changes = await validationStep(ctx, payment, account, validationOf(payment.input));
  payment.apply(withAccount(payment.data, changes));
  if (pendingAccount(payment.data) === null) {
    payment.record.note('The account was validated; the answer is not verified.');
  }
}

/** Sends the latest attempt once; again only after proof that the previous call had no effect. */
async function submit(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const { sendBefore } = payment;
  const { until, ...waiting } = payment.data.submission.wasAnswered
    ? waitsToSend(payment, 'the time to look whether the service has taken it all the same')
    : waitsToSend(payment);
  const takes = takesUnsent(ctx, payment);
  const isDue = async (until: () => number) =>
    (await ctx.wait(payoutStages.submit, { ...waiting, until, takes })) === 'due';
  if (!(await isDue(() => Math.min(until(), sendBefore)))) return;
  if (ctx.now() >= sendBefore) {
    return endUnsent(ctx, payment, () => {
      payment.endUnsent('The time named by send_before has passed.');
    });
  }
  // Its turn has not come for an hour: that is reported, and nothing is sent.
  if (payment.data.submission.inLine) return sendLatest(ctx, payment);
  if (!(await mayBeSent(ctx, payment))) return;
  // What came in while the proof was made goes first: a withdrawal above all.
  if (await isDue(() => 0)) await sendLatest(ctx, payment);
}

/** It is not known whether the service took the latest attempt: complete scans of its list look for it. */
function verify(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const waiting = { ...nextRead(payment), awaiting: 'the next scan for the submission' };
  return whenDue(ctx, payment, payoutStages.verify, waiting, scanForLatest);
}

/** Scans did not find it, which proves nothing: an operator finds out, or a later scan does. */
function awaitResolution(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const takes = takesFinding(ctx, payment);
  const waiting = { ...nextRead(payment), awaiting: 'resolveSubmission by an operator', takes };
  return whenDue(ctx, payment, payoutStages.resolve, waiting, readAttempts);
}

/** No read finds its identifier: it may be the wrong one, or the payout may have moved to another one. */
function find(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const waiting = { ...nextRead(payment), takes: takesFinding(ctx, payment) };
  return whenDue(ctx, payment, payoutStages.find, waiting, readAttempts);
}

/** Money may be on its way: reads until every attempt is done or failed. */
function follow(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  return whenDue(ctx, payment, payoutStages.follow, nextRead(payment), readAttempts);
}

/** Every attempt failed: an operator retries or abandons, unless a read shows that one moved after all. */
async function awaitDecision(
  ctx: PaymentContext,
  payment: PayoutPayment,
  wait: (waiting: Waiting<'retryPayout' | 'abandonPayout'>) => Promise<Woke>,
): Promise<void> {
  if (payment.needsFreshRun) await ctx.continueAsNew();
  const woke = await wait({
    until: () => Math.min(payment.reads.nextReadAt, payment.reads.onceDueAt(refusalEndsAt(payment))),
    awaiting: 'retryPayout or abandonPayout; it is read daily',
    takes: {
      retryPayout: (command) => retry(ctx, payment, command),
      abandonPayout: (command) => abandon(ctx, payment, command),
    },
  });
  if (woke !== 'due') return;
  const isOver = ctx.now() >= refusalEndsAt(payment);
  const read = await readAttempts(ctx, payment);
  if (isOver && read !== 'unreadable' && endsRefused(payment)) payment.apply({ closed: true });
}

/** Settled: it is read rarely until the end of its watch, which ends with a read that worked. */
async function watch(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const until = () => Math.min(payment.reads.nextReadAt, lastReadDueAt(payment));
  const ends = Number.isFinite(watchEndsAt(payment));
  const awaiting = ends ? 'the end of the watch' : 'an operator, see attention';
  if ((await ctx.wait(payoutStages.watch, { until, awaiting })) !== 'due') return;
  const isOver = ctx.now() >= watchEndsAt(payment);
  const read = isOver && closesUnread(payment) ? 'clear' : await readAttempts(ctx, payment);
  if (isOver && read === 'clear' && ctx.now() >= watchEndsAt(payment)) payment.apply({ closed: true });
}

/** What most stages wait for. */
function nextRead({ reads }: PayoutPayment) {
  return { until: () => reads.nextReadAt, awaiting: 'the next status of the service' };
}

/** What an operator has found out about the submission of the latest attempt. */
function takesFinding(ctx: PaymentContext, payment: PayoutPayment) {
  return {
    resolveSubmission: (command: CommandMessages['resolveSubmission']) => resolve(ctx, payment, command),
  };
}

/** What an operator may do while nothing of the latest attempt was sent. */
function takesUnsent(ctx: PaymentContext, payment: PayoutPayment) {
  return {
    abandonPayout: (command: CommandMessages['abandonPayout']) => withdraw(ctx, payment, command),
    cancel: () =>
      endUnsent(ctx, payment, () => {
        const isUntried = payment.attemptNumber() === 1 && payment.latest.deniedAt === undefined;
        if (isUntried) payment.apply(cancelled(payment.data));
        else payment.endUnsent('It was withdrawn by a cancel request.');
      }),
  };
}

/** The body of `POST /v1/account/validate`, from the fields of the transfer. */
function validationOf(input: PayoutInput) {
  const { document, first_name, last_name, partner_code } = input;
  const account = input.method === 'transfer' && { bank_code: input.bank_code, account: input.account };
  return { partner_code, first_name, last_name, document, ...account };
}
