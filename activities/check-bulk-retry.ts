import { bulkRetryInput, type BulkRetryInput } from '../src/contract/bulk-retry.js';
import { fieldProblems, type FieldProblem } from '../src/contract/problems.js';

/** `input` is the raw input of the workflow `bulkRetry`. */
export type CheckBulkRetryInput = { input: unknown };
/** The input as it is understood, or what is wrong with it. */
export type CheckBulkRetryResult = { input: BulkRetryInput } | { problems: FieldProblem[] };

/**
 * Checks the input of a bulk retry.
 *
 * Safe to retry: it only looks at its input.
 */
export function checkBulkRetry({ input }: CheckBulkRetryInput): Promise<CheckBulkRetryResult> {
  const parsed = bulkRetryInput.safeParse(input);
  return Promise.resolve(parsed.success ? { input: parsed.data } : { problems: fieldProblems(parsed.error) });
}
