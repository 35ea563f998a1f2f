import type { OrderReading } from '../../src/contract/outcomes.js';
import type { Read } from '../../src/domain/called.js';
import { orderMisfit } from '../../src/domain/misfit.js';
import type { ReadCause } from '../../src/domain/payment-record.js';
import { whyUnread, type PaymentContext } from './context.js';
import type { Payment } from './payment.js';
import type { PaymentRecord } from './payment-record.js';

type OfOrder = Payment & { show(status: string): void };

/** `GET /v1/order/{id}`: applies what it shows; false when it could not be read or does not fit. */
export async function applyRead(ctx: PaymentContext, payment: OfOrder, serviceId: string): Promise<boolean> {
  const cause = payment.reads.begin();
  return applyReading(payment, serviceId, { cause, read: await ctx.readOrder(serviceId) });
}

/** What a read has come to, why it was made, and when, in milliseconds since the epoch; without, just now. */
export type MadeRead = { readonly cause: ReadCause; readonly read: Read<OrderReading>; readonly at?: number };

/** Applies a read that was made; false as of {@link applyRead}. */
export function applyReading(
  payment: OfOrder,
  serviceId: string,
  { at = payment.now(), cause, read }: MadeRead,
): boolean {
  const { record } = payment;
  // Another order turned out to have the identifier as well: first it is examined whose it is.
  if (record.contested !== undefined) return false;
  if (read.kind !== 'read') {
    record.couldNotBeRead(cause, whyUnread(read, 'order'));
    payment.conclude();
    return false;
  }
  const { status } = read.reading;
  record.wasRead(cause, status, at);
  const misfit = misfitOf(record, serviceId, read.reading);
  // Another status under the same misfit is news to an operator who has acknowledged it.
  record.set({ misfit: misfit === null ? null : `${misfit} (${status ?? 'no status'})` });
  if (record.noticesReset(read.reading.reset_run_id ?? payment.run.resetBefore)) payment.resetNoticed();
  payment.conclude();
  if (misfit !== null || status === null) return false;
  record.set({ everRead: true });
  payment.show(status);
  return true;
}

/** What speaks against a reading being of this payment's order; null when nothing does. */
export function misfitOf(record: PaymentRecord, serviceId: string, shown: OrderReading): string | null {
  const { rightCentavos, partnerCode } = record;
  return orderMisfit({ serviceId, partnerCode, rightCentavos }, shown);
}
