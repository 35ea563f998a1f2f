import { CancellationScope, setHandler } from '@temporalio/workflow';
import type { IssueThreeDSecureToken, ThreeDSecureToken } from '../src/contract/messages.js';
import { messageProblem } from '../src/domain/command-messages.js';
import { formatAmount } from '../src/domain/money.js';
import { issueThreeDSecureTokenUpdate } from './messages.js';
import { orderStatements } from '../src/domain/statements.js';
import { threeDSecureStages, type ThreeDSecureStage } from '../src/domain/order-stages.js';
import { awaitResolution, find, nextRead, open, watch } from './order/stages.js';
import { readDueAt, readOrder } from './order/reads.js';
import { ThreeDSecurePayment } from './order/three-d-secure-payment.js';
import type { CommandMessages } from './shared/commands.js';
import { unknownAfterReset, type PaymentContext } from './shared/context.js';
import { toFailure } from './shared/handlers.js';
import { lifecycle, paymentWorkflow, whenDue, type OpenStage } from './shared/lifecycle.js';
import { cardDueAt } from '../src/domain/card-to-send.js';
import { completionVerdict, notProvenOpen } from '../src/domain/completion-proofs.js';
import { withCompletion } from '../src/domain/three-d-secure.js';
import { sendCard } from './order/card-submission.js';
import { Refused } from '../src/domain/refused.js';

export const threeDSecureLifecycle = lifecycle<OpenStage<ThreeDSecureStage>, ThreeDSecurePayment>({
  submit,
  resolve: awaitResolution,
  authenticate,
  complete,
  await_card: awaitAnotherCard,
  resolve_completion: awaitCompletion,
  find,
  follow: followCompleted,
  watch,
});

/**
 * An order that the customer authenticates in the browser: from its submission through tokens for the browser, the
 * completion with a card and settlement, to the end of its watch. One that is not completed in time expires, after a
 * read that worked.
 *
 * Endpoints: `POST /v1/3ds/order`, `GET /v1/3ds/token`, `PUT /v1/3ds/order/{id}`, `GET /v1/order/{id}`.
 */
export const threeDSecureOrder = paymentWorkflow(
  ThreeDSecurePayment,
  threeDSecureLifecycle,
  registerTokenHandler,
);

