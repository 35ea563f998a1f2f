import { notProvenUnrefunded } from '../../src/domain/refund-proofs.js';
import { cancelled, failed } from '../../src/domain/refund.js';
import type { CommandMessages } from '../shared/commands.js';
import { unknownAfterReset, type PaymentContext } from '../shared/context.js';
import { Refused } from '../../src/domain/refused.js';
import type { RefundPayment } from './payment.js';
import { readOrder } from './reads.js';

/** One more request, once a fresh read has shown that no refund is done or under way. */
export async function retry(
  ctx: PaymentContext,
  payment: RefundPayment,
  command: CommandMessages['retryRefund'],
): Promise<void> {
  if (await ctx.wasReset()) {
    payment.needsFreshRun = true;
    payment.record.note('A retry came to a run that was reset; nothing was sent.', command);
    throw new Refused(
      'RunWasReset',
      'This workflow was reset, so this run requests nothing. It goes on in a fresh run: send retryRefund again.',
    );
  }
  const usable = await readOrder(ctx, payment);
  const { data, objection, record, stage } = payment;
  const { shown } = data;
  const refusal = notProvenUnrefunded({ stage, usable, objection }, { shown, status: record.status });
  if (refusal !== undefined) throw refusal;
  payment.requestAgain(command);
}

/** Before the first request was sent, a cancelled refund is simply not made. After a reset that is not known. */
export async function cancel(ctx: PaymentContext, payment: RefundPayment): Promise<void> {
  if (await ctx.wasReset()) {
    payment.markUnknown(unknownAfterReset, true);
  } else if (payment.wasSent || ctx.run.afterReset) {
    payment.apply(failed('refused', 'Withdrawn by a cancel request before it was sent again.'));
  } else {
    payment.apply(cancelled());
  }
}
