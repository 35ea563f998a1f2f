import type { CardReference } from '../../src/contract/card.js';
import type { CreationOutcome, DetailedCreationOutcome, SendOnceInput } from '../../src/contract/outcomes.js';
import type { CardCalls, PaymentContext, Run } from '../shared/context.js';
import { newSubmission, noteNotSent, type SubmissionState, type Submitted } from '../shared/submission.js';
import type { PaymentRecord } from '../shared/payment-record.js';

/** What the submission of a card carries through a continue-as-new. */
export type CardSubmissionSnapshot = {
  /** `none` is wanted, one is `to_send`, or one is `awaited` because none is at hand. */
  stage: 'none' | 'to_send' | 'awaited';
  card: CardReference | null;
  /** Until when a card is awaited. */
  until: number;
  submission: SubmissionState;
};

/** A card that waits in the memory of a gateway, and the call that sends it from there to the service. */
export class CardSubmission {
  #facts: CardSubmissionSnapshot;

  constructor(
    private readonly run: Run,
    private readonly record: PaymentRecord,
    private readonly scale: number,
    snapshot?: CardSubmissionSnapshot,
  ) {
    this.#facts = snapshot ?? { stage: 'none', card: null, until: 0, submission: newSubmission(run.now()) };
  }

  get stage(): CardSubmissionSnapshot['stage'] {
    return this.#facts.stage;
  }

  /** When the card is to be sent, or until when one is awaited. */
  get dueAt(): number {
    const { stage, submission, until } = this.#facts;
    return stage === 'to_send' ? submission.at : stage === 'awaited' ? until : Infinity;
  }

  /** A card to be sent, as if none had been sent before. */
  provide({ card_ref, task_queue }: CardReference): void {
    const submission = newSubmission(this.run.now());
    this.#facts = { stage: 'to_send', card: { card_ref, task_queue }, until: 0, submission };
    this.record.lower('awaiting_card');
  }

  /** Nothing was sent and no card is at hand: asks for one. */
  await(until: number, reason: string): void {
    this.#facts = { ...this.#facts, stage: 'awaited', card: null, until };
    this.record.raise('awaiting_card', reason);
  }

  /** No card is wanted any more. */
  end(): void {
    this.#facts = { ...this.#facts, stage: 'none', card: null, until: 0 };
    this.record.lower('awaiting_card');
  }

  /** Sends the card from the gateway that holds it; undefined when nothing was sent and it is due again. */
  async send(
    ctx: PaymentContext,
    doing: string,
    call: (
      calls: CardCalls,
      once: SendOnceInput & { card: CardReference },
    ) => Promise<CreationOutcome | DetailedCreationOutcome>,
  ): Promise<Exclude<Submitted, { kind: 'again' }> | undefined> {
    const { card, submission } = this.#facts;
    if (card === null) return { kind: 'card_gone', reason: 'There is no card to send.' };
    const sent = await ctx.sendWithCard(submission, card.task_queue, doing, (calls, once) =>
      call(calls, { ...once, card }),
    );
    if (sent.kind === 'again') {
      noteNotSent(this.record, sent, ctx.now(), this.scale);
      this.#facts = { ...this.#facts, submission: sent.state };
      return undefined;
    }
    if (sent.kind !== 'card_gone') this.end();
    return sent;
  }

  snapshot(): CardSubmissionSnapshot {
    return this.#facts;
  }
}
