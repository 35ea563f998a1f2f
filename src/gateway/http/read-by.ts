import type { z } from 'zod';
import { fieldProblems } from '../../contract/problems.js';
import { invalidRequest } from './http-error.js';

/** Reads a part of a request by its schema, as Fastify wants its validators. */
export function readBy(schema: z.ZodType) {
  return (data: unknown): { value: unknown } | { error: Error } => {
    const parsed = schema.safeParse(data);
    return parsed.success ? { value: parsed.data } : { error: invalidRequest(fieldProblems(parsed.error)) };
  };
}
