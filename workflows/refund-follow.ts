import type { RefundInput } from '../src/contract/refund.js';
import type { ReadCause, RefundState } from '../src/contract/state.js';
import { followCadence, parkedCadence, spans } from '../src/domain/cadence.js';
import { isRecognised, isRefundFailure, isRefundUnderWay } from '../src/domain/statuses.js';
import { misfit, tryToReadOrder } from './shared/order-follow.js';
import type { Operator, PaymentRecord } from './shared/payment-record.js';
import type { StatusFollower } from './shared/status-follower.js';

/**
 * `checking` the input, `first_read` of the order before anything is sent, `to_send`, `asked` and taken by the
 * service, `unknown` whether it was, `refused` by the service or by us, `failed` by its own word, `over`.
 */
type Phase = 'checking' | 'first_read' | 'to_send' | 'asked' | 'unknown' | 'refused' | 'failed' | 'over';

/** What the following of a refund hands over at a continue-as-new. */
export type RefundFollowCarry = {
  phase: Phase;
  /** What the service showed of the order last. */
  shown: string | null;
  /** When the request was made, while its confirmation is awaited; null otherwise. */
  askedAt: number | null;
  outcome: RefundState['outcome'];
  /** A failure that was shown before the latest request, so that seeing it again says nothing of this one. */
  formerFailure: string | null;
  /** What in the last read did not fit the order asked for; null when all did. */
  misfit: string | null;
};

/** Knows how far a refund has come, by what was sent and by reads of its order. */
export class RefundFollow {
  readonly #facts: RefundFollowCarry;

