import type { PostbackReceived } from '../src/contract/messages.js';
import type { PayoutInput } from '../src/contract/payout.js';
import { isFavourable } from '../src/domain/validation-answer.js';
import { AccountCheck, type AccountCheckCarry } from './shared/account-check.js';
import type { PaymentRecord } from './shared/payment-record.js';

/** `asking` still, `pass` so that the payout may be sent, or `stop` with what speaks against it. */
export type AccountVerdict = { kind: 'asking' } | { kind: 'pass' } | { kind: 'stop'; reason: string };

/**
 * Has the payee's account validated before a transfer that asks for it (`validate_account`). The answer can't be
 * verified, so only one that is clearly favourable lets the payout go; all else is for a person to decide.
 */
export class AccountFirst {
  readonly #check: AccountCheck | null;

  constructor(record: PaymentRecord, scale: number, input: PayoutInput, carried?: AccountCheckCarry | null) {
    const asked = input?.method === 'transfer' && input.validate_account === true;
    this.#check = asked ? new AccountCheck(record, scale, validationOf(input), carried ?? undefined) : null;
  }

  get verdict(): AccountVerdict {
    if (this.#check === null) return { kind: 'pass' };
    if (!this.#check.ended) return { kind: 'asking' };
    const { answer, reason, stage } = this.#check;
    if (stage === 'answered' && isFavourable(answer?.body)) return { kind: 'pass' };
    if (stage === 'answered')
      return {
        kind: 'stop',
        reason: 'The validation of the account was answered, and not clearly in favour of it.',
      };
    return { kind: 'stop', reason: `The account was not validated (${stage}). ${reason ?? ''}`.trim() };
  }

  /** When {@link step} has to run; at once when there is a verdict to act upon. */
  get dueAt(): number {
    if (this.verdict.kind === 'stop') return 0;
    return this.#check?.dueAt ?? Infinity;
  }

  get untried(): boolean {
    return this.#check?.untried ?? false;
  }

  hear(postback: PostbackReceived): void {
    this.#check?.hear(postback);
  }

  async step(): Promise<void> {
    await this.#check?.step();
  }

  carry(): AccountCheckCarry | null {
    return this.#check?.carry() ?? null;
  }
}

/** §4 POST /v1/account/validate, from the fields of the transfer. */
function validationOf(input: Extract<PayoutInput, { method: 'transfer' }>) {
  const { partner_code, first_name, last_name, document, bank_code, account } = input;
  return { partner_code, first_name, last_name, document, bank_code, account };
}
