import { ApplicationFailure, continueAsNew } from '@temporalio/workflow';
import type { CardReference } from '../src/contract/card.js';
import type { PostbackReceived, ProvideCard, ResolveSubmission } from '../src/contract/messages.js';
import type { CardOrderInput } from '../src/contract/order.js';
import type { OrderState } from '../src/contract/state.js';
import { spans, watchDays } from '../src/domain/cadence.js';
import { formatAmount } from '../src/domain/money.js';
import type { cardOrder } from './card-order.js';
import { creatingWithCard, reading } from './shared/activities.js';
import { Candidates } from './shared/candidates.js';
import { refusal, type Reply } from './shared/inbox.js';
import { operatorOf, type Story } from './shared/lifecycle.js';
import { readOpening, type Opening } from './shared/opening.js';
import { OrderFollow, tryToReadOrder, type OrderFollowCarry } from './shared/order-follow.js';
import { PaymentRecord, type RecordCarry } from './shared/payment-record.js';
import { StatusFollower, type FollowerCarry } from './shared/status-follower.js';
import { newSubmission, problemsText, sendOnce, type SubmissionState } from './shared/submission.js';

export type CardOrderCommand =
  (ProvideCard & { kind: 'provide_card' }) | (ResolveSubmission & { kind: 'resolve' });

/** `checking` the input without a card, `to_send`, `awaiting_card`, `unknown` after sending, `known` by its id. */
type Phase = 'checking' | 'to_send' | 'awaiting_card' | 'unknown' | 'known' | 'over';

/** What a card order hands over at a continue-as-new. */
export type CardOrderCarry = {
  record: RecordCarry;
  follower: FollowerCarry;
  follow: OrderFollowCarry;
  candidates: string[];
  phase: Phase;
  card: CardReference | null;
  submission: SubmissionState;
  /** When to send, or until when a card is awaited. */
  at: number;
};

/** The facts of one card order and what is done about them, step by step. */
export class CardOrderStory implements Story<CardOrderCommand, OrderState> {
  readonly record: PaymentRecord;
  readonly follower: StatusFollower;
  readonly #opening: Opening;
  readonly #follow: OrderFollow;
  readonly #candidates: Candidates;
  readonly #facts: Pick<CardOrderCarry, 'phase' | 'card' | 'submission' | 'at'>;

