import type { PaymentContext } from '../shared/context.js';
import type { RefundPayment } from './payment.js';

/** `GET /v1/order/{id}`: applies what it shows of the refund; false when it could not be read or does not fit. */
export async function readOrder(ctx: PaymentContext, payment: RefundPayment): Promise<boolean> {
  const { input, record, reads, start } = payment;
  const cause = reads.begin();
  const read = await ctx.readOrder(input.service_id);
  if (read.kind === 'read') {
    record.wasRead(cause, read.reading.status);
  } else {
    const why = read.kind === 'not_found' ? 'The service knows no order by its identifier.' : read.reason;
    record.couldNotBeRead(cause, why, start.scale);
  }
  const usable = read.kind === 'read' && payment.applyReading(read.reading);
  payment.afterRead();
  return usable;
}
