import { CancellationScope, setHandler } from '@temporalio/workflow';
import type { IssueThreeDSecureToken, ThreeDSecureToken } from '../src/contract/messages.js';
import type { ThreeDSecureOrderInput } from '../src/contract/order.js';
import type { OrderState } from '../src/contract/state.js';
import { messageProblem } from '../src/domain/command-messages.js';
import { formatAmount } from '../src/domain/money.js';
import { issueThreeDSecureTokenUpdate } from './messages.js';
import { threeDSecureStages } from '../src/domain/order-stages.js';
import { awaitResolution, find, open, watch } from './order/stages.js';
import { readDueAt, readOrder } from './order/reads.js';
import { ThreeDSecurePayment, type ThreeDSecureSnapshot } from './order/three-d-secure-payment.js';
import type { CommandMessages } from './shared/commands.js';
import { unknownAfterReset, type PaymentContext } from './shared/context.js';
import { registerHandlers, toFailure } from './shared/handlers.js';
import { Refused } from '../src/domain/refused.js';
import { TemporalContext } from './shared/temporal-context.js';
import { temporalRun, type Continued } from './shared/temporal-run.js';

/**
 * An order that the customer authenticates in the browser: from its submission through tokens for the browser, the
 * completion with a card and settlement, to the end of its watch. One that is not completed in time expires, after a
 * read that worked.
 *
 * Endpoints: `POST /v1/3ds/order`, `GET /v1/3ds/token`, `PUT /v1/3ds/order/{id}`, `GET /v1/order/{id}`.
 */
export async function threeDSecureOrder(
  input: ThreeDSecureOrderInput,
  snapshot?: Continued<ThreeDSecureSnapshot>,
): Promise<OrderState> {
  const payment = new ThreeDSecurePayment(input, temporalRun(snapshot?.run), snapshot);
  const ctx = new TemporalContext(payment, input);
  registerHandlers(ctx, payment);
  registerTokenHandler(ctx, payment);
  return ctx.live(() => threeDSecureLifecycle(ctx, payment));
}

/** The life of a 3D Secure order: one step of the stage that it is in, until it is closed. Statuses can regress. */
export async function threeDSecureLifecycle(
  ctx: PaymentContext,
  payment: ThreeDSecurePayment,
): Promise<void> {
  if (payment.start.problem !== undefined) payment.rejectInput(payment.start.problem);
  const { input, record } = payment;
  const doing = `open a 3D Secure order of ${formatAmount(record.valueCentavos)}`;
  for (;;) {
    const { stage } = payment;
    switch (stage) {
      case 'submit':
        await open(ctx, payment, doing, (calls, once) =>
          calls.createThreeDSecureOrder({ ...once, order: input }),
        );
        break;
      case 'resolve':
        await awaitResolution(ctx, payment);
        break;
      case 'authenticate':
        await authenticate(ctx, payment);
        break;
      case 'complete':
        await complete(ctx, payment);
        break;
      case 'await_card':
        await awaitAnotherCard(ctx, payment);
        break;
      case 'resolve_completion':
        await awaitCompletion(ctx, payment);
        break;
      case 'find':
        await find(ctx, payment);
        break;
      case 'follow':
        await followCompleted(ctx, payment);
        break;
      case 'watch':
        await watch(ctx, payment);
        break;
      case 'closed':
        return;
    }
  }
}

