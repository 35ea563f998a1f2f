import { orderMisfit } from './misfit.js';
import { Refused } from './refused.js';
import { refundObjection, refundStages, type RefundStage } from './refund-stages.js';
import { shownAs } from './refund.js';
import type { Stage } from './stage-table.js';
import { isRefundMoving } from './statuses.js';

/** What a fresh read of the order has come to. */
export type FreshRead = {
  readonly stage: RefundStage;
  /** Whether it worked, and showed this order. */
  readonly usable: boolean;
  /** Why the order must not be refunded as it was read last; null when nothing speaks against it. */
  readonly objection: string | null;
};

/** The order that is to be refunded, and a failure that was shown before the request that is due. */
type ToRefund = Parameters<typeof orderMisfit>[0] & { readonly previousFailure: string | null };
type OrderShown = Parameters<typeof orderMisfit>[1] & { readonly status: string | null };

/** Whether a read of the order, made right before a request, lets it be sent: as {@link requestVerdict} has it. */
export function allowsRequest({ previousFailure, ...wanted }: ToRefund, shown: OrderShown): boolean {
  const { status } = shown;
  if (status === null || refundObjection(orderMisfit(wanted, shown), status) !== null) return false;
  const { phase } = shownAs({ phase: 'to_send', previousFailure, shown: null }, status, 0);
  return phase === undefined;
}

/**
 * What it means for a refund that was to be requested: `request` it; it has `moved_on`; `read_again`, for the read did
 * not work; or `refuse` it.
 */
export type RequestVerdict =
  | { readonly kind: 'request' | 'moved_on' | 'read_again' }
  | { readonly kind: 'refuse'; readonly why: string };

/** @param isTooLate it could not be requested for so long that an operator is asked */
export function requestVerdict({ objection, stage, usable }: FreshRead, isTooLate: boolean): RequestVerdict {
  if (stage !== 'request') return { kind: 'moved_on' };
  if (objection !== null) return { kind: 'refuse', why: objection };
  if (usable) return { kind: 'request' };
  if (!isTooLate) return { kind: 'read_again' };
  return { kind: 'refuse', why: 'The order could not be read, so the refund was not requested.' };
}

/**
 * Why the read does not prove that a further request refunds nothing twice; undefined when it does.
 *
 * @param shown what the service shows of the order
 */
export function notProvenUnrefunded(
  { objection, stage, usable }: FreshRead,
  { shown, status }: { shown: string | null; status: string },
): Refused | undefined {
  const takes: Stage = refundStages[stage];
  if (!takes.includes('retryRefund') || isRefundMoving(shown)) {
    return new Refused('AlreadyMoving', `A fresh read shows ${status}. Nothing was sent.`);
  }
  if (objection !== null) return new Refused('AlreadyMoving', `${objection} Nothing was sent.`);
  if (usable) return undefined;
  const what = 'The order could not be read just now, so nothing was sent. Try again later.';
  return new Refused('CouldNotRead', what);
}
