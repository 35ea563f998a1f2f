import { freshDecisionMs } from '../../src/domain/cadence.js';
import { proofNeeded, provenFailed } from '../../src/domain/payout-attempts.js';
import type { PaymentContext } from '../shared/context.js';
import { lookAtAll } from './reads.js';
import type { PayoutPayment } from './payment.js';

/** When the proof could not be made, it is tried again so much later. */
const proofRetryMs = 5 * 60_000;

/**
 * Whether the latest attempt may be sent now: the previous ones are still failed, and a decision that is not fresh is
 * not in the service's list. Otherwise it is put off, followed, or given up.
 */
export async function mayBeSent(ctx: PaymentContext, payment: PayoutPayment): Promise<boolean> {
  const { attempts, provenAt, start, submission } = payment;
  const latest = attempts.latest;
  const facts = { now: ctx.now(), provenAt, freshMs: freshDecisionMs, tries: submission.tries };
  const { notListed, previousFailed } = proofNeeded(latest, facts);
  if (!notListed && !previousFailed) return true;
  const { result } = await lookAtAll(ctx, payment, true);
  if (payment.stage !== 'submit') return false;
  if (!attempts.previous.every(provenFailed)) {
    payment.fail('never_sent', 'Not sent: a previous attempt did not fail after all.');
    return false;
  }
  if (result !== 'clear') {
    const later = ctx.now() + proofRetryMs * start.scale;
    payment.sendLater(later, 'Not sent yet: the service can not be read clearly.');
    return false;
  }
  payment.proven(ctx.now());
  return true;
}