  constructor(
    private readonly input: CardOrderInput,
    carried?: CardOrderCarry,
  ) {
    this.#opening = readOpening('card_order', input?.order, input, watchDays.order);
    const { partnerCode, valueCentavos, scale } = this.#opening;
    this.record = new PaymentRecord('card_order', partnerCode, valueCentavos, 'submitting', carried?.record);
    this.follower = new StatusFollower(scale, carried?.follower);
    this.#follow = new OrderFollow(this.record, this.follower, this.#opening, carried?.follow);
    this.#candidates = new Candidates(partnerCode, carried?.candidates);
    const card = input?.card ?? null;
    this.#facts = carried ?? {
      phase: card === null ? 'checking' : 'to_send',
      card,
      submission: newSubmission,
      at: 0,
    };
  }

  view(): OrderState {
    return { ...this.record.state(), kind: 'card_order', candidates: this.#candidates.shown };
  }

  ended(): boolean {
    return (
      this.#facts.phase === 'over' ||
      (this.#facts.phase === 'known' && Date.now() >= this.#follow.watchEndsAt())
    );
  }

  dueAt(): number {
    switch (this.#facts.phase) {
      case 'checking':
      case 'to_send':
      case 'awaiting_card':
        return this.#facts.at;
      case 'unknown':
        return this.#candidates.waiting ? 0 : Infinity;
      case 'known':
        return Math.min(this.follower.nextReadAt, this.#follow.watchEndsAt());
      case 'over':
        return Infinity;
    }
  }

  awaiting(): string {
    switch (this.#facts.phase) {
      case 'checking':
      case 'to_send':
        return 'the time to send it again';
      case 'awaiting_card':
        return 'a card; without one the order is given up';
      case 'unknown':
        return 'the word of a person on the submission';
      case 'known':
        return Number.isFinite(this.#follow.watchEndsAt())
          ? 'the end of the watch'
          : 'the next status of the service';
      case 'over':
        return 'nothing';
    }
  }

  async step(): Promise<void> {
    if (this.#opening.problem !== undefined) return this.#rejectInput(this.#opening.problem);
    switch (this.#facts.phase) {
      case 'checking':
        return this.#check();
      case 'to_send':
        return this.#send();
      case 'awaiting_card':
        return this.#end('rejected', 'No card came in time. Nothing was sent, nothing charged.');
      case 'unknown':
        return this.#followTrail();
      case 'known':
        return this.#follow.read();
      case 'over':
        return;
    }
  }

  /** Before anything was sent, a cancelled order is simply not made. */
  cancel(): boolean {
    const unsent = ['checking', 'to_send', 'awaiting_card'].includes(this.#facts.phase);
    if (unsent) this.#end('cancelled', 'Cancelled before anything was sent. Nothing was charged.');
    return unsent;
  }

  onPostback(postback: PostbackReceived): void {
    if (this.#facts.phase !== 'known') this.#candidates.look(postback);
  }

  continueAsNew(): Promise<never> {
    const carry: CardOrderCarry = {
      ...this.#facts,
      record: this.record.carry(),
      follower: this.follower.carry(),
      follow: this.#follow.carry(),
      candidates: this.#candidates.shown,
    };
    return continueAsNew<typeof cardOrder>(this.input, carry);
  }

  refuseCard({ card_ref: ref, task_queue: queue }: ProvideCard): void {
    if (this.#facts.phase !== 'awaiting_card') {
      throw refusal('NotAwaitingCard', `This order is ${this.record.status} and awaits no card.`);
    }
    if (typeof ref !== 'string' || typeof queue !== 'string' || !queue.startsWith('card-desk-')) {
      throw refusal(
        'InvalidMessage',
        'provideCard takes card_ref and task_queue as POST /v1/cards answers them.',
      );
    }
  }

  refuseUnlessUnknown(): void {
    if (this.#facts.phase !== 'unknown') {
      throw refusal('NotUnknown', `This order is ${this.record.status}: its submission is not in doubt.`);
    }
  }

  async obey(command: CardOrderCommand, reply: Reply<OrderState>): Promise<void> {
    try {
      if (command.kind === 'provide_card') this.#takeCard(command);
      else await this.#resolve(command);
    } catch (error) {
      if (!(error instanceof ApplicationFailure)) throw error;
      reply.refuse(error);
      return;
    }
    this.record.publish();
    reply.answer(this.view());
  }

  #takeCard(command: ProvideCard): void {
    this.refuseCard(command);
    this.#facts.card = { card_ref: command.card_ref, task_queue: command.task_queue };
    this.#facts.phase = 'to_send';
    this.#facts.at = Date.now();
    this.record.lower('awaiting_card');
    this.record.moveTo('submitting', 'A card was provided.', operatorOf(command));
  }

  async #resolve(command: ResolveSubmission): Promise<void> {
    this.refuseUnlessUnknown();
    if (command.nothing_happened === true) {
      this.record.note('Resolved: nothing had happened', operatorOf(command));
      this.#end('rejected', 'The submission came to nothing. Nothing was charged.');
      return;
    }
    const shown =
      typeof command.service_id === 'string' ? await tryToReadOrder(command.service_id) : undefined;
    if (shown === undefined) {
      throw refusal('CouldNotRead', 'An order with that service_id could not be read. Nothing was changed.');
    }
    if (shown.partner_code !== null && shown.partner_code !== this.record.partnerCode) {
      throw refusal(
        'InvalidMessage',
        `That order is of the partner_code ${shown.partner_code}. Nothing was changed.`,
      );
    }
    this.record.note(`Resolved: it is ${String(command.service_id)} at the service`, operatorOf(command));
    this.#become(String(command.service_id), shown.status);
  }

  async #check(): Promise<void> {
    const { problems } = await reading('check the request').checkInput({
      workflow_type: 'cardOrder',
      input: this.input,
    });
    if (problems.length > 0) return this.#rejectInput(problemsText(problems));
    this.#awaitCard('The order came without a card.');
  }

  async #send(): Promise<void> {
    const { card } = this.#facts;
    if (card === null) return this.#awaitCard('There is no card to send.');
    const desk = creatingWithCard(card.task_queue, `charge ${formatAmount(this.record.valueCentavos)}`);
    const submitted = await sendOnce(this.#facts.submission, this.#opening.scale, (once) =>
      desk.createCardOrder({ ...once, order: this.input, card }),
    );
    switch (submitted.kind) {
      case 'answered':
        if (submitted.serviceId === null)
          return this.#doubt('The service took the order and gave no usable identifier.');
        return this.#become(submitted.serviceId, submitted.status);
      case 'again':
        this.#facts.submission = submitted.state;
        this.#facts.at = submitted.at;
        this.record.note(`Not sent, will be sent again: ${submitted.reason}`);
        return;
      case 'refused':
        this.record.refusedBecause(submitted.reason);
        return this.#end('rejected', 'The service refused the order. Nothing was charged.');
      case 'invalid':
        return this.#rejectInput(problemsText(submitted.problems));
      case 'card_gone':
        return this.#awaitCard(submitted.reason);
      case 'unknown':
        return this.#doubt(submitted.reason);
    }
  }

  #awaitCard(reason: string): void {
    this.#facts.phase = 'awaiting_card';
    this.#facts.at = Date.now() + spans.awaitingCardMs * this.#opening.scale;
    this.#facts.card = null;
    this.record.moveTo('awaiting_card', reason);
    this.record.raise('awaiting_card', reason);
  }

  #doubt(reason: string): void {
    this.#facts.phase = 'unknown';
    this.record.moveTo('submission_unknown', reason);
    this.record.raise('submission_unknown', reason);
  }

  #become(serviceId: string, status: string | null): void {
    this.#facts.phase = 'known';
    this.record.lower('submission_unknown');
    this.#follow.begin(serviceId, status);
  }

  /** A postback may name an order; it is ours only if the service's own answer carries our partner_code. */
  async #followTrail(): Promise<void> {
    const found = await this.#candidates.next();
    if (found === undefined) return;
    this.record.note(`A postback named ${found.serviceId}, and the service shows that it is this order.`);
    this.#become(found.serviceId, found.status);
  }

  #rejectInput(problems: string): void {
    this.record.raise('invalid_input', problems);
    this.#end('rejected', 'The request was not usable; nothing was sent.');
  }

  #end(status: 'rejected' | 'cancelled', what: string): void {
    this.#facts.phase = 'over';
    this.record.lower('awaiting_card', 'submission_unknown');
    this.record.moveTo(status, what);
  }
}
