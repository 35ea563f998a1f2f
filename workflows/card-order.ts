import { cardDueAt } from '../src/domain/card-to-send.js';
import { spans } from '../src/domain/cadence.js';
import { formatAmount } from '../src/domain/money.js';
import { describeProblems } from '../src/domain/submission.js';
import { cardOrderStages, type CardOrderStage } from '../src/domain/order-stages.js';
import { sendCard } from './order/card-submission.js';
import { CardOrderPayment } from './order/card-order-payment.js';
import { awaitResolution, find, cancelUnsent, endUnsent, follow, mayBeSent, watch } from './order/stages.js';
import { unknownAfterReset, type PaymentContext } from './shared/context.js';
import { lifecycle, paymentWorkflow, type OpenStage } from './shared/lifecycle.js';

export const cardOrderLifecycle = lifecycle<OpenStage<CardOrderStage>, CardOrderPayment>({
  submit,
  await_card: awaitAnotherCard,
  resolve: awaitResolution,
  find,
  follow,
  watch,
});

/**
 * A credit card order, from its submission through settlement to the end of its watch. The card waits in the memory of
 * a gateway; the workflow knows only where. It is sent once; an operator finds out about a call without an answer.
 *
 * Endpoints: `POST /v1/order`, `GET /v1/order/{id}`.
 */
export const cardOrder = paymentWorkflow(CardOrderPayment, cardOrderLifecycle);

/** Sends the card once; again only after proof that the previous call had no effect. */
async function submit(ctx: PaymentContext, payment: CardOrderPayment): Promise<void> {
  const { input, record } = payment;
  if (payment.data.card.stage === 'none') return awaitFirstCard(ctx, payment);
  const woke = await ctx.wait(cardOrderStages.submit, {
    until: () => cardDueAt(payment.data.card),
    awaiting: 'the time to send it again',
    takes: { cancel: cancelUnsent(ctx, payment) },
  });
  if (woke !== 'due' || !(await mayBeSent(ctx, payment))) return;
  const sent = await sendCard(ctx, payment, `charge ${formatAmount(record.valueCentavos)}`, (calls, once) =>
    calls.createCardOrder({ ...once, order: input }),
  );
  if (sent?.kind === 'card_gone') await awaitCard(ctx, payment, sent.reason);
  else if (sent !== undefined) payment.applySubmitted(sent);
}

/** No card is at hand and nothing was sent: whoever has one may send it, until the time for it is over. */
async function awaitAnotherCard(ctx: PaymentContext, payment: CardOrderPayment): Promise<void> {
  const woke = await ctx.wait(cardOrderStages.await_card, {
    until: () => cardDueAt(payment.data.card),
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
  const problems = await ctx.checkInput(payment.input);
  if (problems.length > 0) return payment.rejectInput(describeProblems(problems));
  await awaitCard(ctx, payment, 'The order came without a card.');
}

async function awaitCard(ctx: PaymentContext, payment: CardOrderPayment, reason: string): Promise<void> {
  if (await ctx.wasReset()) payment.markUnknown(unknownAfterReset);
  else payment.awaitCard(ctx.now() + payment.scaled(spans.awaitingCardMs), reason);
}
