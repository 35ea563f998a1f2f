import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { RefundInput } from '../src/contract/refund.js';
import type { RefundState } from '../src/contract/state.js';
import { spans } from '../src/domain/cadence.js';
import type { refund } from './refund.js';
import { obeyRefundCommand, type RefundCommand } from './refund-commands.js';
import { RefundFollow, type RefundFollowCarry } from './refund-follow.js';
import { checking, creating } from './shared/activities.js';
import type { Story } from './shared/lifecycle.js';
import { readOpening, type Opening } from './shared/opening.js';
import { PaymentRecord, type Operator, type RecordCarry } from './shared/payment-record.js';
import { Sending, type SendingCarry } from './shared/sending.js';
import { StatusFollower, type FollowerCarry } from './shared/status-follower.js';
import { problemsText } from './shared/submission.js';

/** What a refund hands over at a continue-as-new. */
export type RefundCarry = {
  record: RecordCarry;
  follower: FollowerCarry;
  follow: RefundFollowCarry;
  sending: SendingCarry;
  requests: number;
};

/** The facts of one refund and what is done about them, step by step. */
export class RefundStory implements Story<RefundCommand, RefundState> {
  readonly record: PaymentRecord;
  readonly follower: StatusFollower;
  readonly follow: RefundFollow;
  readonly #opening: Opening;
  readonly #sending: Sending;
  #requests: number;
  /** An activity saw that this run came about by a reset, or was reset itself: here nothing can be sent any more. */
  #cannotSendHere = false;

  constructor(
    private readonly input: RefundInput,
    carried?: RefundCarry,
  ) {
    this.#opening = readOpening('refund', input, input, 0);
    const { partnerCode, valueCentavos, scale, notify } = this.#opening;
    this.record = new PaymentRecord(
      'refund',
      partnerCode,
      valueCentavos,
      'requesting',
      carried?.record,
      notify,
    );
    this.follower = new StatusFollower(scale, carried?.follower);
    this.follow = new RefundFollow(input, this.record, this.follower, scale, carried?.follow);
    this.#sending = new Sending(this.record, scale, carried?.sending);
    this.#requests = carried?.requests ?? 0;
  }

  view(): RefundState {
    const state = this.record.state();
    const value = state.value === 0 ? null : state.value;
    return { ...state, kind: 'refund', value, outcome: this.follow.outcome, requests: this.#requests };
  }

  ended(): boolean {
    const seenTo = this.record.attention === null || this.record.isRaised('invalid_input');
    return this.follow.phase === 'over' && seenTo;
  }

  dueAt(): number {
    switch (this.follow.phase) {
      case 'checking':
        return 0;
      case 'to_send':
        return this.#sending.at;
      case 'over':
        return Infinity;
      default:
        return this.follow.dueAt();
    }
  }

  awaiting(): string {
    switch (this.follow.phase) {
      case 'checking':
      case 'first_read':
        return 'a read of the order, before the refund is asked for';
      case 'to_send':
        return 'the time to send it again';
      case 'over':
        return 'the word of a person';
      default:
        return this.follow.isParked
          ? 'a retry or a resolution; the order is read on'
          : 'a read that shows the order as refunded';
    }
  }

  async step(): Promise<void> {
    if (this.#opening.problem !== undefined) return this.#rejectInput(this.#opening.problem);
    switch (this.follow.phase) {
      case 'checking':
        return this.#check();
      case 'first_read':
        return this.#decide(await this.follow.look());
      case 'to_send':
        return this.#send();
      case 'over':
        return;
      default:
        await this.follow.look();
    }
  }

  obey(command: RefundCommand): Promise<void> {
    return obeyRefundCommand(this, command);
  }

  /** Before anything was asked for, a cancelled refund is simply not made. */
  cancel(): boolean {
    const unsent = ['checking', 'first_read', 'to_send'].includes(this.follow.phase) && this.#requests === 0;
    if (unsent) this.follow.end('cancelled', 'Cancelled before anything was sent. Nothing was refunded.');
    return unsent;
  }

  untried(): boolean {
    return this.follow.phase === 'to_send' && this.#sending.untried;
  }

  /** A run that came about by a reset never sends; once a person has decided, the refund goes on in a fresh one. */
  wantsFreshRun(): boolean {
    return this.#cannotSendHere && (this.follow.phase === 'refused' || this.follow.phase === 'failed');
  }

  continueAsNew(): Promise<never> {
    const carry: RefundCarry = {
      record: this.record.carry(),
      follower: this.follower.carry(),
      follow: this.follow.carry(),
      sending: this.#sending.carry(),
      requests: this.#requests,
    };
    return continueAsNew<typeof refund>(this.input, carry);
  }

  /** Makes one more request due. The caller has proven, or a person has said, that none is queued. */
  requestAgain(operator: Operator): void {
    if (this.#cannotSendHere) {
      this.record.note('A person says that no refund is queued', operator);
      this.follow.fail(
        'refused',
        'This run came about by a reset and can send nothing; the refund goes on in a fresh one. Send retryRefund again.',
      );
      return;
    }
    this.#sending.renew();
    this.follow.beginRequest(operator);
  }

  async #check(): Promise<void> {
    const { problems } = await checking('check the request').checkInput({
      workflow_type: 'refund',
      input: this.input,
    });
    if (problems.length > 0) return this.#rejectInput(problemsText(problems));
    const { by, reason, service_id: serviceId } = this.input;
    this.record.identify(serviceId);
    this.record.note('The refund was asked for.', { by, reason });
    this.follow.beginReading();
  }

  /** After the first read: asks for the refund, unless it is made or under way already, or must not be. */
  #decide(usable: boolean): void {
    if (this.follow.phase !== 'first_read') return;
    const giveUpAt = workflowInfo().startTime.getTime() + spans.refundFirstReadMs * this.#opening.scale;
    const objection = this.follow.objection();
    if (objection !== null) {
      this.follow.fail('refused', `${objection} Nothing was sent.`);
    } else if (usable) {
      this.#sending.renew();
      this.follow.beginRequest();
    } else if (Date.now() >= giveUpAt) {
      this.follow.fail(
        'refused',
        'The order could not be read, so the refund was not asked for. Nothing was sent.',
      );
    }
  }

  async #send(): Promise<void> {
    const sent = await this.#sending.once((once) =>
      creating('ask for the refund').requestRefund({ ...once, service_id: this.input.service_id }),
    );
    if (sent === undefined) {
      if (Date.now() < this.#sending.since + spans.refundFirstReadMs * this.#opening.scale) return;
      return this.follow.fail('refused', 'The refund could not be asked for in time. Nothing was sent.');
    }
    this.#requests += 1;
    switch (sent.kind) {
      case 'answered':
        return this.follow.asked(sent.serviceId, sent.status);
      case 'refused':
        this.record.refusedBecause(sent.reason);
        return this.follow.fail('refused', `The service refused the refund: ${sent.reason}`);
      case 'invalid':
        return this.#rejectInput(problemsText(sent.problems));
      case 'card_gone':
        return this.follow.fail('refused', sent.reason);
      case 'unknown':
        this.#cannotSendHere ||= sent.dispatchedBefore;
        return this.follow.doubt(sent.reason);
    }
  }

  #rejectInput(problems: string): void {
    this.record.raise('invalid_input', problems);
    this.follow.end('rejected', 'The request was not usable; nothing was sent.');
  }
}
