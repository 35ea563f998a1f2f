import type { CardOrderInput } from '../src/contract/order.js';
import type { OrderState } from '../src/contract/state.js';
import { spans } from '../src/domain/cadence.js';
import { formatAmount } from '../src/domain/money.js';
import { describeProblems } from '../src/domain/submission.js';
import { CardOrderPayment, type CardOrderSnapshot } from './order/card-order-payment.js';
import { awaitResolution, cancelUnsent, endUnsent, follow, watch } from './order/stages.js';
import { unknownAfterReset, type PaymentContext } from './shared/context.js';
import { registerHandlers } from './shared/handlers.js';
import { TemporalContext } from './shared/temporal-context.js';
import { temporalRun, type Continued } from './shared/temporal-run.js';

/**
 * A credit card order, from its submission through settlement to the end of its watch. The card waits in the memory of
 * a gateway; the workflow knows only where. It is sent once; an operator finds out about a call without an answer.
 *
 * Endpoints: `POST /v1/order`, `GET /v1/order/{id}`.
 */
export async function cardOrder(
  input: CardOrderInput,
  snapshot?: Continued<CardOrderSnapshot>,
): Promise<OrderState> {
  const payment = new CardOrderPayment(input, temporalRun(snapshot?.run), snapshot);
  const ctx = new TemporalContext(payment, input);
  registerHandlers(ctx, payment, ['provideCard', 'resolveSubmission']);
  return ctx.live(() => cardOrderLifecycle(ctx, payment));
}

/** The life of a card order. Statuses can regress, so each stage is left as soon as the order is no longer in it. */
export async function cardOrderLifecycle(ctx: PaymentContext, payment: CardOrderPayment): Promise<void> {
  if (payment.start.problem !== undefined) payment.rejectInput(payment.start.problem);
  while (!payment.closed) {
    await submit(ctx, payment);
    await awaitResolution(ctx, payment);
    await follow(ctx, payment);
    await watch(ctx, payment);
  }
}

/** Sends the card once; again only after proof that the previous call had no effect. */
async function submit(ctx: PaymentContext, payment: CardOrderPayment): Promise<void> {
  if (payment.stage === 'submit' && payment.card.stage === 'none') await awaitFirstCard(ctx, payment);
  while (!payment.closed && payment.stage === 'submit') {
    const { card, input, record } = payment;
    const isAwaited = card.stage === 'awaited';
    const awaiting = isAwaited ? 'a card; without one the order is given up' : 'the time to send it again';
    const woke = await ctx.wait(() => card.dueAt, awaiting, {
      provideCard: (command) => {
        payment.provideCard(command);
      },
      cancel: cancelUnsent(ctx, payment),
    });
    if (woke !== 'due') continue;
    if (isAwaited) {
      await endUnsent(ctx, payment, 'rejected', 'No card came in time. Nothing was sent.');
      continue;
    }
    const sent = await card.send(ctx, `charge ${formatAmount(record.valueCentavos)}`, (calls, once) =>
      calls.createCardOrder({ ...once, order: input }),
    );
    if (sent?.kind === 'card_gone') await awaitCard(ctx, payment, sent.reason);
    else if (sent !== undefined) payment.applySubmitted(sent);
  }
}

/** An order without a card is checked before anybody is asked for one. */
async function awaitFirstCard(ctx: PaymentContext, payment: CardOrderPayment): Promise<void> {
  const problems = await ctx.checkInput('cardOrder', payment.input);
  if (problems.length > 0) return payment.rejectInput(describeProblems(problems));
  await awaitCard(ctx, payment, 'The order came without a card.');
}

async function awaitCard(ctx: PaymentContext, payment: CardOrderPayment, reason: string): Promise<void> {
  if (await ctx.wasReset()) payment.markUnknown(unknownAfterReset);
  else payment.awaitCard(ctx.now() + payment.scaled(spans.awaitingCardMs), reason);
}
