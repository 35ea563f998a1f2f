import { formatAmount, toCentavos } from './money.js';
import { Refused } from './refused.js';
import type { StageTable } from './stage-table.js';
import { isRefundUnderWay, isServiceOrderStatus, isUncharged } from './statuses.js';

/**
 * How far a refund has come: `to_send`, `asked` and taken by the service, `unknown` whether it was,
 * `refused` by the service or by us, `failed` by the service's own status, `decided` by a person, who has cancelled or
 * resolved it, `over`.
 */
export type RefundPhase = 'to_send' | 'asked' | 'unknown' | 'refused' | 'failed' | 'decided' | 'over';

/** What a refund does now, and which commands it takes while it does. */
export const refundStages = {
  /** Reads the order, and requests its refund. */
  request: ['cancel'],
  /** Reads until the order is refunded. */
  confirm: [],
  /** Waits for a decision, and reads on. */
  decide: ['retryRefund', 'resolveRefund'],
  /** Is cancelled or resolved: reads rarely, and is requested after all when that is asked for. */
  watch: ['retryRefund'],
  /** Is over, and waits for an operator to acknowledge what is wrong. */
  acknowledge: [],
  closed: [],
} as const satisfies StageTable;

export type RefundStage = keyof typeof refundStages;

/**
 * @param unconfirmed no read has shown it as done in time, or its outcome is unknown
 * @param needsOperator an attention stands that says more than that the input was not usable
 */
export function refundStage(
  phase: RefundPhase,
  { needsOperator, unconfirmed }: { needsOperator: boolean; unconfirmed: boolean },
): RefundStage {
  switch (phase) {
    case 'to_send':
      return 'request';
    case 'asked':
      return unconfirmed ? 'decide' : 'confirm';
    case 'unknown':
    case 'refused':
    case 'failed':
      return 'decide';
    case 'decided':
      return 'watch';
    case 'over':
      return needsOperator ? 'acknowledge' : 'closed';
  }
}

/**
 * Why a further request must not be made without more being known; undefined when it may.
 *
 * @param mayShowEarlier a request may be queued of which no read has shown what became of it
 */
export function retryRefundRefusal(
  { mayShowEarlier, phase }: { phase: RefundPhase; mayShowEarlier: boolean },
  { nothing_queued: nothingQueued }: { nothing_queued?: boolean | undefined },
): Refused | undefined {
  const isAnswered = phase === 'failed' || phase === 'decided';
  const mayBeQueued = phase === 'unknown' || phase === 'asked' || (isAnswered && mayShowEarlier);
  if (!mayBeQueued || nothingQueued === true) return undefined;
  return new Refused(
    'DecisionNeeded',
    'The previous request may have been queued, and a further one would then refund twice. Look at the service; ' +
      'when it is certain that it holds none, send nothing_queued: true.',
  );
}

/** What a retry has to hold to be taken, beside who decided it and why; null when nothing. */
export function retryRefundRequires(refund: Parameters<typeof retryRefundRefusal>[0]) {
  return retryRefundRefusal(refund, {}) === undefined ? null : ({ nothing_queued: true } as const);
}

/**
 * Why an order that was read so must not be refunded; null when nothing speaks against it. A word whose meaning is not
 * known, such as "refunding", may say that the money goes back already.
 */
export function refundObjection(misfit: string | null, shown: string | null): string | null {
  if (misfit !== null) return `That is not the order to refund. ${misfit}`;
  if (shown === 'chargeback') {
    return 'The order reads as chargeback: the money has gone back already, and a refund would give it twice.';
  }
  if (isUncharged(shown)) return unchargedObjection(shown);
  return shown === null || isServiceOrderStatus(shown) || isRefundUnderWay(shown)
    ? null
    : `The order reads as "${shown}", whose meaning is not known: the money may be going back already.`;
}

/** Why an order that reads as one that was not charged is not refunded. */
export function unchargedObjection(shown: string | null): string {
  return `The order reads as ${shown ?? 'nothing'}: it was not charged, so that there is nothing to refund.`;
}

/**
 * Why a refund of this value is refused; undefined when it is the whole order's, or none is stated. In reais.
 *
 * @param order what is known here of the order; undefined when nothing is
 */
export function refundValueProblem(
  value: number | undefined,
  order: { readonly value: number | null } | undefined,
): string | undefined {
  if (value === undefined || order === undefined || order.value === null || order.value === value)
    return undefined;
  const whole = formatAmount(toCentavos(order.value) ?? 0);
  return `is not the value of the order, ${whole}: only the whole order can be refunded. Leave it out`;
}

/** What an operator's finding about a refund means, for its timeline. */
export const refundFindings = {
  refunded: 'Resolved: an operator found that the customer has the money back.',
  not_refunded: 'Resolved: an operator found that the customer has not got the money back.',
} as const;
