import type { z } from 'zod';
import { withoutLongDigits } from '../domain/cards.js';

export { withoutLongDigits };

/** One fault of a request: the field by its path, and what is wrong with it, in words for the sender. */
export type FieldProblem = { field: string; message: string };

/** The faults that zod found, without any value of the input. */
export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({
    field: withoutLongDigits(issue.path.map(String).join('.')) || '(body)',
    message: withoutLongDigits(issue.message),
  }));
}
