import type { ProvideCard } from '../../src/contract/messages.js';
import type { CardOrderInput } from '../../src/contract/order.js';
import { cardAwaited, cardGiven } from '../../src/domain/card-to-send.js';
import { isCardReference } from '../../src/domain/command-messages.js';
import { asRecord } from '../../src/domain/records.js';
import { cardOrderStage, cardOrderStages, type CardOrderStage } from '../../src/domain/order-stages.js';
import type { Run } from '../shared/run.js';
import { OrderPayment, type OrderSnapshot } from './payment.js';

/** The state of one card order: an order and its card. */
export class CardOrderPayment extends OrderPayment {
  override readonly stages = cardOrderStages;

  constructor(
    readonly input: CardOrderInput,
    run: Run,
    snapshot?: OrderSnapshot,
  ) {
    super('card_order', input, run, { expiresAfterMs: null }, snapshot);
    // Any other card is refused with the rest of the input, before a card is awaited.
    const isReferred = isCardReference(asRecord(input).card);
    if (snapshot === undefined && isReferred && input.card !== undefined) {
      this.set({ card: cardGiven(input.card, run.now()) });
    }
  }

  get stage(): CardOrderStage {
    return cardOrderStage(this.data, this.record.data);
  }

  override get takes() {
    return cardOrderStages[this.stage];
  }

  provideCard(command: ProvideCard): void {
    const card = cardGiven(command, this.now(), {
      ...this.data.card.submission,
      wasAnswered: this.wasAnswered,
    });
    this.apply({ card, what: 'A card was provided.' }, command);
  }

  awaitCard(until: number, reason: string): void {
    this.apply({ card: cardAwaited(this.data.card, until, reason), what: reason });
  }
}
