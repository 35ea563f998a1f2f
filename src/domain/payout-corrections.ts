import { mayHoldPan } from './cards.js';
import { accountWithDigit, payeeFaults, payeeForms, payeeTextLengths } from './payee-forms.js';
import { readPixKey } from './pix-keys.js';
import { lineFault, withoutOuterBlanks } from './plain-text.js';
import { isTaxId } from './tax-ids.js';

export type PayoutMethod = 'pix' | 'transfer';

const ofPayee = ['kind', 'first_name', 'last_name', 'document', 'email', 'phone'];

/** The fields of a payout that a further attempt may change; the value never. */
const correctable: Record<PayoutMethod, readonly string[]> = {
  pix: [...ofPayee, 'pix'],
  transfer: [...ofPayee, 'bank_code', 'agency', 'account', 'account_type'],
};

/**
 * What is wrong with corrections, in words for their sender; undefined when nothing is. What this lets pass, the check
 * right before the send may still refuse: it has the whole payout.
 */
export function correctionsProblem(corrections: unknown, method: PayoutMethod): string | undefined {
  if (corrections === undefined || corrections === null) return undefined;
  if (typeof corrections !== 'object' || Array.isArray(corrections)) return 'corrections must be an object.';
  for (const [field, value] of Object.entries(corrections)) {
    if (field === 'value')
      return 'corrections.value: the value of a payout never changes. Start another payout.';
    if (!correctable[method].includes(field))
      return `corrections: a payout by ${method} has no field ${field.slice(0, 40)} to correct.`;
    if (typeof value !== 'string' || value.trim() === '') return `corrections.${field} must be a text.`;
    const fault = faultOf(field, withoutOuterBlanks(value));
    if (fault !== undefined) return `corrections.${field} ${fault}.`;
  }
  return undefined;
}

function faultOf(field: string, value: string): string | undefined {
  switch (field) {
    case 'document':
      return isTaxId(value) ? undefined : payeeFaults.document;
    case 'pix':
      return readPixKey(value).fault;
    case 'phone':
    case 'bank_code':
    case 'agency':
      return payeeForms[field].test(value) ? undefined : payeeFaults[field];
    case 'account':
      if (!payeeForms.account.test(value)) return payeeFaults.account;
      return mayHoldPan(value) && !accountWithDigit.test(value) ? payeeFaults.account_card : undefined;
    case 'email':
      return faultOfText(value, 254) ?? (payeeForms.email.test(value) ? undefined : payeeFaults.email);
    case 'kind':
    case 'first_name':
    case 'last_name':
    case 'account_type':
      return faultOfText(value, payeeTextLengths[field]);
    default:
      return undefined;
  }
}

function faultOfText(value: string, maxLength: number): string | undefined {
  if (value.trim().length > maxLength) return `must not be longer than ${String(maxLength)} characters`;
  const fault = lineFault(value);
  if (fault !== undefined) return fault;
  return mayHoldPan(value) ? payeeFaults.card : undefined;
}