function submit(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<void> {
  const { input, record } = payment;
  const doing = `open a 3D Secure order of ${formatAmount(record.valueCentavos)}`;
  return open(ctx, payment, doing, (calls, once) => calls.createThreeDSecureOrder({ ...once, order: input }));
}

/** Waits for the customer, until the time for it is over and a read shows that nobody has paid. */
async function authenticate(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<void> {
  if (payment.needsFreshRun) await ctx.continueAsNew();
  const waiting = {
    ...nextRead(payment, 'the authentication of the customer'),
    takes: takesCompletion(ctx, payment),
  };
  return whenDue(ctx, payment, threeDSecureStages.authenticate, waiting, readOrder);
}

/** Sends the card of an authenticated customer once; again only after proof that the previous call had no effect. */
async function complete(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<void> {
  const sendAt = () => cardDueAt(payment.data.card);
  const endsAt = payment.data.completion.until ?? 0;
  const woke = await ctx.wait(threeDSecureStages.complete, {
    until: () => Math.min(sendAt(), endsAt, readDueAt(payment)),
    awaiting: 'the time to send it again',
  });
  if (woke !== 'due') return;
  if (ctx.now() >= endsAt) {
    return reopenUnsent(ctx, payment, 'Its time was over before the completion could be sent.');
  }
  if (ctx.now() < sendAt()) await readAndSettle(ctx, payment);
  else if (await mayBeCompleted(ctx, payment)) await sendCompletion(ctx, payment);
}

/** A completion that was put off is sent after a fresh read alone: the order may have moved meanwhile. */
async function mayBeCompleted(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<boolean> {
  if (payment.record.contested !== undefined) {
    await readAndSettle(ctx, payment);
    if (payment.record.contested !== undefined) payment.putOff('Its identifier may belong to another order.');
    return false;
  }
  if (!payment.data.completion.putOff) return true;
  const usable = await readAndSettle(ctx, payment);
  const verdict = completionVerdict({ stage: payment.stage, usable });
  if (verdict === 'read_again') payment.putOff('The order can not be read clearly.');
  return verdict === 'send';
}

/** The card of an authenticated customer was lost before it was sent: another one may be provided. */
function awaitAnotherCard(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<void> {
  const { reads } = payment;
  const waiting = {
    until: () => Math.min(reads.onceDueAt(cardDueAt(payment.data.card)), readDueAt(payment)),
    awaiting: 'a card; without one the order expires',
    takes: {
      ...takesCompletion(ctx, payment),
      provideCard: (command: CommandMessages['provideCard']) => {
        payment.provideCard(command);
      },
    },
  };
  return whenDue(ctx, payment, threeDSecureStages.await_card, waiting, readAndSettle);
}

async function sendCompletion(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<void> {
  const { data, record } = payment;
  const { credentials } = data.completion;
  if (credentials === null) return reopenUnsent(ctx, payment, 'There is nothing to complete it with.');
  const doing = `complete a 3D Secure order of ${formatAmount(record.valueCentavos)}`;
  const sent = await sendCard(ctx, payment, doing, (calls, once) =>
    calls.completeThreeDSecureOrder({ ...once, ...credentials, service_id: record.serviceId ?? '' }),
  );
  if (sent === undefined) return payment.set(withCompletion(payment.data, { putOff: true }));
  if (sent.kind !== 'card_gone') return payment.applyCompletion(sent);
  if (await ctx.wasReset()) payment.markCompletionUnknown(unknownAfterReset);
  else payment.awaitCard(sent.reason);
}

/** The completion was not sent, or not taken. After a reset the first is no proof: then its outcome is unknown. */
async function reopenUnsent(ctx: PaymentContext, payment: ThreeDSecurePayment, why: string): Promise<void> {
  if (await ctx.wasReset()) payment.markCompletionUnknown(unknownAfterReset);
  else if (payment.data.card.submission.wasAnswered)
    payment.reopen(`${why} ${orderStatements.refusedCall}`, true);
  else payment.reopen(`${why} ${orderStatements.unsent}`);
}

/** The outcome of the completion is unknown: an operator finds out, or a status that a read shows decides it. */
function awaitCompletion(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<void> {
  const waiting = {
    ...nextRead(payment, 'resolveSubmission by an operator, or a status that decides it'),
    takes: {
      resolveSubmission: (command: CommandMessages['resolveSubmission']) => {
        payment.resolveCompletion(command);
      },
    },
  };
  return whenDue(ctx, payment, threeDSecureStages.resolve_completion, waiting, readAndSettle);
}

/** Money is expected to move: reads until the order is settled or has failed. */
function followCompleted(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<void> {
  return whenDue(ctx, payment, threeDSecureStages.follow, nextRead(payment), readAndSettle);
}

async function readAndSettle(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<boolean> {
  const isRead = await readOrder(ctx, payment);
  payment.settleCompletion();
  return isRead;
}

function takesCompletion(ctx: PaymentContext, payment: ThreeDSecurePayment) {
  return {
    completeThreeDSecure: (command: CommandMessages['completeThreeDSecure']) =>
      beginCompletion(ctx, payment, command),
  };
}

/** After one that was sent before, a fresh read has to show that it had no effect. */
async function beginCompletion(
  ctx: PaymentContext,
  payment: ThreeDSecurePayment,
  command: CommandMessages['completeThreeDSecure'],
): Promise<void> {
  const usable = payment.data.completion.sentBefore ? await readAndSettle(ctx, payment) : null;
  const objection = payment.refusalOf({ name: 'completeThreeDSecure', message: command });
  const refusal = notProvenOpen(usable, objection);
  if (refusal !== undefined) throw refusal;
  payment.beginCompletion(command);
}

/** Changes no state, so it does not wait for the lifecycle. */
function registerTokenHandler(ctx: PaymentContext, payment: ThreeDSecurePayment): void {
  const issue = async (): Promise<ThreeDSecureToken> => {
    const token = await CancellationScope.nonCancellable(() => ctx.readThreeDSecureToken());
    if (token !== undefined) return token;
    throw toFailure(
      new Refused('CouldNotRead', 'The service gave no token just now. Nothing was changed. Ask again.'),
    );
  };
  setHandler(issueThreeDSecureTokenUpdate, issue, {
    validator: (message: IssueThreeDSecureToken | undefined) => {
      const problem = messageProblem('issueThreeDSecureToken', message);
      const refused = problem === undefined ? payment.tokenRefusal() : new Refused('InvalidMessage', problem);
      if (refused !== undefined) throw toFailure(refused);
    },
  });
}
