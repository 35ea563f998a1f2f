import type { CompleteThreeDSecure, ResolveSubmission } from '../src/contract/messages.js';
import { formatAmount } from '../src/domain/money.js';
import { CardWay, cardReferenceWords, isCardReference, type CardWayCarry } from './shared/card-way.js';
import { refusal } from './shared/inbox.js';
import { operatorOf } from './shared/lifecycle.js';
import { decisionOf } from './shared/decision.js';
import type { OrderCore } from './shared/order-core.js';
import { problemsText } from './shared/submission.js';

/** `open` to a completion, one `under_way`, `unknown` what became of it, or `sent` and taken by the service. */
type Stage = 'open' | 'under_way' | 'unknown' | 'sent';

/** What a completion hands over at a continue-as-new. */
export type CompletionCarry = {
  stage: Stage;
  /** Until when the order can be completed; null before it is known to the service. */
  until: number | null;
  credentials: { callback: string; eci: string } | null;
  /** Whether a completion was sent before, so that a fresh read has to come before the next. */
  sentBefore: boolean;
  way: CardWayCarry;
};

/** The completion of a 3D Secure order: sent once, and again only when the service has refused the former one. */
export class Completion {
  readonly way: CardWay;
  readonly #facts: Omit<CompletionCarry, 'way'>;
  /** An activity saw that this run came about by a reset, or was reset itself: here nothing can be sent any more. */
  #cannotSendHere = false;

  constructor(
    private readonly core: OrderCore,
    carried?: CompletionCarry,
  ) {
    this.#facts = carried ?? { stage: 'open', until: null, credentials: null, sentBefore: false };
    const { follow, opening, record } = core;
    this.way = new CardWay(
      {
        record,
        scale: opening.scale,
        show: (status, what, operator) => {
          follow.cover(status, what, operator);
        },
        awaitedUntil: () => this.#facts.until ?? 0,
      },
      carried?.way,
    );
  }

  get stage(): Stage {
    return this.#facts.stage;
  }

  get until(): number | null {
    return this.#facts.until;
  }

  /** Whether the outcome of a completion does not allow another one in this run. */
  get wantsFreshRun(): boolean {
    return this.#cannotSendHere && this.stage === 'open';
  }

  /** The service has the order: it can be completed until then. */
  begin(until: number | null): void {
    this.#facts.until = until;
  }

  refuseToken(): void {
    if (!this.#isOpen() && this.core.phase !== 'unsent') throw this.#notOpen();
  }

  refuse(command: CompleteThreeDSecure | undefined): void {
    if (!this.#isOpen()) throw this.#notOpen();
    const { callback, eci, card }: { callback?: unknown; eci?: unknown; card?: unknown } = command ?? {};
    if (typeof callback !== 'string' || typeof eci !== 'string' || !isCardReference(card)) {
      throw refusal(
        'InvalidMessage',
        `completeThreeDSecure takes callback and eci as texts, and card: ${cardReferenceWords}.`,
      );
    }
  }

  /** Makes a completion due. After a former one that the service refused, a fresh read has to show that it did nothing. */
  async take(command: CompleteThreeDSecure): Promise<void> {
    this.refuse(command);
    if (this.#facts.sentBefore && !(await this.core.follow.read())) {
      throw refusal('CouldNotRead', 'The order could not be read just now, so nothing was sent. Try again.');
    }
    this.refuse(command);
    const { callback, eci, card } = command;
    this.#facts.credentials = { callback, eci };
    this.#facts.stage = 'under_way';
    this.way.end();
    this.way.take(card);
    this.core.follow.cover(
      'submitting',
      'The customer is authenticated; the order is completed.',
      operatorOf(command),
    );
  }

  /** Sends the card, as long as the order is still to be completed. */
  async send(): Promise<void> {
    const { credentials, until } = this.#facts;
    const { follow, record } = this.core;
    if (credentials === null || Date.now() >= (until ?? 0)) {
      this.settle();
      return this.#reopen('Its time was over before the completion could be sent. Nothing was charged.');
    }
    const summary = `complete a 3D Secure order of ${formatAmount(record.valueCentavos)}`;
    const sent = await this.way.send(summary, (desk, once) =>
      desk.completeThreeDSecureOrder({ ...once, ...credentials, service_id: record.serviceId ?? '' }),
    );
    if (sent === undefined) return;
    this.#facts.credentials = null;
    switch (sent.kind) {
      case 'answered':
        this.#facts.stage = 'sent';
        this.#facts.sentBefore = true;
        if (sent.serviceId !== null && sent.serviceId !== record.serviceId) {
          record.raise('inconsistent_answer', `The service answered for order ${sent.serviceId}.`);
        }
        follow.expireAt(null);
        follow.cover(null, 'The service took the completion.');
        if (sent.status === null) this.core.follower.dueNow('cadence');
        else follow.show(sent.status);
        return follow.plan();
      case 'refused':
        this.#facts.sentBefore = true;
        record.refusedBecause(sent.reason);
        return this.#reopen(`The service refused the completion: ${sent.reason}`);
      case 'invalid':
        return this.#reopen(`The completion was not usable: ${problemsText(sent.problems)}`);
      case 'unknown':
        this.#facts.stage = 'unknown';
        this.#facts.sentBefore = true;
        this.#cannotSendHere ||= sent.dispatchedBefore;
        follow.expireAt(null);
        follow.cover('submission_unknown', sent.reason);
        record.raise('submission_unknown', sent.reason);
        return this.core.follower.dueNow('cadence');
    }
  }

  /** A read has shown that the order moved on or expired: nothing is to be sent, and nothing is in doubt any more. */
  settle(): void {
    if (this.stage === 'unknown') this.#facts.stage = 'sent';
    if (this.stage !== 'under_way') return;
    this.way.end();
    this.#facts.credentials = null;
    this.#facts.stage = 'open';
  }

  /** What a person found out about a completion of unknown fate. @throws a refusal; then nothing was changed */
  resolve(command: ResolveSubmission): void {
    const { follow, record } = this.core;
    const serviceId = decisionOf(command);
    if (serviceId !== null && serviceId !== record.serviceId) {
      throw refusal('InvalidMessage', `This order is ${String(record.serviceId)} at the service.`);
    }
    record.lower('submission_unknown');
    if (serviceId === null) {
      record.note('Resolved: the completion had done nothing', operatorOf(command));
      return this.#reopen('The completion came to nothing. Nothing was charged.');
    }
    record.note('Resolved: the service took the completion', operatorOf(command));
    this.#facts.stage = 'sent';
    follow.cover(null, 'The service took the completion.');
    this.core.follower.dueNow('command');
  }

  carry(): CompletionCarry {
    return { ...this.#facts, way: this.way.carry() };
  }

  #reopen(what: string): void {
    this.#facts.stage = 'open';
    this.core.follow.expireAt(this.#facts.until);
    this.core.follow.cover('awaiting_authentication', what);
  }

  #isOpen(): boolean {
    const { stage, until } = this.#facts;
    const { follow, phase } = this.core;
    const waits = stage === 'open' || (stage === 'under_way' && this.way.stage === 'awaited');
    return phase === 'known' && waits && !follow.hasMoved && until !== null && Date.now() < until;
  }

  #notOpen() {
    return refusal(
      'NotAwaitingAuthentication',
      `This order is ${this.core.record.status} and awaits no authentication.`,
    );
  }
}
