import { z } from 'zod';

/** The body of every error answer: RFC 9457, with the fields at fault and, for a refused command, its reason. */
export const problem = z.object({
  /** `urn:durable-payments:problem:…`, stable; programs decide on this one. */
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** What happened, what it means for the money, what to do. */
  detail: z.string(),
  errors: z
    .array(
      z.object({ row: z.int().optional(), line: z.int().optional(), field: z.string(), message: z.string() }),
    )
    .optional(),
  /** How many there are, where `errors` lists only the first of them. */
  error_count: z.int().optional(),
  /** Why a command was refused: `NotParked`, `WrongAttempt`, `DecisionNeeded` and so on. */
  reason: z.string().optional(),
});
export type Problem = z.infer<typeof problem>;
