import type { AccountValidationState } from '../../../src/contract/state.js';
import { statusIs, type Payment } from '../payment.js';
import { accountValidation } from '../requests.js';
import type { PaymentsStack } from '../payments-stack.js';

/** Account validations of a test; `tags` are scenarios of the sandbox. */
export function accountValidationsOn(stack: PaymentsStack) {
  const start = (code: string, tags = '', more: object = {}) =>
    stack.start<AccountValidationState>(
      'accountValidation',
      `account-validation-${code}`,
      accountValidation(code, tags, more),
    );

  /** One that the service has taken, and that awaits the answer. */
  async function requested(code: string, tags = ''): Promise<Payment<AccountValidationState>> {
    const validation = await start(code, tags);
    await validation.until(statusIs('awaiting_answer'), '1 second');
    return validation;
  }

  const made = (code: string) => stack.sandbox.ledger(code).validations;

  return { start, requested, made };
}
