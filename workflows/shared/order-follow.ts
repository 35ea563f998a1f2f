import { ActivityFailure } from '@temporalio/workflow';
import type { OrderReading } from '../../src/contract/outcomes.js';
import { dayMs, followCadence, spans, watchCadence } from '../../src/domain/cadence.js';
import { formatAmount } from '../../src/domain/money.js';
import { isRecognised, isUnpaidOrderStatus, isWatchedOrderStatus } from '../../src/domain/statuses.js';
import { reading } from './activities.js';
import type { Opening } from './opening.js';
import type { Operator, PaymentRecord } from './payment-record.js';
import type { StatusFollower } from './status-follower.js';

/** What the following of an order hands over at a continue-as-new. */
export type OrderFollowCarry = {
  overdueFrom: number | null;
  inconsistency: string | null;
  /** What the service showed last; null before. */
  shown: string | null;
  /** A status of ours that stands as long as the service shows the order as unpaid. */
  cover: string | null;
  /** When an order that nobody has paid expires; null when it does not. */
  expiresAt: number | null;
};

/** How an order begins that waits for the customer first. */
export type OrderBeginning = {
  /** What it is called, as long as the service shows it as unpaid. */
  cover?: string;
  /** After how long without a payment it expires. */
  expiresAfterMs?: number;
};

/**
 * Follows an order that has an identifier, whatever way it was made: reads it, draws the conclusions, and knows
 * when its watch ends. Any change that a fresh read shows is accepted, also from a status that looked final.
 */
export class OrderFollow {
  #carry: OrderFollowCarry;

