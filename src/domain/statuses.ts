import { paymentKinds, type PaymentKind } from './kinds.js';

/** The order statuses that the service documents. */
export const serviceOrderStatuses = [
  'waiting_payment',
  'paid',
  'compensated',
  'refunded',
  'chargeback',
  'error',
  'denied',
] as const;

/** The payout statuses that the service documents. */
export const servicePayoutStatuses = ['claimed', 'processing', 'done', 'error'] as const;

export type ServiceOrderStatus = (typeof serviceOrderStatuses)[number];
export type ServicePayoutStatus = (typeof servicePayoutStatuses)[number];

/** Our own statuses, beside those of the service. */
export const ownStatuses = {
  order: [
    'submitting',
    'awaiting_card',
    'awaiting_authentication',
    'submission_unknown',
    'rejected',
    'cancelled',
    'expired',
  ],
  payout: ['submitting', 'submission_unknown', 'rejected', 'abandoned', 'cancelled'],
  refund: ['requesting', 'refund_processing', 'unconfirmed', 'refunded', 'rejected', 'resolved', 'cancelled'],
  validation: [
    'submitting',
    'awaiting_answer',
    'submission_unknown',
    'answered',
    'unanswered',
    'rejected',
    'cancelled',
  ],
} as const;

/** A longer word is none, with whatever blanks it begins. */
const longestRaw = 256;

/**
 * The service's word in one form: trimmed, lower case, blanks, dashes and whatever is invisible in it as underscores:
 * "do\u200bne" is no "done". Undefined when there is no word. The vocabulary of the service is open, so any word passes.
 */
export function normaliseStatus(word: unknown): string | undefined {
  if (typeof word !== 'string' || word.length > longestRaw) return undefined;
  const normal = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s\p{Cc}\p{Cf}-]+/gu, '_');
  return normal === '' || normal.length > 64 ? undefined : normal;
}

/** Stands for a word of the service that is no plain word: it could hide a card number, a link or Markdown. */
export const otherStatus = 'other';
/** Latin letters with at most four digits, in parts joined by underscores. */
const plainWord = /^(?!(?:\D*\d){5})[\p{Script=Latin}\d]+(?:_+[\p{Script=Latin}\d]+)*$/u;

/** The status that is kept for a word of the service: its normal form, or `other`. Undefined when there is no word. */
export function statusOf(word: unknown): string | undefined {
  const normal = normaliseStatus(word);
  return normal === undefined || plainWord.test(normal) ? normal : otherStatus;
}

/** A status that nobody knows, as a sentence about the service repeats it. */
export function quotedStatus(status: string): string {
  return status === otherStatus ? 'something that is no plain word, and is not shown' : `"${status}"`;
}

export function isServiceOrderStatus(status: string): status is ServiceOrderStatus {
  return (serviceOrderStatuses as readonly string[]).includes(status);
}

export function isServicePayoutStatus(status: string): status is ServicePayoutStatus {
  return (servicePayoutStatuses as readonly string[]).includes(status);
}

/** `refund_processing`, or a similar word: the service states that a refund is under way. */
export function isRefundUnderWay(status: string): boolean {
  return status.startsWith('refund_');
}

/** Whether a status of the service is one that this project knows the meaning of. */
export function isRecognised(kind: PaymentKind, status: string): boolean {
  return kind === 'payout'
    ? isServicePayoutStatus(status)
    : isServiceOrderStatus(status) || isRefundUnderWay(status);
}

/** The statuses that a payment of this kind can have, as far as they are known: those of the service and ours. */
export function knownStatuses(kind: PaymentKind): readonly string[] {
  switch (kind) {
    case 'payout':
      return [...new Set([...servicePayoutStatuses, ...ownStatuses.payout])];
    case 'refund':
      return [...new Set([...serviceOrderStatuses, ...ownStatuses.refund])];
    case 'account_validation':
      return ownStatuses.validation;
    case 'card_order':
    case 'hosted_checkout':
    case 'three_d_secure_order':
      return [...new Set([...serviceOrderStatuses, ...ownStatuses.order, 'refund_processing'])];
  }
}

const everyStatus = [...new Set([...paymentKinds.flatMap(knownStatuses), otherStatus])].sort();

/** What is wrong with a status that a caller names; undefined when nothing is. The service may call refunds as it likes. */
export function statusProblem(word: unknown): string | undefined {
  const isKnown =
    typeof word === 'string' &&
    (everyStatus.includes(word) || (isRefundUnderWay(word) && /^[a-z_]{1,64}$/.test(word)));
  return isKnown ? undefined : `must be one of ${everyStatus.join(', ')}`;
}

/** Order statuses after which only the watch remains: rare changes, rare reads. */
export function isWatchedOrderStatus(status: string): boolean {
  return ['compensated', 'refunded', 'chargeback', 'error', 'denied', 'expired'].includes(status);
}

/** Whether nothing but a rare change is to be expected of a payout with this status of the service. */
export function isFinalPayoutStatus(status: string | null): boolean {
  return status === 'done' || status === 'error';
}

/** The order is there and nobody has paid it yet. */
export function isUnpaidOrderStatus(status: string): boolean {
  return status === 'waiting_payment';
}

/** The service shows the order as one that was not charged. What `error` means for that is not documented. */
export function isUncharged(status: string | null): boolean {
  return status !== null && (isUnpaidOrderStatus(status) || status === 'denied');
}

/**
 * Whether a status that a creating call answers may be shown before any read: it says no more than that the payment is
 * under way. Whatever ends a payment, or says that money has moved, a read has to show.
 */
export function mayBeShownUnread(kind: PaymentKind, status: string): boolean {
  return kind === 'payout' ? ['claimed', 'processing'].includes(status) : isUnpaidOrderStatus(status);
}

/** A refund status, or a similar word, that states expressly that the refund came to nothing. */
export function isRefundFailure(status: string): boolean {
  return /^refund_?(fail|error|den|reject|refus|declin|cancel|abort|not_)/.test(status);
}

/** Statuses that mean the service has not answered yet, so that a caller who waits should go on waiting. */
export function isUnanswered(status: string): boolean {
  return status === 'submitting' || status === 'requesting';
}

/** Whether an order with this status shows a refund: done, under way or failed. */
export function showsRefund(status: string): boolean {
  return status === 'refunded' || isRefundUnderWay(status);
}

/** Whether an order that was read so shows a refund on its way. */
export function isRefundMoving(status: string | null): boolean {
  return status !== null && isRefundUnderWay(status) && !isRefundFailure(status);
}
