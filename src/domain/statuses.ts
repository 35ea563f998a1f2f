import type { PaymentKind } from './kinds.js';

/** The order statuses that the service documents (§2 Order, §3). */
export const serviceOrderStatuses = [
  'waiting_payment',
  'paid',
  'compensated',
  'refunded',
  'chargeback',
  'error',
  'denied',
] as const;

/** The payout statuses that the service documents (§2 Payout record). */
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

/**
 * The service's word in one form: trimmed, lower case, inner blanks and dashes as underscores. Undefined when
 * there is no word. The vocabulary of the service is open, so any word passes.
 */
export function normaliseStatus(word: unknown): string | undefined {
  if (typeof word !== 'string') return undefined;
  const normal = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  return normal === '' || normal.length > 64 ? undefined : normal;
}

export function isServiceOrderStatus(status: string): status is ServiceOrderStatus {
  return (serviceOrderStatuses as readonly string[]).includes(status);
}

export function isServicePayoutStatus(status: string): status is ServicePayoutStatus {
  return (servicePayoutStatuses as readonly string[]).includes(status);
}

/** `refund_processing`, "or a similar value" (§2): the service says that a refund is under way. */
export function isRefundUnderWay(status: string): boolean {
  return status.startsWith('refund_');
}

/** Whether a status of the service is one that this project knows the meaning of. */
export function isRecognised(kind: PaymentKind, status: string): boolean {
  return kind === 'payout'
    ? isServicePayoutStatus(status)
    : isServiceOrderStatus(status) || isRefundUnderWay(status);
}

/** Order statuses after which only the watch remains: rare changes, rare reads. */
export function isWatchedOrderStatus(status: string): boolean {
  return ['compensated', 'refunded', 'chargeback', 'error', 'denied', 'expired'].includes(status);
}

/** The order is there and nobody has paid it yet. */
export function isUnpaidOrderStatus(status: string): boolean {
  return status === 'waiting_payment';
}

/** A refund status, "or a similar value" (§2), that says in so many words that the refund came to nothing. */
export function isRefundFailure(status: string): boolean {
  return /^refund_?(fail|error|den|reject|refus|declin|cancel|abort|not_)/.test(status);
}

/** Statuses that mean the service has not answered yet, so that a caller who waits should go on waiting. */
export function isUnanswered(status: string): boolean {
  return status === 'submitting' || status === 'requesting';
}
