import { cardOrderInput } from '../src/contract/order.js';
import { fieldProblems, type FieldProblem } from '../src/contract/problems.js';

export type CheckInputInput = { input: unknown };
export type CheckInputResult = { problems: FieldProblem[] };

/**
 * Checks the raw input of a card order that awaits its card, and sends nothing before it has one.
 *
 * Safe to retry: it only looks at its input.
 */
export const checkInput = ({ input }: CheckInputInput): Promise<CheckInputResult> => {
  const checked = cardOrderInput.safeParse(input);
  return Promise.resolve({ problems: checked.success ? [] : fieldProblems(checked.error) });
};
