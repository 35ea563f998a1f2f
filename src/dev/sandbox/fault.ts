import { z } from 'zod';

/** Ways in which an answer that would have been right is written differently. */
export const reshapes = [
  'id-integer',
  'id-absent',
  'id-unsafe',
  'id-other',
  'nested',
  'status-absent',
  'status-unknown',
  'status-upper',
  'value-other',
  'extra-fields',
  'with-partner-code',
] as const;

/**
 * How one call goes wrong, or is answered differently.
 * `effect`: is the work done — at once, only after `delay_ms`, or not at all.
 * A `body` that is a text is sent as it is; anything else as JSON.
 */
export const faultSchema = z.strictObject({
  effect: z.enum(['done', 'late', 'none']).default('done'),
  delay_ms: z.number().nonnegative().optional(),
  drop: z.boolean().optional(),
  truncate: z.boolean().optional(),
  status: z.int().min(200).max(599).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  reshape: z.array(z.enum(reshapes)).optional(),
});

export type Reshape = (typeof reshapes)[number];
export type Fault = z.infer<typeof faultSchema>;
