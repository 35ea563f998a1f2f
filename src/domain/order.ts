import { noCandidates, type Candidates } from './candidates.js';
import type { Change } from './change.js';
import { noCard, type CardToSend } from './card-to-send.js';
import { spans } from './cadence.js';
import type { OrderKind } from './kinds.js';
import { newCompletion, type Completion } from './completion.js';
import type { OrderPhase } from './order-stages.js';
import { orderStatements } from './statements.js';
import { isRecognised, isUnpaidOrderStatus, isWatchedOrderStatus } from './statuses.js';
import { newSubmission, type SubmissionState } from './submission.js';

/** How an order ended that was never sent. */
export type OrderEnd = 'rejected' | 'cancelled';

/** What is known of an order beside its record. */
export type Order = {
  readonly phase: OrderPhase;
  readonly closed: boolean;
  readonly end: OrderEnd | null;
  /** Why its input was not usable. */
  readonly problems: string | null;
  /** Why it is not known whether it was taken, or completed. */
  readonly reason: string | null;
  readonly submission: SubmissionState;
  /** What the service showed last; null before. */
  readonly shown: string | null;
  /** A status of ours that stands as long as the service shows the order as unpaid. */
  readonly override: string | null;
  /** From when on it is overdue; null once it was, or when nothing is expected. */
  readonly overdueFrom: number | null;
  /** What has not come about by its deadline. */
  readonly overdue: string | null;
  /** When an order that nobody has paid expires; null when it does not. */
  readonly expiresAt: number | null;
  /** What of the service's answers did not fit, and still does not. */
  readonly oddities: readonly string[];
  /** Identifiers that postbacks have named for it while its own is not known. */
  readonly candidates: Candidates;
  /** The card that it is charged to; `none` of a hosted checkout, whose customer enters it at the service. */
  readonly card: CardToSend;
  /** Of a 3D Secure order. */
  readonly completion: Completion;
  /** Of a hosted checkout: where its customer pays, and all that the service answered; null before. */
  readonly checkout: { readonly url: string | null; readonly answer: Record<string, unknown> | null } | null;
};

export type OrderChange = Change<Order>;

/** How an order begins. */
export type OrderBeginning = {
  /** Its status as long as the service shows it as unpaid. */
  readonly override?: string;
  /** After how long without a payment it expires; null for an order that waits for no customer. */
  readonly expiresAfterMs: number | null;
};

/** The moment, and what its waiting times are multiplied by. */
type Time = { readonly now: number; readonly scale: number };

export function newOrder(now: number): Order {
  return {
    phase: 'unsent',
    closed: false,
    end: null,
    problems: null,
    reason: null,
    submission: newSubmission(now),
    shown: null,
    override: null,
    overdueFrom: null,
    overdue: null,
    expiresAt: null,
    oddities: [],
    candidates: noCandidates,
    card: noCard(now),
    completion: newCompletion,
    checkout: null,
  };
}

/** Its status, whatever its card waits for. */
export function orderStatus({ end, override, phase, shown }: Order): string {
  if (end !== null) return end;
  switch (phase) {
    case 'unsent':
      return 'submitting';
    case 'unknown':
      return 'submission_unknown';
    case 'void':
      return 'rejected';
    case 'known':
      if (shown === null) return override ?? 'submitting';
      return override !== null && isUnpaidOrderStatus(shown) ? override : shown;
  }
}

/** Whether the service shows a status that says more than that nobody has paid. */
export function hasMoved(kind: OrderKind, { shown }: Order): boolean {
  return shown !== null && isRecognised(kind, shown) && !isUnpaidOrderStatus(shown);
}

/** Nothing was sent. */
export function ended(end: OrderEnd, what: string): OrderChange {
  return { closed: true, end, what };
}

export function unusable(problems: string): OrderChange {
  return { problems, ...ended('rejected', 'The request was not usable; nothing was sent.') };
}

/**
 * It is not sent again, and that nothing came of it the service's answer alone says: watched on, as one that was refused.
 */
