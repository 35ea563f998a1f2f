import type { FieldProblem } from '../../contract/problems.js';
import type { ProblemType } from './problem-types.js';

/** An answer other than success, decided by the gateway itself. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  constructor(
    readonly statusCode: number,
    /** The end of the problem's type, such as `unauthorized`. */
    readonly slug: ProblemType,
    readonly title: string,
    detail: string,
    readonly more: {
      retryAfterSeconds?: number;
      errors?: readonly FieldProblem[];
      /** Of all errors, when only the first are listed. */
      errorCount?: number;
      reason?: string;
      /** The methods that the address takes. */
      allow?: readonly string[];
      /** Where that stands which the request is in conflict with. */
      location?: string;
    } = {},
  ) {
    super(detail);
  }
}

/** The request can't be used as it is; nothing was done. */
export function invalidRequest(errors: readonly FieldProblem[], errorCount = errors.length): HttpError {
  const detail = 'The request can not be used, see errors. Nothing was started and no money moves.';
  const all = errorCount > errors.length ? { errorCount } : {};
  return new HttpError(400, 'invalid-request', 'Invalid request', detail, { errors, ...all });
}

/** The request can be sent again in a while. */
export function unavailable(detail: string): HttpError {
  return new HttpError(503, 'unavailable', 'Service unavailable', detail, { retryAfterSeconds: 5 });
}

/** One key, or one address, sends too much. */
export function tooManyRequests(retryAfterSeconds?: number): HttpError {
  const detail = 'Too many requests; wait as long as Retry-After says. Nothing was done.';
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new HttpError(429, 'too-many-requests', 'Too many requests', detail, wait);
}

/** Nothing was done for a request that comes now. */
export function overloaded(): HttpError {
  const detail = 'The gateway is overloaded or stopping. Nothing was done; send the same request again.';
  return new HttpError(503, 'overloaded', 'Service unavailable', detail, { retryAfterSeconds: 5 });
}
