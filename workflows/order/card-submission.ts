import type { SendOnceInput, StoredCardInput } from '../../src/contract/outcomes.js';
import { cardDone } from '../../src/domain/card-to-send.js';
import type { Called } from '../../src/domain/called.js';
import type { CreationOutcome, Submitted } from '../../src/domain/submission.js';
import type { CardCalls, PaymentContext } from '../shared/context.js';
import { sendAgain } from '../shared/submission.js';
import type { OrderPayment } from './payment.js';

/** Sends the card from the gateway that holds it; undefined when nothing was sent and it is due again. */
export async function sendCard(
  ctx: PaymentContext,
  payment: OrderPayment,
  doing: string,
  call: (calls: CardCalls, once: SendOnceInput & StoredCardInput) => Promise<Called<CreationOutcome>>,
): Promise<Exclude<Submitted, { kind: 'again' }> | undefined> {
  const { card: waiting, submission } = payment.data.card;
  const { owner } = ctx.run;
  if (waiting === null) return { kind: 'card_gone', reason: 'There is no card to send.' };
  const { given_by, ...card } = waiting;
  const sent = await ctx.sendWithCard(submission, card.task_queue, doing, (calls, once) =>
    call(calls, { ...once, card, owner, given_by }),
  );
  if (sent.kind === 'again') {
    payment.apply({ card: { ...payment.data.card, submission: sendAgain(payment, sent) } });
    return undefined;
  }
  if (sent.kind !== 'card_gone') payment.set({ card: cardDone(payment.data.card) });
  return sent;
}
