import type { PayoutInput } from '../../src/contract/payout.js';
import { isFavourable } from '../../src/domain/validation-answer.js';
import { ValidationRequest, type ValidationSnapshot } from '../shared/validation-request.js';

/**
 * Has the payee's account validated before a transfer that asks for it (`validate_account`). The answer can't be
 * verified, so only one that is clearly favourable lets the payout go; all else needs an operator's decision.
 */
export class AccountGate {
  /** Null when the payout asks for no validation. */
  readonly validation: ValidationRequest | null;

  constructor(input: PayoutInput, startedAt: number, scale: number, snapshot?: ValidationSnapshot | null) {
    const isAsked = input?.method === 'transfer' && input.validate_account === true;
    this.validation = isAsked
      ? new ValidationRequest(startedAt, scale, validationOf(input), snapshot ?? undefined)
      : null;
  }

  /** Whether the payout may be sent. */
  get hasPassed(): boolean {
    if (this.validation === null) return true;
    const { answer, stage } = this.validation.data;
    return stage === 'answered' && isFavourable(answer?.body);
  }

  /** Why the payout is not sent, once the validation has ended. */
  get objection(): string {
    const { reason, stage } = this.validation?.data ?? { reason: null, stage: 'unanswered' };
    return stage === 'answered'
      ? 'The validation of the account was answered, and not clearly in favour of it.'
      : `The account was not validated (${stage}). ${reason ?? ''}`.trim();
  }
}

/** The body of `POST /v1/account/validate`, from the fields of the transfer. */
function validationOf(input: Extract<PayoutInput, { method: 'transfer' }>) {
  const { partner_code, first_name, last_name, document, bank_code, account } = input;
  return { partner_code, first_name, last_name, document, bank_code, account };
}
