import { accountValidationInput } from '../src/contract/account-validation.js';
import { cardOrderInput, hostedCheckoutInput, threeDSecureOrderInput } from '../src/contract/order.js';
import { payoutInput } from '../src/contract/payout.js';
import { fieldProblems, type FieldProblem } from '../src/contract/problems.js';
import { refundInput } from '../src/contract/refund.js';
import type { workflowTypes } from '../src/domain/kinds.js';
import { refundValueProblem } from '../src/domain/refund-stages.js';
import type { SendingDeps } from './shared/deps.js';
import { isSameIdentifier } from '../src/domain/service-ids.js';

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
 * Checks the raw input of a workflow that sends nothing before it needs to know; the value of a refund also against that
 * of its order, where that is known here.
 *
 * Safe to retry: it only looks at its input, and at the order's workflow.
 *
 * @throws Error when Temporal does not answer
 */
export const checkInput =
  ({ orderOf }: Pick<SendingDeps, 'orderOf'>) =>
  async ({ workflow_type, input }: CheckInputInput): Promise<CheckInputResult> => {
    const checked = schemas[workflow_type].safeParse(input);
    if (!checked.success) return { problems: fieldProblems(checked.error) };
    if (workflow_type !== 'refund' || orderOf === undefined) return { problems: [] };
    const { partner_code, service_id, value } = refundInput.parse(input);
    if (value === undefined) return { problems: [] };
    const order = await orderOf(partner_code);
    // Its identifier is known to search a moment after the order itself knows it.
    const isOther = order !== undefined && !isSameIdentifier(order.serviceId ?? service_id, service_id);
    const problem = isOther ? undefined : refundValueProblem(value, order);
    return { problems: problem === undefined ? [] : [{ field: 'value', message: problem }] };
  };