  constructor(
    private readonly record: PaymentRecord,
    private readonly follower: StatusFollower,
    private readonly opening: Opening,
    private readonly beginning: OrderBeginning,
    carried?: OrderFollowCarry,
  ) {
    this.#carry = carried ?? {
      overdueFrom: null,
      inconsistency: null,
      shown: null,
      cover: null,
      expiresAt: null,
    };
  }

  /** Whether the service shows a status that says more than that nobody has paid. */
  get hasMoved(): boolean {
    const { shown } = this.#carry;
    return shown !== null && isRecognised(this.record.kind, shown) && !isUnpaidOrderStatus(shown);
  }

  /** The order has an identifier from now on; its first status is what the creating call answered, if it did. */
  begin(serviceId: string, status: string | null): void {
    const { cover = null, expiresAfterMs } = this.beginning;
    const { scale } = this.opening;
    this.record.identify(serviceId);
    this.#carry.overdueFrom = Date.now() + spans.orderSettlementMs * scale;
    this.#carry.cover = cover;
    this.#carry.expiresAt = expiresAfterMs === undefined ? null : Date.now() + expiresAfterMs * scale;
    if (status === null) {
      if (cover !== null) this.record.moveTo(cover, 'The service took the order.');
      this.follower.dueNow('cadence');
      return;
    }
    this.show(status);
    this.plan();
  }

  /** Shows a status of ours as long as the service shows the order as unpaid; null shows the service's own again. */
  cover(status: string | null, what: string, operator?: Operator): void {
    this.#carry.cover = status;
    const { shown } = this.#carry;
    const wanted = shown === null || isUnpaidOrderStatus(shown) ? (status ?? shown) : null;
    if (wanted !== null) this.record.moveTo(wanted, what, operator);
    this.follower.changed();
    this.plan();
  }

  /** From when on an unpaid order counts as expired; null for never. */
  expireAt(at: number | null): void {
    this.#carry.expiresAt = at;
  }

  /** When the next read is due, or the end of the watch. */
  dueAt(): number {
    const { expiresAt } = this.#carry;
    const expiry = expiresAt !== null && this.follower.carry().lastLookAt < expiresAt ? expiresAt : Infinity;
    return Math.min(this.follower.nextReadAt, expiry, this.watchEndsAt());
  }

  /** Reads the order and takes over what it shows; false when it could not be read, and the cadence goes on. */
  async read(): Promise<boolean> {
    const serviceId = this.record.serviceId;
    if (serviceId === null) return false;
    if (Date.now() < this.follower.nextReadAt) this.follower.dueNow('deadline');
    const { cause } = this.follower;
    this.follower.beginLook();
    const shown = await tryToReadOrder(serviceId);
    this.record.wasRead(cause, shown?.status ?? null);
    const usable = shown?.status != null && this.#fits(serviceId, shown);
    if (usable && shown.status !== null) this.show(shown.status);
    this.#callWhenOverdue();
    this.#expire(usable);
    this.plan();
    return usable;
  }

  /** Takes over a status that the service itself has shown. */
  show(status: string): void {
    const { cover } = this.#carry;
    this.#carry.shown = status;
    const former = this.record.status;
    const wanted = cover !== null && isUnpaidOrderStatus(status) ? cover : status;
    if (this.hasMoved) this.#uncover();
    if (wanted === former) return;
    this.follower.changed();
    this.record.moveTo(wanted, `${former} → ${wanted}`);
    if (isRecognised(this.record.kind, status)) this.record.lower('unrecognised_status');
    else this.record.raise('unrecognised_status', `The service calls the order "${status}".`);
    if (status === 'chargeback') this.record.raise('chargeback', 'The service reports a chargeback.');
    else this.record.lower('chargeback');
    if (isWatchedOrderStatus(wanted)) {
      this.#carry.overdueFrom = null;
      this.record.lower('overdue');
    } else if (status === 'paid') {
      this.#carry.overdueFrom = Date.now() + spans.orderSettlementMs * this.opening.scale;
      this.record.lower('overdue');
    }
  }

  /** Sets the next read: closely while a change is expected, rarely in the watch. */
  plan(): void {
    const cadence = isWatchedOrderStatus(this.record.status) ? watchCadence : followCadence;
    this.follower.plan(cadence, this.record.changedAt);
  }

  /** The end of the watch; never while money is expected to move or a person is called for. */
  watchEndsAt(): number {
    if (!isWatchedOrderStatus(this.record.status) || this.record.attention !== null) return Infinity;
    return this.record.changedAt + this.opening.watchDays * dayMs * this.opening.scale;
  }

  carry(): OrderFollowCarry {
    return this.#carry;
  }

  /** What was ours no longer stands: the order has moved. One that had expired and is paid is for a person. */
  #uncover(): void {
    const { cover, shown } = this.#carry;
    if (cover === 'expired' && shown !== null && !['denied', 'error'].includes(shown)) {
      this.record.raise(
        'inconsistent_answer',
        `The order had expired, and the service now shows it as ${shown}.`,
      );
    }
    if (cover === 'submission_unknown') this.record.lower('submission_unknown');
    this.#carry.cover = null;
    this.#carry.expiresAt = null;
  }

  /** Only a read that worked may say that nobody has paid. */
  #expire(usable: boolean): void {
    const { expiresAt, shown, overdueFrom } = this.#carry;
    if (expiresAt === null || Date.now() < expiresAt) return;
    if (this.hasMoved) return this.expireAt(null);
    if (usable && shown !== null && isUnpaidOrderStatus(shown)) {
      this.expireAt(null);
      this.#carry.overdueFrom = null;
      this.record.lower('overdue', 'awaiting_card');
      this.cover('expired', 'Its time is over and nobody has paid. Nothing was charged.');
    } else if (overdueFrom !== null) {
      this.#carry.overdueFrom = null;
      this.record.raise('overdue', 'Its time is over, and no read tells whether it was paid.');
    }
  }

  #fits(serviceId: string, shown: OrderReading): boolean {
    const wrong = misfit(serviceId, this.record, shown);
    if (wrong !== this.#carry.inconsistency && wrong !== null)
      this.record.raise('inconsistent_answer', wrong);
    this.#carry.inconsistency = wrong;
    return wrong === null;
  }

  #callWhenOverdue(): void {
    const { overdueFrom } = this.#carry;
    if (overdueFrom === null || Date.now() < overdueFrom) return;
    this.#carry.overdueFrom = null;
    this.record.raise('overdue', `The order is still ${this.record.status} after its deadline.`);
  }
}

/** What the service shows of an order; undefined when it could not be read just now. */
export async function tryToReadOrder(serviceId: string): Promise<OrderReading | undefined> {
  try {
    return await reading('read the order').readOrder({ service_id: serviceId });
  } catch (error) {
    if (error instanceof ActivityFailure) return undefined;
    throw error;
  }
}

/** What in a reading does not fit the payment that it is for; null when all of it does. */
export function misfit(serviceId: string, record: PaymentRecord, shown: OrderReading): string | null {
  const { service_id: id, value_centavos: value, partner_code: code } = shown;
  if (id !== null && id !== serviceId)
    return `The service answered with order ${id} when asked for ${serviceId}.`;
  if (value !== null && record.valueCentavos !== 0 && value !== record.valueCentavos) {
    return `The service shows ${formatAmount(value)}, asked for were ${formatAmount(record.valueCentavos)}.`;
  }
  return code !== null && code !== record.partnerCode ? `The service shows the partner_code ${code}.` : null;
}
