import { freshDecisionMs } from '../../src/domain/cadence.js';
import { proofNeeded } from '../../src/domain/payout-attempts.js';
import { sendVerdict } from '../../src/domain/payout-proofs.js';
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
  const { begunAt, reason, result } = await lookAtAll(ctx, payment, { alsoScan: true, purpose: 'proof' });
  const { stage } = payment;
  const verdict = sendVerdict(payment.data, { result, stage, tookMs: ctx.now() - begunAt });
  switch (verdict) {
    case 'send':
      payment.set({ provenAt: begunAt });
      break;
    case 'moved_on':
      break;
    case 'previous_moved':
      await endUnsent(ctx, payment, () => {
        payment.endUnsent('A previous attempt did not fail after all.');
      });
      break;
    case 'listed':
      payment.markUnknown(
        "The service's list holds it already, and it does not fit what was asked for.",
        ctx.now(),
      );
      break;
    case 'unclear':
      putOffBecause(
        payment,
        `The service can not be read clearly. ${result === 'unreadable' ? reason : ''}`.trim(),
      );
      break;
    case 'too_slow':
      putOffBecause(
        payment,
        'To look at the service took more than a minute: what was seen first may have changed.',
      );
      break;
  }
  return verdict === 'send';
}

function putOffBecause(payment: PayoutPayment, reason: string): void {
  payment.apply({ submission: putOff(payment, payment.data.submission, reason) });
}