export function endedUnproven(end: OrderEnd): OrderChange {
  const what = end === 'cancelled' ? 'Cancelled.' : 'It is not sent again.';
  return { phase: 'void', end, what: `${what} ${orderStatements.refused}` };
}

/** It is not known whether the service took it. */
export function unknown(reason: string): OrderChange {
  return { phase: 'unknown', end: null, reason, what: reason };
}

/** Its identifier may belong to another order: what its reads have shown no longer counts, and an operator decides. */
export function identifierReleased(why: string): OrderChange {
  const none = { shown: null, override: null, overdueFrom: null, overdue: null, expiresAt: null };
  return { ...unknown(why), ...none };
}

/** The service refused it, which is no proof that it has done nothing. Watched on, as after an operator's finding. */
export function refused(): OrderChange {
  return { phase: 'void', what: `The service refused the order. ${orderStatements.refused}` };
}

/** An operator found that nothing had happened. Watched on: a postback may still name it. */
export function voided(): OrderChange {
  return {
    phase: 'void',
    candidates: noCandidates,
    news: ['Resolved: nothing had happened'],
    what: `The submission came to nothing. ${orderStatements.found}`,
  };
}

/** It has an identifier from now on. Another one of an order that has begun changes nothing of what it has come to. */
export function taken(order: Order, { override, expiresAfterMs }: OrderBeginning, time: Time): OrderChange {
  if (order.phase === 'known') return {};
  const { now, scale } = time;
  const what = 'The order had come to nothing, as was believed, and the service holds it after all.';
  return {
    phase: 'known',
    end: null,
    override: override ?? null,
    overdueFrom: settlementEndsAt(time),
    expiresAt: expiresAfterMs === null ? null : now + expiresAfterMs * scale,
    ...(order.phase === 'void' && odd(order, what)),
  };
}

/** Something of the service's answers does not fit. */
export function odd({ oddities }: Order, what: string): OrderChange {
  return oddities.includes(what) ? {} : { oddities: [...oddities, what] };
}

/** The service shows this status; `before` is the order's own one until now. */
export function shownAs(
  order: Order,
  kind: OrderKind,
  status: string,
  { before, ...time }: Time & { before: string },
): OrderChange {
  const seen = { ...order, shown: status };
  const moved = hasMoved(kind, seen) ? endOfOverride(order, status) : {};
  const next = orderStatus({ ...seen, ...moved });
  const isWatched = isWatchedOrderStatus(next);
  const deadline =
    next !== before && (isWatched || status === 'paid')
      ? { overdueFrom: isWatched ? null : settlementEndsAt(time), overdue: null }
      : {};
  return { shown: status, ...moved, ...deadline, what: `${before} → ${next}` };
}

/** What did not come about by its deadline; it is said once. */
export function overdue({ overdueFrom }: Order, what: string): OrderChange {
  return overdueFrom === null ? {} : { overdueFrom: null, overdue: what };
}

/** Its time is over. Only a read that worked just now may conclude that nobody has paid. */
export function timeOver(order: Order, kind: OrderKind, isRead: boolean): OrderChange {
  if (hasMoved(kind, order)) return { expiresAt: null };
  if (!isRead || order.shown === null || !isUnpaidOrderStatus(order.shown)) {
    return overdue(order, 'Its time is over, and no read shows whether it was paid.');
  }
  const what = `Its time is over and nobody has paid. ${orderStatements.uncharged}`;
  return { expiresAt: null, overdueFrom: null, overdue: null, override: 'expired', what };
}

function settlementEndsAt({ now, scale }: Time): number {
  return now + spans.orderSettlementMs * scale;
}

/** A status of ours no longer stands: the order has moved. One that had expired and is paid needs an operator. */
function endOfOverride(order: Order, shown: string): OrderChange {
  const isLate = order.override === 'expired' && !['denied', 'error'].includes(shown);
  return {
    override: null,
    expiresAt: null,
    ...(isLate && odd(order, `The order had expired, and the service now shows it as ${shown}.`)),
  };
}
