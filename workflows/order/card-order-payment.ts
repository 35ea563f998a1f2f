import type { ProvideCard } from '../../src/contract/messages.js';
import type { CardOrderInput } from '../../src/contract/order.js';
import { isCardReference } from '../../src/domain/command-messages.js';
import { asRecord } from '../../src/domain/records.js';
import type { Command, Run } from '../shared/context.js';
import { Refused } from '../shared/refused.js';
import { CardSubmission, type CardSubmissionSnapshot } from './card-submission.js';
import { OrderPayment, type OrderSnapshot } from './payment.js';

/** What a card order carries through a continue-as-new. */
export type CardOrderSnapshot = OrderSnapshot & { card: CardSubmissionSnapshot };

/** The state of one card order: an order and its card. */
export class CardOrderPayment extends OrderPayment {
  readonly card: CardSubmission;

  constructor(
    readonly input: CardOrderInput,
    run: Run,
    snapshot?: CardOrderSnapshot,
  ) {
    super('card_order', input, run, {}, snapshot);
    this.card = new CardSubmission(run, this.record, this.start.scale, snapshot?.card);
    const card: unknown = asRecord(input).card;
    if (snapshot !== undefined || card === undefined || card === null) return;
    if (isCardReference(asRecord(card)) && input.card !== undefined) this.card.provide(input.card);
    else if (this.start.problem === undefined) {
      this.rejectInput('card must have card_ref and task_queue as POST /v1/cards answers them');
    }
  }

  override refusalOf(command: Command): Refused | undefined {
    if (command.name !== 'provideCard') return super.refusalOf(command);
    return this.phase === 'unsent' && this.card.stage === 'awaited'
      ? undefined
      : new Refused('NotAwaitingCard', `This order is ${this.record.status} and awaits no card.`);
  }

  provideCard(command: ProvideCard): void {
    this.card.provide(command);
    this.record.moveTo('submitting', 'A card was provided.', command);
  }

  awaitCard(until: number, reason: string): void {
    this.record.moveTo('awaiting_card', reason);
    this.card.await(until, reason);
  }

  snapshot(): CardOrderSnapshot {
    return { ...this.orderSnapshot(), card: this.card.snapshot() };
  }
}
