import type { ProvideCard } from '../../src/contract/messages.js';
import type { CardOrderInput } from '../../src/contract/order.js';
import { isCardReference } from '../../src/domain/command-messages.js';
import { asRecord } from '../../src/domain/records.js';
import { cardOrderStage, cardOrderStages, type CardOrderStage } from '../../src/domain/order-stages.js';
import type { Run } from '../shared/run.js';
import { CardSubmission, type CardSubmissionSnapshot } from './card-submission.js';
import { OrderPayment, type OrderSnapshot } from './payment.js';

/** What a card order carries through a continue-as-new. */
export type CardOrderSnapshot = OrderSnapshot & { card: CardSubmissionSnapshot };

/** The state of one card order: an order and its card. */
export class CardOrderPayment extends OrderPayment {
  override readonly stages = cardOrderStages;
  readonly card: CardSubmission;

  constructor(
    readonly input: CardOrderInput,
    run: Run,
    snapshot?: CardOrderSnapshot,
  ) {
    super('card_order', input, run, { expiresAfterMs: null }, snapshot);
    this.card = new CardSubmission(this, snapshot?.card);
    // Any other card is refused with the rest of the input, before a card is awaited.
    const isReferred = isCardReference(asRecord(asRecord(input).card));
    if (snapshot === undefined && isReferred && input.card !== undefined) this.card.provide(input.card);
    this.begun();
  }

  get stage(): CardOrderStage {
    return cardOrderStage({ ...this.facts, awaitsCard: this.card.stage === 'awaited' });
  }

  protected override get cardFacts() {
    return this.card.facts;
  }

  override get takes() {
    return cardOrderStages[this.stage];
  }

  provideCard(command: ProvideCard): void {
    this.card.provide(command);
    this.conclude('A card was provided.', command);
  }

  awaitCard(until: number, reason: string): void {
    this.card.await(until, reason);
    this.conclude(reason);
  }

  override snapshot(): CardOrderSnapshot {
    return { ...super.snapshot(), card: this.card.data };
  }
}
