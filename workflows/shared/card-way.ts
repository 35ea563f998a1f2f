import type { CardStoreActivities } from '../../activities/index.js';
import type { CardReference } from '../../src/contract/card.js';
import type { ProvideCard } from '../../src/contract/messages.js';
import type { CreationOutcome, DetailedCreationOutcome, SendOnceInput } from '../../src/contract/outcomes.js';
import { creatingWithCard } from './activities.js';
import { refusal } from './inbox.js';
import { operatorOf } from './lifecycle.js';
import type { Operator, PaymentRecord } from './payment-record.js';
import { sentBeforeReset } from './reset.js';
import { Sending, type SendingCarry, type Sent } from './sending.js';

/** What a card's way hands over at a continue-as-new. */
export type CardWayCarry = {
  /** `none` is wanted, one is `to_send`, or one is `awaited` because none is at hand. */
  stage: 'none' | 'to_send' | 'awaited';
  card: CardReference | null;
  /** Until when a card is awaited. */
  until: number;
  sending: SendingCarry | null;
};

/** What the payment that the card is for has to do with it. */
export type CardWayOf = {
  record: PaymentRecord;
  scale: number;
  /** Shows `submitting` or `awaiting_card`. */
  show(status: 'submitting' | 'awaiting_card', what: string, operator?: Operator): void;
  /** Until when a card that is lost now is awaited. */
  awaitedUntil(): number;
};

/**
 * A card on its way from the desk of a gateway to the service. It is sent from there, once; when the desk has lost it
 * before anything was sent, another one is awaited.
 */
export class CardWay {
  readonly #sending: Sending;
  #carry: Omit<CardWayCarry, 'sending'>;

  constructor(
    private readonly of: CardWayOf,
    carried?: CardWayCarry,
  ) {
    this.#carry = carried ?? { stage: 'none', card: null, until: 0 };
    this.#sending = new Sending(of.record, of.scale, carried?.sending ?? undefined);
  }

  get stage(): CardWayCarry['stage'] {
    return this.#carry.stage;
  }

  /** When the card is to be sent, or until when one is awaited. */
  get dueAt(): number {
    const { stage, until } = this.#carry;
    return stage === 'to_send' ? this.#sending.at : stage === 'awaited' ? until : Infinity;
  }

  /** Whether a card is to be sent and was not tried yet. */
  get untried(): boolean {
    return this.stage === 'to_send' && this.#sending.untried;
  }

  /** A card to be sent, as if none had been sent before. */
  take({ card_ref, task_queue }: CardReference): void {
    this.#carry = { stage: 'to_send', card: { card_ref, task_queue }, until: 0 };
    this.#sending.renew();
  }

  /** Calls for a card: nothing was sent, and none is at hand. */
  await(reason: string): void {
    this.#carry = { stage: 'awaited', card: null, until: this.of.awaitedUntil() };
    this.of.show('awaiting_card', reason);
    this.of.record.raise('awaiting_card', reason);
  }

  /** No card is wanted any more. */
  end(): void {
    this.#carry = { stage: 'none', card: null, until: 0 };
    this.of.record.lower('awaiting_card');
  }

  refuse(command: ProvideCard): void {
    if (this.stage !== 'awaited') {
      throw refusal('NotAwaitingCard', `This order is ${this.of.record.status} and awaits no card.`);
    }
    if (!isCardReference(command))
      throw refusal('InvalidMessage', `provideCard takes ${cardReferenceWords}.`);
  }

  provide(command: ProvideCard): void {
    this.refuse(command);
    this.take(command);
    this.of.record.lower('awaiting_card');
    this.of.show('submitting', 'A card was provided.', operatorOf(command));
  }

  /** Sends the card where it waits; undefined when nothing was sent, and it is due again or another one is awaited. */
  async send(
    summary: string,
    call: (
      desk: CardStoreActivities,
      once: SendOnceInput & { card: CardReference },
    ) => Promise<CreationOutcome | DetailedCreationOutcome>,
  ): Promise<Exclude<Sent, { kind: 'card_gone' }> | undefined> {
    const { card } = this.#carry;
    if (card === null) {
      this.await('There is no card to send.');
      return undefined;
    }
    const desk = creatingWithCard(card.task_queue, summary);
    const sent = await this.#sending.once((once) => call(desk, { ...once, card }));
    if (sent?.kind === 'card_gone') {
      const before = await sentBeforeReset();
      if (before === undefined) {
        this.await(sent.reason);
        return undefined;
      }
      this.end();
      return before;
    }
    if (sent !== undefined) this.end();
    return sent;
  }

  carry(): CardWayCarry {
    return { ...this.#carry, sending: this.#sending.carry() };
  }
}

export const cardReferenceWords = 'card_ref and task_queue as POST /v1/cards answers them';

/** Whether a message says where a card waits. */
export function isCardReference(message: unknown): message is CardReference {
  const { card_ref: ref, task_queue: queue }: { card_ref?: unknown; task_queue?: unknown } =
    typeof message === 'object' && message !== null ? message : {};
  return typeof ref === 'string' && typeof queue === 'string' && queue.startsWith('card-desk-');
}
