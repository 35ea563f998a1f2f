import type { CardOrderInput } from '../src/contract/order.js';
import type { OrderState } from '../src/contract/state.js';
import { spans } from '../src/domain/cadence.js';
import { formatAmount } from '../src/domain/money.js';
import { describeProblems } from '../src/domain/submission.js';
import { cardOrderStages } from '../src/domain/order-stages.js';
import { CardOrderPayment, type CardOrderSnapshot } from './order/card-order-payment.js';
import { awaitResolution, find, cancelUnsent, endUnsent, follow, watch } from './order/stages.js';
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
  registerHandlers(ctx, payment);
  return ctx.live(() => cardOrderLifecycle(ctx, payment));
}

/** The life of a card order: one step of the stage that it is in, until it is closed. Statuses can regress. */
export async function cardOrderLifecycle(ctx: PaymentContext, payment: CardOrderPayment): Promise<void> {
  if (payment.start.problem !== undefined) payment.rejectInput(payment.start.problem);
  for (;;) {
    const { stage } = payment;
    switch (stage) {
      case 'submit':
        if (payment.card.stage === 'none') await awaitFirstCard(ctx, payment);
        else await submit(ctx, payment);
        break;
      case 'await_card':
        await awaitAnotherCard(ctx, payment);
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
      case 'watch':
        await watch(ctx, payment);
        break;
      case 'closed':
        return;
    }
  }
}

/** Sends the card once; again only after proof that the previous call had no effect. */
async function submit(ctx: PaymentContext, payment: CardOrderPayment): Promise<void> {
  const { card, input, record } = payment;
  const woke = await ctx.wait(cardOrderStages.submit, {
    until: () => card.dueAt,
    awaiting: 'the time to send it again',
    takes: { cancel: cancelUnsent(ctx, payment) },
  });
  if (woke !== 'due') return;
  const sent = await card.send(ctx, `charge ${formatAmount(record.valueCentavos)}`, (calls, once) =>
    calls.createCardOrder({ ...once, order: input }),
  );
  if (sent?.kind === 'card_gone') await awaitCard(ctx, payment, sent.reason);
  else if (sent !== undefined) payment.applySubmitted(sent);
}

/** No card is at hand and nothing was sent: whoever has one may send it, until the time for it is over. */
async function awaitAnotherCard(ctx: PaymentContext, payment: CardOrderPayment): Promise<void> {
  const woke = await ctx.wait(cardOrderStages.await_card, {
    until: () => payment.card.dueAt,
    awaiting: 'a card; without one the order is given up',
    takes: {
      provideCard: (command) => {
        payment.provideCard(command);
      },
      cancel: cancelUnsent(ctx, payment),
    },
  });
  if (woke === 'due') {
    await endUnsent(ctx, payment, 'rejected', 'No card came in time. Nothing was sent.');
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
