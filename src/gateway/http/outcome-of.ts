import { outcomeOf as outcomeOfAny } from '../../audit/audit-log.js';
import { HttpError } from './http-error.js';

/** What an error of the gateway, or of a payment, means for the one who reads the audit stream. */
export function outcomeOf(error: unknown): string {
  return error instanceof HttpError ? error.slug : outcomeOfAny(error);
}
