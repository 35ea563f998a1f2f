import type { Change } from './change.js';
import { refundFindings, type RefundPhase } from './refund-stages.js';
import { isRefundFailure, isRefundUnderWay } from './statuses.js';
import { newSubmission, type SubmissionState } from './submission.js';

/** How a refund ended. */
export type RefundEnd = 'refunded' | 'rejected' | 'resolved' | 'cancelled';

/** What is known of a refund beside its record. */
export type Refund = {
  readonly phase: RefundPhase;
  /** Why it was refused, failed, or is not known or not confirmed. */
  readonly reason: string | null;
  /** Why its input was not usable. */
  readonly problems: string | null;
  readonly end: RefundEnd | null;
  readonly submission: SubmissionState;
  /** After a read that did not work before a request: when to read again. */
  readonly readAgainAt: number;
  /** What the service showed of the order last. */
  readonly shown: string | null;
  /** When the service took the request, while its confirmation is awaited; null otherwise. */
  readonly askedAt: number | null;
  /** The order that the service has answered for, where that is another one. */
  readonly answeredFor: string | null;
  /** What an operator found. */
  readonly outcome: 'refunded' | 'not_refunded' | null;
  /** A failure that was shown before the latest request, so that seeing it again says nothing of this one. */
  readonly previousFailure: string | null;
  /**
   * An operator has stated what became of an earlier request, and no read had shown it: it may be queued all the same,
   * and a failure that is shown now may be its own.
   */
  readonly mayShowEarlier: boolean;
  readonly requests: number;
};

export type RefundChange = Change<Refund>;

/** The source of the `statusHint` that a refund sends to its order. */
export const refundHintSource = 'refund';

/** The first line of its timeline, with who asked for it. */
export const requestedLine = 'The refund was requested.';

export function newRefund(now: number): Refund {
  return {
    phase: 'to_send',
    reason: null,
    problems: null,
    end: null,
    submission: newSubmission(now),
    readAgainAt: 0,
    shown: null,
    askedAt: null,
    answeredFor: null,
    outcome: null,
    previousFailure: null,
    mayShowEarlier: false,
    requests: 0,
  };
}

/** A further request is due; whoever calls has proven that none is queued, or an operator has said so. */
export function requestedAgain(refund: Refund, now: number): RefundChange {
  const { shown } = refund;
  return {
    phase: 'to_send',
    mayShowEarlier: mayBeQueued(refund),
    outcome: null,
    end: null,
    askedAt: null,
    submission: newSubmission(now, refund.submission),
    previousFailure: shown !== null && isRefundFailure(shown) ? shown : null,
    what: 'The refund is requested again.',
  };
}

/** The service took the request, or shows that one is under way. Only a read shows that it is done. */
export function taken(now: number, what: string): RefundChange {
  return { phase: 'asked', askedAt: now, outcome: null, end: null, what };
}

export function failed(phase: 'refused' | 'failed', reason: string): RefundChange {
  return { phase, reason, askedAt: null, what: reason };
}

/** The service took the request, and no read shows the order as refunded. */
export function unconfirmed(reason: string): RefundChange {
  return { reason, askedAt: null, what: reason };
}

/** Whether the service took the request is not known. */
export function unknown(why: string): RefundChange {
  return { phase: 'unknown', ...unconfirmed(`Whether the service took the request is not known: ${why}`) };
}

/** Nothing was sent. */
export function unusable(problems: string): RefundChange {
  return {
    phase: 'over',
    end: 'rejected',
    problems,
    what: 'The request was not usable; nothing was sent.',
  };
}

/** Whether a request was ever sent, whatever the service answered. */
export function wasSent({ requests, submission }: Refund): boolean {
  return requests > 0 || submission.wasAnswered;
}

/** Before anything was sent. */
export function cancelled(): RefundChange {
  return {
    phase: 'decided',
    end: 'cancelled',
    what: 'Cancelled before anything was sent. Nothing was refunded.',
  };
}

/** An operator found what became of it. A read that shows otherwise overrules that. */
export function resolvedAs(refund: Refund, outcome: 'refunded' | 'not_refunded'): RefundChange {
  const mayShowEarlier = mayBeQueued(refund) || outcome === 'refunded';
  return { phase: 'decided', end: 'resolved', outcome, mayShowEarlier, what: refundFindings[outcome] };
}

/** What of a refund decides what a reading of its order means. */
type Seen = Pick<Refund, 'phase' | 'previousFailure' | 'shown'>;

/**
 * What a read of the order shows of its refund. Anything else is neither proof nor disproof. Of one that a person has
 * ended only what is new counts.
 */
export function shownAs(refund: Seen, status: string, now: number): RefundChange {
  const { phase } = refund;
  const previousFailure = status === refund.previousFailure ? status : null;
  const seen = { shown: status, previousFailure };
  if (status === 'refunded') {
    return { ...seen, phase: 'over', end: status, what: 'The service shows the order as refunded.' };
  }
  if (isRefundFailure(status)) {
    const isNew = phase !== 'failed' && phase !== 'decided' && previousFailure === null;
    return isNew
      ? { ...seen, ...failed('failed', `The service shows the refund as failed: ${status}.`) }
      : seen;
  }
  const isNew = (phase !== 'asked' && phase !== 'decided') || status !== refund.shown;
  if (!isRefundUnderWay(status) || !isNew) return seen;
  return { ...seen, ...taken(now, `The service shows a refund under way: ${status}.`) };
}

/** A request may be queued of which no read has shown what became of it. */
function mayBeQueued({ mayShowEarlier, phase }: Refund): boolean {
  return mayShowEarlier || phase === 'unknown' || phase === 'asked';
}
