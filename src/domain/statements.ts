import { provenFailed, type Attempt } from './payout-attempts.js';
import { wasSent, type Refund } from './refund.js';
import { isRecognised } from './statuses.js';

/** All that may be said of the money of a payout that has failed. */
export const payoutStatements = {
  unpaid: 'No money has reached the payee.',
  refused:
    "By the service's answer no money has reached the payee. Its list is looked at before a further attempt.",
  returned: 'Money had reached the payee, and may have come back.',
  found: 'As far as was found no money has reached the payee; no read proves it.',
  unknown: 'Whether money has reached the payee is not known yet.',
} as const;

/** The same of an order that was not paid. */
export const orderStatements = {
  uncharged: 'Nothing was charged.',
  refused:
    "By the service's answer nothing was charged. A postback that names it is followed for a week at least.",
  /** Of a call that is not made again. */
  refusedCall: "By the service's answer nothing was charged by it.",
  /** Of a call that was not made, whatever others were. */
  unsent: 'Nothing was charged by it.',
  found: 'As far as was found nothing was charged; no read proves it.',
} as const;

/** The same of a refund that was refused, has failed, or was not requested. */
export const refundStatements = {
  none: 'No money goes back to the customer by it.',
  refused: "By the service's answer no money goes back to the customer by it.",
  found: 'As far as was found no money goes back to the customer by it; no read proves it.',
  unknown: 'Whether money goes back to the customer by it is not known.',
} as const;

/**
 * What is proven of the money of a payout: by its own attempts, and by reads. The service's refusal, an operator's finding,
 * and what follows from a later attempt, is no proof.
 *
 * @param payout `owesScan`: after a reset there may be attempts that are not known here
 */
export function payoutStatement({
  attempts,
  owesScan,
}: {
  readonly attempts: readonly Attempt[];
  readonly owesScan: boolean;
}): string {
  if (owesScan || !attempts.every(provenFailed)) return payoutStatements.unknown;
  if (attempts.some(({ wasDone }) => wasDone)) return payoutStatements.returned;
  const has = (wanted: Attempt['phase']) => attempts.some(({ phase }) => phase === wanted);
  if (has('not_paid')) return payoutStatements.found;
  return has('refused') ? payoutStatements.refused : payoutStatements.unpaid;
}

/** The same of a refund that waits for a decision. */
export function refundStatement(refund: Refund): string {
  const { mayShowEarlier, phase, requests, shown } = refund;
  // A word that nobody knows may be that of an earlier request; so may a failure, while that request goes on.
  const isUnclear = requests > 0 && shown !== null && !isRecognised('refund', shown);
  if (isUnclear || (mayShowEarlier && phase === 'failed')) return refundStatements.unknown;
  if (mayShowEarlier) return refundStatements.found;
  return phase === 'refused' && wasSent(refund) ? refundStatements.refused : refundStatements.none;
}
