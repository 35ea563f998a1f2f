import type { z } from 'zod';
import { fieldProblems, type FieldProblem } from '../../src/contract/problems.js';

/** A raw input as its schema made it, or what is wrong with it. */
export type Checked<Parsed> = { parsed: Parsed } | { problems: FieldProblem[] };

/** Checks a raw value; faults of what goes `beside` it count as its own. */
export function checked<Parsed>(
  schema: z.ZodType<Parsed>,
  raw: unknown,
  beside: Checked<unknown> = { parsed: undefined },
): Checked<Parsed> {
  const result = schema.safeParse(raw);
  const problems = [
    ...(result.success ? [] : fieldProblems(result.error)),
    ...('problems' in beside ? beside.problems : []),
  ];
  return result.success && problems.length === 0 ? { parsed: result.data } : { problems };
}
