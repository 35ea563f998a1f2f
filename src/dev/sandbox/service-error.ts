import type { z } from 'zod';

export type FieldProblem = { readonly field: string; readonly message: string };

/** A refusal of the service. The document shows no error body: this shape is our assumption. */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldProblem[];

  constructor(status: number, code: string, message: string, fields: readonly FieldProblem[] = []) {
    super(message);
    this.name = 'ServiceError';
    this.status = status;
    this.code = code;
    this.fields = fields;
  }

  get body(): Record<string, unknown> {
    const { code, message, fields } = this;
    return { error: fields.length === 0 ? { code, message } : { code, message, fields } };
  }
}

/** Reads a request by its schema, or refuses it with 422 and the names of the wrong fields (never their values). */
export function parseOrRefuse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path, message }) => ({
    field: path.join('.') || 'body',
    message,
  }));
  throw new ServiceError(422, 'invalid_fields', 'Some fields are missing or wrong.', fields);
}

export function notFound(what: string): ServiceError {
  return new ServiceError(404, 'not_found', `There is no such ${what}.`);
}
