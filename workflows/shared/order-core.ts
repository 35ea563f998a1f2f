import type { PostbackReceived, ResolveSubmission } from '../../src/contract/messages.js';
import type { OrderState } from '../../src/contract/state.js';
import { watchDays } from '../../src/domain/cadence.js';
import type { OrderKind } from '../../src/domain/kinds.js';
import { Candidates, type CandidatesCarry } from './candidates.js';
import { decisionOf } from './decision.js';
import { refusal } from './inbox.js';
import { operatorOf } from './lifecycle.js';
import { asRecord, readOpening, type Opening } from './opening.js';
import {
  misfit,
  OrderFollow,
  tryToReadOrder,
  type OrderBeginning,
  type OrderFollowCarry,
} from './order-follow.js';
import { PaymentRecord, type RecordCarry } from './payment-record.js';
import { sentBeforeReset } from './reset.js';
import type { Sent } from './sending.js';
import { StatusFollower, type FollowerCarry } from './status-follower.js';
import { problemsText } from './submission.js';

/** `unsent` nothing was sent, `unknown` after sending, `known` by its identifier, `over` without one. */
export type OrderPhase = 'unsent' | 'unknown' | 'known' | 'over';

/** What every order hands over at a continue-as-new. */
export type OrderCoreCarry = {
  record: RecordCarry;
  follower: FollowerCarry;
  follow: OrderFollowCarry;
  candidates: CandidatesCarry;
  phase: OrderPhase;
};

/**
 * What orders of every kind share once their submission was tried: known by an identifier and followed, of unknown
 * fate until a person or the service itself tells, or over.
 */
export class OrderCore {
  readonly opening: Opening;
  readonly record: PaymentRecord;
  readonly follower: StatusFollower;
  readonly follow: OrderFollow;
  readonly #candidates: Candidates;
  #phase: OrderPhase;

  constructor(kind: OrderKind, input: unknown, beginning: OrderBeginning, carried?: OrderCoreCarry) {
    this.opening = readOpening(kind, asRecord(input).order, input, watchDays.order);
    const { partnerCode, valueCentavos, scale, notify } = this.opening;
    this.record = new PaymentRecord(kind, partnerCode, valueCentavos, 'submitting', carried?.record, notify);
    this.follower = new StatusFollower(scale, carried?.follower);
    this.follow = new OrderFollow(this.record, this.follower, this.opening, beginning, carried?.follow);
    this.#candidates = new Candidates(partnerCode, scale, carried?.candidates);
    this.#phase = carried?.phase ?? 'unsent';
  }

  get phase(): OrderPhase {
    return this.#phase;
  }

  view(): Omit<OrderState, 'kind'> {
    return {
      ...this.record.state(),
      candidates: this.#phase === 'unknown' ? this.#candidates.shown : [],
      checkout: null,
      authentication: null,
    };
  }

  ended(): boolean {
    return this.#phase === 'over' || (this.#phase === 'known' && Date.now() >= this.follow.watchEndsAt());
  }

  /** When {@link step} has to run next; an order that is `unsent` knows that better itself. */
  dueAt(): number {
    switch (this.#phase) {
      case 'unknown':
        return this.#candidates.dueAt;
      case 'known':
        return this.follow.dueAt();
      case 'unsent':
      case 'over':
        return Infinity;
    }
  }

  awaiting(): string {
    if (this.#phase === 'unknown') return 'the word of a person on the submission';
    if (this.#phase === 'over') return 'nothing';
    return Number.isFinite(this.follow.watchEndsAt())
      ? 'the end of the watch'
      : 'the next status of the service';
  }

  async step(): Promise<void> {
    if (this.#phase === 'unknown') await this.#followTrail();
    if (this.#phase === 'known') await this.follow.read();
  }

  /** Before anything was sent, a cancelled order is simply not made. */
  cancel(): boolean {
    if (this.#phase !== 'unsent') return false;
    this.end('cancelled', 'Cancelled before anything was sent. Nothing was charged.');
    return true;
  }

  onPostback(postback: PostbackReceived): void {
    if (this.#phase !== 'known') this.#candidates.look(postback);
  }

  /** Draws the conclusion from what became of the call that creates the order. */
  conclude(sent: Sent): void {
    switch (sent.kind) {
      case 'answered':
        if (sent.serviceId === null)
          return this.#doubt('The service took the order and gave no usable identifier.');
        return this.#become(sent.serviceId, sent.status);
      case 'refused':
        this.record.refusedBecause(sent.reason);
        return this.end('rejected', 'The service refused the order. Nothing was charged.');
      case 'invalid':
        return this.rejectInput(problemsText(sent.problems));
      case 'card_gone':
        return this.end('rejected', sent.reason);
      case 'unknown':
        return this.#doubt(sent.reason);
    }
  }

  rejectInput(problems: string): void {
    this.record.raise('invalid_input', problems);
    this.end('rejected', 'The request was not usable; nothing was sent.');
  }

  /** Its time was over before anything was sent, unless it was sent before a reset. */
  async endUnsent(what: string): Promise<void> {
    const before = await sentBeforeReset();
    if (before === undefined) this.end('rejected', what);
    else this.conclude(before);
  }

  end(status: 'rejected' | 'cancelled', what: string): void {
    this.#phase = 'over';
    this.record.lower('awaiting_card', 'submission_unknown');
    this.record.moveTo(status, what);
  }

  refuseUnlessUnknown(): void {
    if (this.#phase !== 'unknown') {
      throw refusal('NotUnknown', `This order is ${this.record.status}: its submission is not in doubt.`);
    }
  }

  /** What a person found out about a submission of unknown fate. @throws a refusal; then nothing was changed */
  async resolve(command: ResolveSubmission): Promise<void> {
    this.refuseUnlessUnknown();
    const serviceId = decisionOf(command);
    if (serviceId === null) {
      this.record.note('Resolved: nothing had happened', operatorOf(command));
      this.end('rejected', 'The submission came to nothing. Nothing was charged.');
      return;
    }
    const shown = await tryToReadOrder(serviceId);
    if (shown === undefined) {
      throw refusal('CouldNotRead', 'An order with that service_id could not be read. Nothing was changed.');
    }
    const wrong = misfit(serviceId, this.record, shown);
    if (wrong !== null) {
      throw refusal('InvalidMessage', `That order does not fit this one. ${wrong} Nothing was changed.`);
    }
    this.record.note(`Resolved: it is ${serviceId} at the service`, operatorOf(command));
    this.#become(serviceId, shown.status);
  }

  carry(): OrderCoreCarry {
    return {
      record: this.record.carry(),
      follower: this.follower.carry(),
      follow: this.follow.carry(),
      candidates: this.#candidates.carry(),
      phase: this.#phase,
    };
  }

  #doubt(reason: string): void {
    this.#phase = 'unknown';
    this.record.moveTo('submission_unknown', reason);
    this.record.raise('submission_unknown', reason);
  }

  #become(serviceId: string, status: string | null): void {
    this.#phase = 'known';
    this.record.lower('submission_unknown');
    this.follow.begin(serviceId, status);
  }

  /** A postback may name an order; it is ours only if the service's own answer carries our partner_code. */
  async #followTrail(): Promise<void> {
    const found = await this.#candidates.next();
    if (found === undefined) return;
    this.record.note(`A postback named ${found.serviceId}, and the service shows that it is this order.`);
    this.#become(found.serviceId, found.status);
  }
}
