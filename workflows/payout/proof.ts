import { freshDecisionMs } from '../../src/domain/cadence.js';
import { proofNeeded, provenFailed } from '../../src/domain/payout-attempts.js';
import { previousOf } from '../../src/domain/payout.js';
import type { PaymentContext } from '../shared/context.js';
import { putOff } from '../shared/submission.js';
import { endUnsent } from './commands.js';
import { lookAtAll } from './reads.js';
import type { PayoutPayment } from './payment.js';

/**
 * Whether the latest attempt may be sent now: the previous ones are still failed, and a decision that is not fresh is
 * not in the service's list. Otherwise it is put off, followed, or given up.
 */
export async function mayBeSent(ctx: PaymentContext, payment: PayoutPayment): Promise<boolean> {
  const { latest } = payment;
  const { provenAt, submission } = payment.data;
  const { notListed, previousFailed } = proofNeeded(latest, {
    now: ctx.now(),
    provenAt,
    freshMs: freshDecisionMs,
    tries: submission.tries,
  });
  if (!notListed && !previousFailed) return true;
  const { result } = await lookAtAll(ctx, payment, true);
  if (payment.stage !== 'submit') return false;
  if (!previousOf(payment.data).every(provenFailed)) {
    await endUnsent(ctx, payment, () => {
      payment.fail('never_sent', 'Not sent: a previous attempt did not fail after all.');
    });
    return false;
  }
  if (payment.latest.listed === true) {
    payment.markUnknown(
      "The service's list holds it already, and it does not fit what was asked for.",
      ctx.now(),
    );
    return false;
  }
  if (result !== 'clear') {
    payment.apply({ submission: putOff(payment, submission, 'The service can not be read clearly.') });
    return false;
  }
  payment.set({ provenAt: ctx.now() });
  return true;
}
