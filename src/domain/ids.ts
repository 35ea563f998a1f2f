import { mayBePan } from './cards.js';
import type { PaymentKind } from './kinds.js';

const partnerCodePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const attemptSuffix = /-r\d+$/;

const likeACard = 'is a valid card number, and would be stored in clear: put a letter before its digits';

/** Codes are stored in clear. Of those that are digits alone, only what fits a card brand in all is refused. */
function isCardNumber(code: string): boolean {
  return mayBePan(code.replaceAll(/[._-]/g, ''));
}

/** What is wrong with a partner_code, in words for its sender; undefined when nothing is. */
export function partnerCodeProblem(kind: PaymentKind, partnerCode: string): string | undefined {
  if (!partnerCodePattern.test(partnerCode)) {
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
  if (!partnerCodePattern.test(batchId)) {
    return 'must be 1 to 64 characters of A-Z a-z 0-9 . _ -, the first one a letter or digit';
  }
  if (isCardNumber(batchId)) return likeACard;
  return /-\d+$/.test(batchId) ? 'must not end in - and digits: that marks the pages of a batch' : undefined;
}

const prefixes: Record<PaymentKind, string> = {
  card_order: 'order-',
  hosted_checkout: 'order-',
  three_d_secure_order: 'order-',
  refund: 'refund-',
  payout: 'payout-',
  account_validation: 'account-validation-',
};

/**
 * The workflow id that owns a payment: its partner_code is the idempotency key. A refund's is the identifier of the
 * order at the service, because that is what must not be refunded twice, whoever asks and under whichever code.
 */
export function workflowIdOf(kind: PaymentKind, key: string): string {
  return kind === 'refund' ? refundWorkflowId(key) : prefixes[kind] + key;
}

/** The workflow id of the refund of an order, by the order's identifier at the service. */
export function refundWorkflowId(serviceId: string): string {
  return prefixes.refund + serviceId.replaceAll(/[^A-Za-z0-9._:-]/g, escaped);
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
  return `batch-${batchId}-${String(page)}`;
}
