import type { CardReference } from '../../src/contract/card.js';
import type { SendOnceInput, StoredCardInput } from '../../src/contract/outcomes.js';
import {
  newSubmission,
  type CreationOutcome,
  type SubmissionState,
  type Submitted,
} from '../../src/domain/submission.js';
import type { CardFacts } from '../../src/domain/order-conclusions.js';
import type { CardCalls, PaymentContext } from '../shared/context.js';
import type { Payment } from '../shared/payment.js';
import { putOff, sendAgain } from '../shared/submission.js';

/** The name of the API key that gave it later, which may be an operator's; null when it came with the start. */
type GivenBy = { given_by: string | null };

/** What the submission of a card carries through a continue-as-new. */
export type CardSubmissionSnapshot = {
  /** `none` is wanted, one is `to_send`, or one is `awaited` because none is at hand. */
  stage: 'none' | 'to_send' | 'awaited';
  card: (CardReference & GivenBy) | null;
  /** Until when a card is awaited. */
  until: number;
  /** Why one is awaited. */
  reason: string | null;
  submission: SubmissionState;
};

/** A card that waits in the memory of a gateway, and the call that sends it from there to the service. */
export class CardSubmission {
  data: CardSubmissionSnapshot;

  constructor(
    private readonly payment: Payment,
    snapshot?: CardSubmissionSnapshot,
  ) {
    const submission = newSubmission(payment.now());
    this.data = snapshot ?? { stage: 'none', card: null, until: 0, reason: null, submission };
  }

  get stage(): CardSubmissionSnapshot['stage'] {
    return this.data.stage;
  }

  /** Why a card is awaited, and what keeps one from being sent. */
  get facts(): CardFacts {
    const { reason, stage, submission } = this.data;
    return {
      awaited: stage === 'awaited' ? reason : null,
      unsent: stage === 'to_send' ? submission.unsent : null,
    };
  }

  /** When the card is to be sent, or until when one is awaited. */
  get dueAt(): number {
    const { stage, submission, until } = this.data;
    return stage === 'to_send' ? submission.at : stage === 'awaited' ? until : Infinity;
  }

  /** A card to be sent, as if none had been sent before. */
  provide({ card_ref, task_queue, by }: CardReference & { by?: string | undefined }): void {
    const submission = newSubmission(this.payment.now());
    this.data = {
      stage: 'to_send',
      card: { card_ref, task_queue, given_by: by ?? null },
      until: 0,
      reason: null,
      submission,
    };
  }

  /** Nothing was sent and no card is at hand: asks for one. */
  await(until: number, reason: string): void {
    this.data = { ...this.data, stage: 'awaited', card: null, until, reason };
  }

  /** No card is wanted any more. */
  end(): void {
    this.data = { ...this.data, stage: 'none', card: null, until: 0, reason: null };
  }

  /** Whether it may be sent is not proven: it is tried again later. */
  putOff(reason: string): void {
    this.data.submission = putOff(this.payment, this.data.submission, reason);
    this.payment.conclude();
  }

  /** Sends the card from the gateway that holds it; undefined when nothing was sent and it is due again. */
  async send(
    ctx: PaymentContext,
    doing: string,
    call: (calls: CardCalls, once: SendOnceInput & StoredCardInput) => Promise<CreationOutcome>,
  ): Promise<Exclude<Submitted, { kind: 'again' }> | undefined> {
    const { submission } = this.data;
    const { owner } = ctx.run;
    if (this.data.card === null) return { kind: 'card_gone', reason: 'There is no card to send.' };
    const { given_by, ...card } = this.data.card;
    const sent = await ctx.sendWithCard(submission, card.task_queue, doing, (calls, once) =>
      call(calls, { ...once, card, owner, given_by }),
    );
    if (sent.kind === 'again') {
      this.data.submission = sendAgain(this.payment, sent);
      this.payment.conclude();
      return undefined;
    }
    if (sent.kind !== 'card_gone') this.end();
    return sent;
  }
}
