import type { z } from 'zod';
import { withoutLongDigits } from '../domain/cards.js';

export { withoutLongDigits };

/** One fault of a request: the field by its path, and what is wrong with it, in words for the sender. */
export type FieldProblem = {
  field: string;
  message: string;
  /** In a batch: which of its rows, from 1. */
  row?: number;
  /** In a file: in which of its lines, from 1. */
  line?: number;
};

/** Nobody reads more faults of one request. */
const maxIssues = 100;

/** The first faults that zod found, without any value of the input. A field that does not exist is named, too. */
export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.slice(0, maxIssues).flatMap((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
    if (unknown.length === 0)
      return [{ field: fieldOf(issue.path), message: withoutLongDigits(issue.message) }];
    return unknown
      .slice(0, maxUnknown)
      .map((key) => ({ field: fieldOf([...issue.path, key]), message: 'is not known here' }));
  });
}

const maxUnknown = 20;
const maxNameLength = 200;

/** A field by its path, as a problem names it: without digits in which a card may hide. */
export function fieldOf(path: readonly PropertyKey[]): string {
  const name = path.map((part) => String(part).slice(0, maxNameLength + 1)).join('.');
  // A card number that is cut short might be completed.
  if (name.length > maxNameLength) return name.slice(0, maxNameLength).replaceAll(/\p{N}/gu, '…');
  return withoutLongDigits(name) || '(body)';
}
