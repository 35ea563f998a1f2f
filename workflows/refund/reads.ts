import { requestVerdict } from '../../src/domain/refund-proofs.js';
import { failed, unconfirmed } from '../../src/domain/refund.js';
import { showsRefund } from '../../src/domain/statuses.js';
import { unknownAfterReset, type PaymentContext } from '../shared/context.js';
import { applyReading, type MadeRead } from '../shared/order-reads.js';
import type { RefundPayment } from './payment.js';

const readRetryMs = 60_000;

/** Reads the order, asks for an operator when its refund is not confirmed in time, and plans the next read. */
export async function readOrder(ctx: PaymentContext, payment: RefundPayment): Promise<boolean> {
  const cause = payment.reads.begin();
  return showOrder(ctx, payment, { cause, read: await ctx.readOrder(payment.input.service_id) });
}

/** What follows from a read of the order, whoever has made it; false when it did not work or does not fit. */
async function showOrder(ctx: PaymentContext, payment: RefundPayment, made: MadeRead): Promise<boolean> {
  const before = payment.data.shown;
  const usable = applyReading(payment, payment.input.service_id, made);
  const { shown } = payment.data;
  // Without a postback the next read of the order may be weeks away.
  if (shown !== null && shown !== before && showsRefund(shown)) {
    await ctx.hintOrder(payment.record.partnerCode, shown);
  }
  if (payment.data.phase === 'asked' && ctx.now() >= payment.confirmationEndsAt) {
    const what = 'The service took the request, and no read has shown the order as refunded in time.';
    payment.apply(unconfirmed(what));
  }
  payment.planRead();
  return usable;
}

/**
 * Whether the read that the sending call has made lets the refund be requested. One that does not work is made again, for an
 * hour.
 */
export async function mayBeRequested(
  ctx: PaymentContext,
  payment: RefundPayment,
  made: MadeRead,
): Promise<boolean> {
  const usable = await showOrder(ctx, payment, made);
  const { isTooLate, objection, stage } = payment;
  const verdict = requestVerdict({ stage, usable, objection }, isTooLate);
  switch (verdict.kind) {
    case 'request':
    case 'moved_on':
      break;
    case 'read_again':
      payment.apply({ readAgainAt: ctx.now() + payment.scaled(readRetryMs) });
      break;
    case 'refuse':
      await stayUnsent(ctx, payment, verdict.why);
      break;
  }
  return verdict.kind === 'request';
}

/** After a reset "nothing was sent" is true of this run alone. */
async function stayUnsent(ctx: PaymentContext, payment: RefundPayment, why: string): Promise<void> {
  if (await ctx.wasReset()) payment.markUnknown(`${unknownAfterReset} ${why}`, true);
  else payment.apply(failed('refused', payment.wasSent ? why : `${why} Nothing was sent.`));
}
