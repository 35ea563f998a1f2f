import type { z } from 'zod';

/** One fault of a request: the field by its path, and what is wrong with it, in words for the sender. */
export type FieldProblem = { field: string; message: string };

const longDigits = /\d(?:[ .-]?\d){11,}/g;

/** Takes whatever could be a PAN out of a text, so that an error never repeats one. */
export function withoutLongDigits(text: string): string {
  return text.replaceAll(longDigits, '…');
}

/** The faults that zod found, without any value of the input. */
export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({
    field: withoutLongDigits(issue.path.map(String).join('.')) || '(body)',
    message: withoutLongDigits(issue.message),
  }));
}
