import { dayMs, watchAfterDecisionMs } from '../../src/domain/cadence.js';
import { overdue, timeOver } from '../../src/domain/order.js';
import type { SharedIdentifier } from '../../src/domain/payment-record.js';
import { whyUnread, type PaymentContext } from '../shared/context.js';
import { applyRead } from '../shared/order-reads.js';
import type { OrderPayment } from './payment.js';

/** Reads the order, says what is overdue, expires what nobody has paid, and plans the next read. */
export async function readOrder(ctx: PaymentContext, payment: OrderPayment): Promise<boolean> {
  if (payment.record.serviceId === null) return false;
  const { contested } = payment.record;
  if (contested !== undefined) return checkOwner(ctx, payment, contested);
  const usable = await applyRead(ctx, payment, payment.record.serviceId);
  if (ctx.now() >= (payment.data.overdueFrom ?? Infinity)) {
    payment.apply(overdue(payment.data, `The order is still ${payment.record.status} after its deadline.`));
  }
  if (payment.now() >= (payment.data.expiresAt ?? Infinity)) {
    const change = timeOver(payment.data, payment.kind, usable);
    payment.apply(change);
    if (change.override !== undefined) payment.reads.changed();
  }
  payment.planRead();
  return usable;
}

/** Another order has the identifier as well: this one keeps it only if the service shows our partner_code. */
async function checkOwner(
  ctx: PaymentContext,
  payment: OrderPayment,
  shared: SharedIdentifier,
): Promise<boolean> {
  const { reads, record } = payment;
  const cause = reads.begin();
  const read = await ctx.readOrder(shared.serviceId);
  if (read.kind === 'read') payment.ownerChecked(shared, read.reading.partner_code);
  else record.couldNotBeRead(cause, whyUnread(read, 'order'));
  payment.conclude();
  payment.planRead();
  return false;
}

/** When the next read is due: by the schedule, at its expiry or deadline, or at the end of the watch. */
export function readDueAt(payment: OrderPayment): number {
  const { data, reads } = payment;
  const watchEnds = watchEndsAt(payment);
  return Math.min(
    reads.nextReadAt,
    reads.onceDueAt(data.expiresAt ?? Infinity),
    reads.onceDueAt(data.overdueFrom ?? Infinity),
    closesUnread(payment) ? watchEnds : reads.onceDueAt(watchEnds),
  );
}

/** The end of the watch; never while money is expected to move or an operator is needed. */
export function watchEndsAt(payment: OrderPayment): number {
  const { orderStage, record } = payment;
  if (orderStage !== 'watch' || record.attention !== null) return Infinity;
  return record.data.changedAt + payment.scaled(watchMs(payment));
}

/** Without a watch it closes with the read that has settled it, unless the last one did not work: then the schedule goes on. */
export function closesUnread(payment: OrderPayment): boolean {
  return watchMs(payment) === 0 && payment.record.data.unreadableSince === null;
}

/** How long a settled order is watched; 0 when it closes with the read that has settled it. */
function watchMs({ data, record, start }: OrderPayment): number {
  const isBelief = data.phase === 'void' || record.status === 'expired';
  return Math.max(start.watchDays * dayMs, isBelief ? watchAfterDecisionMs : 0);
}