  constructor(
    private readonly input: RefundInput,
    private readonly record: PaymentRecord,
    private readonly follower: StatusFollower,
    private readonly scale: number,
    carried?: RefundFollowCarry,
  ) {
    this.#facts = carried ?? {
      phase: 'checking',
      shown: null,
      askedAt: null,
      outcome: null,
      formerFailure: null,
      misfit: null,
    };
  }

  get phase(): Phase {
    return this.#facts.phase;
  }

  get outcome(): RefundState['outcome'] {
    return this.#facts.outcome;
  }

  /** Whether it comes to no end without a person: refused, failed, or not confirmed in time. */
  get isParked(): boolean {
    return this.phase === 'refused' || this.phase === 'failed' || this.record.status === 'unconfirmed';
  }

  /** Whether the service may hold a request that it has not refused and not failed. */
  get mayBeQueued(): boolean {
    return this.phase === 'unknown' || this.phase === 'asked';
  }

  /** Whether the order, as it was read last, shows a refund on its way. */
  get isUnderWay(): boolean {
    const { shown } = this.#facts;
    return shown !== null && isRefundUnderWay(shown) && !isRefundFailure(shown);
  }

  /** When the next read is due, or the confirmation overdue. */
  dueAt(): number {
    return Math.min(this.follower.nextReadAt, this.#confirmationEndsAt());
  }

  /** Reads the order and takes over what it shows of the refund; false when it could not be read. */
  async look(cause?: ReadCause): Promise<boolean> {
    if (cause !== undefined) this.follower.dueNow(cause);
    else if (Date.now() < this.follower.nextReadAt) this.follower.dueNow('deadline');
    const dueBy = this.follower.cause;
    this.follower.beginLook();
    const { service_id: serviceId } = this.input;
    const shown = await tryToReadOrder(serviceId);
    this.record.wasRead(dueBy, shown?.status ?? null);
    const wrong = shown === undefined ? null : misfit(serviceId, this.record, shown);
    if (wrong !== null && wrong !== this.#facts.misfit) this.record.raise('inconsistent_answer', wrong);
    if (shown !== undefined) this.#facts.misfit = wrong;
    const usable = shown?.status != null && wrong === null;
    if (usable && shown.status !== null) this.#show(shown.status);
    this.#callWhenUnconfirmed();
    this.#plan();
    return usable;
  }

  /** Why the order, as it was read last, must not be refunded; null when nothing speaks against it. */
  objection(): string | null {
    const { misfit: wrong, shown } = this.#facts;
    if (wrong !== null) return `That is not the order to refund. ${wrong}`;
    return shown === 'chargeback'
      ? 'The order reads as chargeback: the money has gone back already, and a refund would give it twice.'
      : null;
  }

  beginReading(): void {
    this.#facts.phase = 'first_read';
    this.follower.dueNow('command');
  }

  /** A request is due; whoever calls has proven that none is queued, or a person has said so. */
  beginRequest(operator?: Operator): void {
    const { shown } = this.#facts;
    this.#facts.phase = 'to_send';
    this.#facts.askedAt = null;
    this.#facts.formerFailure = shown !== null && isRefundFailure(shown) ? shown : null;
    this.record.lower('refund_failed', 'refund_unconfirmed');
    this.record.moveTo('requesting', 'The refund is asked for again.', operator);
  }

  /** The service took the request. Only a read says that it is done; that it failed the answer may say as well. */
  asked(serviceId: string | null, status: string | null): void {
    this.#takenByService('The service took the request for the refund.');
    if (serviceId !== null && serviceId !== this.input.service_id) {
      this.record.raise('inconsistent_answer', `The service answered for order ${serviceId}.`);
    }
    if (status !== null && isRefundFailure(status))
      this.fail('failed', `The service answered that the refund failed: ${status}.`);
    this.#plan();
  }

  doubt(reason: string): void {
    this.#facts.phase = 'unknown';
    this.#unconfirmed(`Whether the service took the request is not known: ${reason}`);
    this.#plan();
  }

  fail(phase: 'refused' | 'failed', reason: string): void {
    this.#facts.phase = phase;
    this.#facts.askedAt = null;
    this.record.lower('refund_unconfirmed');
    this.record.moveTo('rejected', reason);
    this.record.raise('refund_failed', reason);
    this.#plan();
  }

  resolveAs(outcome: 'refunded' | 'not_refunded', operator: Operator): void {
    this.#facts.outcome = outcome;
    this.record.lower('refund_failed', 'refund_unconfirmed');
    const what =
      outcome === 'refunded'
        ? 'Resolved: the customer has the money back.'
        : 'Resolved: the customer has not got the money back, and will not by this refund.';
    this.end('resolved', what, operator);
  }

  end(status: 'refunded' | 'rejected' | 'resolved' | 'cancelled', what: string, operator?: Operator): void {
    this.#facts.phase = 'over';
    this.record.moveTo(status, what, operator);
  }

  carry(): RefundFollowCarry {
    return this.#facts;
  }

  /** Takes over what a read of the order says of its refund. Anything else is neither proof nor disproof. */
  #show(status: string): void {
    const { shown: former, phase } = this.#facts;
    this.#facts.shown = status;
    if (status !== former) this.follower.changed();
    if (status !== this.#facts.formerFailure) this.#facts.formerFailure = null;
    if (isRecognised('refund', status)) this.record.lower('unrecognised_status');
    else if (status !== former)
      this.record.raise('unrecognised_status', `The service calls the order "${status}".`);
    if (status === 'refunded') {
      this.record.lower('refund_failed', 'refund_unconfirmed', 'chargeback');
      this.end('refunded', 'The service shows the order as refunded.');
    } else if (isRefundFailure(status)) {
      const isNews = phase !== 'failed' && this.#facts.formerFailure === null;
      if (isNews) this.fail('failed', `The service shows the refund as failed: ${status}.`);
    } else if (isRefundUnderWay(status)) {
      if (phase !== 'asked' || status !== former)
        this.#takenByService(`The service shows a refund under way: ${status}.`);
    } else if (status === 'chargeback' && former !== status && phase !== 'first_read') {
      const what = 'The order was charged back while its refund is open: the money may go back twice.';
      this.record.raise('chargeback', what);
    }
  }

  #takenByService(what: string): void {
    this.#facts.phase = 'asked';
    this.#facts.askedAt = Date.now();
    this.record.lower('refund_failed', 'refund_unconfirmed');
    this.record.moveTo('refund_processing', what);
  }

  #unconfirmed(reason: string): void {
    this.#facts.askedAt = null;
    this.record.moveTo('unconfirmed', reason);
    this.record.raise('refund_unconfirmed', reason);
  }

  #callWhenUnconfirmed(): void {
    if (this.phase !== 'asked' || Date.now() < this.#confirmationEndsAt()) return;
    this.#unconfirmed('The service took the request, and no read has shown the order as refunded in time.');
  }

  #confirmationEndsAt(): number {
    const { askedAt } = this.#facts;
    return askedAt === null ? Infinity : askedAt + spans.refundConfirmationMs * this.scale;
  }

  #plan(): void {
    if (this.phase === 'over') return;
    const parked = this.phase === 'refused' || this.phase === 'failed';
    this.follower.plan(parked ? parkedCadence : followCadence, this.record.changedAt);
  }
}
