import type { z } from 'zod';
import { fieldProblems } from '../contract/problems.js';
import { InvalidRequestError } from './errors.js';

/** Reads what a caller sent. @throws InvalidRequestError naming each field at fault, and none of their contents. */
export function parseRequest<T>(schema: z.ZodType<T>, request: unknown): T {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError(fieldProblems(parsed.error));
}
