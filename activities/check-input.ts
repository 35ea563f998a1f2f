import { accountValidationInput } from '../src/contract/account-validation.js';
import { cardOrderInput, hostedCheckoutInput, threeDSecureOrderInput } from '../src/contract/order.js';
import { payoutInput } from '../src/contract/payout.js';
import { fieldProblems, type FieldProblem } from '../src/contract/problems.js';
import { refundInput } from '../src/contract/refund.js';
import type { workflowTypes } from '../src/domain/kinds.js';

export type CheckInputInput = {
  workflow_type: (typeof workflowTypes)[keyof typeof workflowTypes];
  input: unknown;
};
export type CheckInputResult = { problems: FieldProblem[] };

const schemas = {
  cardOrder: cardOrderInput,
  hostedCheckout: hostedCheckoutInput,
  threeDSecureOrder: threeDSecureOrderInput,
  refund: refundInput,
  payout: payoutInput,
  accountValidation: accountValidationInput,
} satisfies Record<CheckInputInput['workflow_type'], unknown>;

/**
 * Checks the raw input of a workflow that sends nothing before it needs to know.
 *
 * Safe to retry: it only looks at its input.
 */
export const checkInput = ({ workflow_type, input }: CheckInputInput): Promise<CheckInputResult> => {
  const checked = schemas[workflow_type].safeParse(input);
  return Promise.resolve({ problems: checked.success ? [] : fieldProblems(checked.error) });
};
