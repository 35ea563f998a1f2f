import { ActivityFailure } from '@temporalio/workflow';
import type { OrderReading } from '../../src/contract/outcomes.js';
import { dayMs, followCadence, spans, watchCadence } from '../../src/domain/cadence.js';
import { formatAmount } from '../../src/domain/money.js';
import { isRecognised, isWatchedOrderStatus } from '../../src/domain/statuses.js';
import { reading } from './activities.js';
import type { Opening } from './opening.js';
import type { PaymentRecord } from './payment-record.js';
import type { StatusFollower } from './status-follower.js';

/** What the following of an order hands over at a continue-as-new. */
export type OrderFollowCarry = { overdueFrom: number | null; inconsistency: string | null };

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
    carried?: OrderFollowCarry,
  ) {
    this.#carry = carried ?? { overdueFrom: null, inconsistency: null };
  }

  /** The order has an identifier from now on; its first status is what the creating call answered, if it did. */
  begin(serviceId: string, status: string | null): void {
    this.record.identify(serviceId);
    this.#carry.overdueFrom = Date.now() + spans.orderSettlementMs * this.opening.scale;
    if (status === null) {
      this.follower.dueNow('cadence');
      return;
    }
    this.show(status);
    this.plan();
  }

  /** Reads the order and takes over what it shows. A read that fails is noted; the cadence goes on. */
  async read(): Promise<void> {
    const serviceId = this.record.serviceId;
    if (serviceId === null) return;
    const { cause } = this.follower;
    this.follower.beginLook();
    const shown = await tryToReadOrder(serviceId);
    this.record.wasRead(cause, shown?.status ?? null);
    if (shown?.status != null && this.#fits(serviceId, shown)) this.show(shown.status);
    this.#callWhenOverdue();
    this.plan();
  }

  /** Takes over a status that the service itself has shown. */
  show(status: string): void {
    const former = this.record.status;
    if (status === former) return;
    this.follower.changed();
    this.record.moveTo(status, `${former} → ${status}`);
    if (isRecognised(this.record.kind, status)) this.record.lower('unrecognised_status');
    else this.record.raise('unrecognised_status', `The service calls the order "${status}".`);
    if (status === 'chargeback') this.record.raise('chargeback', 'The service reports a chargeback.');
    else this.record.lower('chargeback');
    if (isWatchedOrderStatus(status)) this.#carry.overdueFrom = null;
    else if (status === 'paid')
      this.#carry.overdueFrom = Date.now() + spans.orderSettlementMs * this.opening.scale;
    if (isWatchedOrderStatus(status)) this.record.lower('overdue');
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

/** What in a reading does not fit the order that was sent; null when all of it does. */
function misfit(serviceId: string, record: PaymentRecord, shown: OrderReading): string | null {
  const { service_id: id, value_centavos: value, partner_code: code } = shown;
  if (id !== null && id !== serviceId)
    return `The service answered with order ${id} when asked for ${serviceId}.`;
  if (value !== null && value !== record.valueCentavos) {
    return `The service shows ${formatAmount(value)}, asked for were ${formatAmount(record.valueCentavos)}.`;
  }
  return code !== null && code !== record.partnerCode ? `The service shows the partner_code ${code}.` : null;
}
