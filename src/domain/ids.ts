import { mayBePan } from './cards.js';
import { idPrefixes } from './id-prefixes.js';
import type { PaymentKind } from './kinds.js';
import { identifierKey } from './service-ids.js';

/** What every partner_code, batch_id, bulk_retry_id and resend_id fits, whatever else is asked of it. */
export const codePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const attemptSuffix = /-r\d+$/;

const likeACard = 'is a valid card number, and would be stored in plaintext: put a letter before its digits';

/** Codes are stored in plaintext. Of those that are digits alone, only what fits a card brand in all is refused. */
function isCardNumber(code: string): boolean {
  const digits = code.replaceAll(/[._-]/g, '');
  return /^\d+$/.test(digits) && mayBePan(digits);
}

/** What is wrong with a partner_code, in words for its sender; undefined when nothing is. */
export function partnerCodeProblem(kind: PaymentKind, partnerCode: string): string | undefined {
  if (!codePattern.test(partnerCode)) {
    return 'must be 1 to 64 characters of A-Z a-z 0-9 . _ -, the first one a letter or digit';
  }
  if (isCardNumber(partnerCode)) return likeACard;
  if (kind === 'payout' && attemptSuffix.test(partnerCode)) {
    return 'must not end in -r and digits: that marks the further attempts of a payout';
  }
  return undefined;
}

/** What is wrong with a batch_id, in words for its sender; undefined when nothing is. */
export function batchIdProblem(batchId: string): string | undefined {
  if (!codePattern.test(batchId)) {
    return 'must be 1 to 64 characters of A-Z a-z 0-9 . _ -, the first one a letter or digit';
  }
  if (isCardNumber(batchId)) return likeACard;
  return /-\d+$/.test(batchId) ? 'must not end in - and digits: that marks the pages of a batch' : undefined;
}

/** What is wrong with a bulk_retry_id or a resend_id, in words for its sender; undefined when nothing is. */
export function referenceProblem(id: string): string | undefined {
  if (!codePattern.test(id)) {
    return 'must be 1 to 64 characters of A-Z a-z 0-9 . _ -, the first one a letter or digit';
  }
  return isCardNumber(id) ? likeACard : undefined;
}

const prefixes: Record<PaymentKind, string> = {
  card_order: idPrefixes.order,
  hosted_checkout: idPrefixes.order,
  three_d_secure_order: idPrefixes.order,
  refund: idPrefixes.refund,
  payout: idPrefixes.payout,
  account_validation: idPrefixes.accountValidation,
};

/**
 * The workflow id that owns a payment: its partner_code is the idempotency key. A refund's is the identifier of the
 * order at the service, because that is what must not be refunded twice, whoever requests it and under whichever code.
 */
export function workflowIdOf(kind: PaymentKind, key: string): string {
  return kind === 'refund' ? refundWorkflowId(key) : prefixes[kind] + key;
}

/** Whether a workflow id is of a payment. That of a refund has an identifier of the service, which may be a long number. */
export function isPaymentWorkflowId(workflowId: string): boolean {
  const isOfRefund = /^[!-~]+$/.test(workflowId) && isBehind(prefixes.refund, workflowId);
  return isOfRefund || hasOwnIdentifier(workflowId) || hasCodeBehind(prefixes.account_validation, workflowId);
}

/** Whether a workflow id is of an order or a payout: of what the service knows by an identifier of its own. */
export function hasOwnIdentifier(workflowId: string): boolean {
  return [prefixes.card_order, prefixes.payout].some((prefix) => hasCodeBehind(prefix, workflowId));
}

function hasCodeBehind(prefix: string, workflowId: string): boolean {
  return workflowId.startsWith(prefix) && referenceProblem(workflowId.slice(prefix.length)) === undefined;
}

function isBehind(prefix: string, workflowId: string): boolean {
  return workflowId.startsWith(prefix) && workflowId.length > prefix.length;
}

/** The workflow id of the refund of an order, by the order's identifier at the service. */
export function refundWorkflowId(serviceId: string): string {
  return prefixes.refund + plainKey(serviceId);
}

/**
 * The workflow id of a claim. An order and a payout may have the same identifier, and so may deployments that share a
 * namespace.
 */
export function identifierClaimId(taskQueue: string, serviceId: string, workflowId: string): string {
  const resource = isPayoutId(workflowId) ? 'payout' : 'order';
  return `${idPrefixes.identifierClaim}${taskQueue}-${resource}-${plainKey(serviceId)}`;
}

/** Whether a workflow id is of a payout. */
export function isPayoutId(workflowId: string): boolean {
  return isBehind(prefixes.payout, workflowId);
}

function plainKey(serviceId: string): string {
  return identifierKey(serviceId).replaceAll(/[^A-Za-z0-9._:-]/g, escaped);
}

/** `%` and two hexadecimal digits, beyond Latin-1 `%u` and four: reversible, and no two texts become the same. */
function escaped(character: string): string {
  const hex = character.charCodeAt(0).toString(16).toUpperCase();
  return hex.length > 2 ? `%u${hex.padStart(4, '0')}` : `%${hex.padStart(2, '0')}`;
}

/** The partner_code that the service sees for the nth attempt of a payout: the caller's own, then `…-r2`. */
export function attemptPartnerCode(partnerCode: string, attempt: number): string {
  return attempt === 1 ? partnerCode : `${partnerCode}-r${String(attempt)}`;
}

/** The workflow id of one page of a batch; pages count from 1. */
export function batchPageId(batchId: string, page: number): string {
  return `${idPrefixes.batch}${batchId}-${String(page)}`;
}

/** The workflow id of a bulk retry. */
export function bulkRetryWorkflowId(bulkRetryId: string): string {
  return `${idPrefixes.bulkRetry}${bulkRetryId}`;
}

export function bulkRetryIdOf(workflowId: string): string {
  return workflowId.slice(idPrefixes.bulkRetry.length);
}

/** The workflow id of one page of a bulk retry; pages count from 1. No bulk_retry_id has a colon. */
export function bulkRetryPageId(bulkRetryId: string, page: number): string {
  return `${bulkRetryWorkflowId(bulkRetryId)}:${String(page)}`;
}

/** The workflow id of a resend of notifications. */
export function webhookResendWorkflowId(resendId: string): string {
  return `${idPrefixes.webhookResend}${resendId}`;
}

/** The workflow id that sends a payment's notifications again, as one part of a resend. No resend_id has a colon. */
export function resentNotificationsId(resendId: string, paymentId: string): string {
  return `${webhookResendWorkflowId(resendId)}:${paymentId}`;
}

/** Whether a workflow id is of what sends a payment's notifications again. */
export function isResentNotificationsId(workflowId: string, paymentId: string): boolean {
  return workflowId.startsWith(idPrefixes.webhookResend) && workflowId.endsWith(`:${paymentId}`);
}

/** The number of the attempt that the service knows under a code; undefined when it is none of this payout. */
export function attemptNumberOf(partnerCode: string, attemptCode: string): number | undefined {
  if (attemptCode === partnerCode) return 1;
  if (!attemptCode.startsWith(`${partnerCode}-r`)) return undefined;
  const digits = attemptCode.slice(partnerCode.length + 2);
  return /^[1-9]\d{0,8}$/.test(digits) && Number(digits) > 1 ? Number(digits) : undefined;
}