/** Waits for the customer, until the time for it is over and a read shows that nobody has paid. */
async function authenticate(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<void> {
  if (payment.needsFreshRun) await ctx.continueAsNew();
  const woke = await ctx.wait(threeDSecureStages.authenticate, {
    until: () => readDueAt(payment),
    awaiting: 'the authentication of the customer',
    takes: { completeThreeDSecure: (command) => beginCompletion(ctx, payment, command) },
  });
  if (woke === 'due') await readOrder(ctx, payment);
}

/** Sends the card of an authenticated customer once; again only after proof that the previous call had no effect. */
async function complete(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<void> {
  const { card, completion } = payment;
  const endsAt = completion.until ?? 0;
  const woke = await ctx.wait(threeDSecureStages.complete, {
    until: () => Math.min(card.dueAt, endsAt, readDueAt(payment)),
    awaiting: 'the time to send it again',
  });
  if (woke !== 'due') return;
  if (ctx.hasPassed(endsAt)) {
    return payment.reopen('Its time was over before the completion could be sent. Nothing was charged.');
  }
  if (ctx.now() < card.dueAt) await readAndSettle(ctx, payment);
  else if (await mayBeCompleted(ctx, payment)) await sendCompletion(ctx, payment);
}

/** A completion that was put off is sent after a fresh read alone: the order may have moved meanwhile. */
async function mayBeCompleted(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<boolean> {
  if (!payment.completion.putOff) return true;
  const isRead = await readAndSettle(ctx, payment);
  if (payment.stage !== 'complete') return false;
  if (!isRead) payment.card.putOff('The order can not be read clearly.');
  return isRead;
}

/** The card of an authenticated customer was lost before it was sent: another one may be provided. */
async function awaitAnotherCard(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<void> {
  const { card } = payment;
  const woke = await ctx.wait(threeDSecureStages.await_card, {
    until: () => Math.min(payment.reads.onceDueAt(card.dueAt), readDueAt(payment)),
    awaiting: 'a card; without one the order expires',
    takes: {
      completeThreeDSecure: (command) => beginCompletion(ctx, payment, command),
      provideCard: (command) => {
        payment.provideCard(command);
      },
    },
  });
  if (woke === 'due') await readAndSettle(ctx, payment);
}

async function sendCompletion(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<void> {
  const { card, completion, record } = payment;
  const { credentials } = completion;
  if (credentials === null)
    return payment.reopen('There is nothing to complete it with. Nothing was charged.');
  const doing = `complete a 3D Secure order of ${formatAmount(record.valueCentavos)}`;
  const sent = await card.send(ctx, doing, (calls, once) =>
    calls.completeThreeDSecureOrder({ ...once, ...credentials, service_id: record.serviceId ?? '' }),
  );
  completion.putOff ||= sent === undefined;
  if (sent === undefined) return;
  if (sent.kind !== 'card_gone') return payment.applyCompletion(sent);
  if (await ctx.wasReset()) payment.markCompletionUnknown(unknownAfterReset);
  else payment.awaitCard(sent.reason);
}

/** The outcome of the completion is unknown: an operator finds out, or a status that a read shows decides it. */
async function awaitCompletion(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<void> {
  const woke = await ctx.wait(threeDSecureStages.resolve_completion, {
    until: () => readDueAt(payment),
    awaiting: 'resolveSubmission by an operator, or a status that decides it',
    takes: {
      resolveSubmission: (command) => {
        payment.resolveCompletion(command);
      },
    },
  });
  if (woke === 'due') await readAndSettle(ctx, payment);
}

/** Money is expected to move: reads until the order is settled or has failed. */
async function followCompleted(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<void> {
  const awaiting = 'the next status of the service';
  const woke = await ctx.wait(threeDSecureStages.follow, { until: () => readDueAt(payment), awaiting });
  if (woke === 'due') await readAndSettle(ctx, payment);
}

async function readAndSettle(ctx: PaymentContext, payment: ThreeDSecurePayment): Promise<boolean> {
  const isRead = await readOrder(ctx, payment);
  payment.settleCompletion();
  return isRead;
}

/** After a completion that the service refused, a fresh read has to show that it had no effect. */
async function beginCompletion(
  ctx: PaymentContext,
  payment: ThreeDSecurePayment,
  command: CommandMessages['completeThreeDSecure'],
): Promise<void> {
  if (payment.completion.sentBefore && !(await readAndSettle(ctx, payment))) {
    throw new Refused(
      'CouldNotRead',
      'The order could not be read just now, so nothing was sent. Try again.',
    );
  }
  const refusal = payment.refusalOf({ name: 'completeThreeDSecure', message: command });
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
