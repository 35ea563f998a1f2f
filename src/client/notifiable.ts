import { notifyProblem, type Notifiable } from '../domain/notify-targets.js';
import { InvalidRequestError } from './errors.js';

/**
 * Refuses a payment that would notify a webhook or a workflow that its owner may not use.
 *
 * @param owner whose it becomes; undefined: nobody's
 * @throws InvalidRequestError
 */
export function requireNotifiable(allowed: Notifiable, owner: string | undefined, payment: object): void {
  const problem = notifyProblem(allowed, owner ?? null, payment);
  if (problem !== undefined) throw new InvalidRequestError([problem]);
}
