import type { FastifyRequest } from 'fastify';
import type { Execution } from '../../client/execution.js';
import { requireOwner, type Owned } from '../../client/require-owner.js';
import type { StartedFor } from '../../temporal/start-once.js';
import { invalidRequest } from '../http/http-error.js';

export type Requested = Pick<FastifyRequest, 'caller' | 'workflowId'>;

/** Whether the caller may see and command whatever anyone has started. */
export function seesAll({ caller }: Requested): boolean {
  return caller?.scopes.includes('operator') ?? false;
}

/** For whom the caller starts a payment: it belongs to the name of the key. */
export function startedFor(request: Requested): StartedFor {
  return {
    onlyOwn: !seesAll(request),
    ...(request.caller === null ? {} : { owner: request.caller.name }),
  };
}

/** The part of a list that the caller may see. */
export function ownPart(request: Requested): { owner?: string } {
  return seesAll(request) ? {} : { owner: request.caller?.name ?? '' };
}

/**
 * Whose payments a caller may act upon by the thousand: those of the owner that it names, or, unless it sees
 * everything, its own.
 *
 * @throws HttpError when it names another owner without seeing everything
 */
export function ownerFor(request: Requested, field: string, named: string | undefined): string | undefined {
  if (seesAll(request)) return named;
  const own = request.caller?.name ?? '';
  if (named === undefined || named === own) return own;
  throw invalidRequest([{ field, message: 'must be the name of your own key, or left out' }]);
}

/**
 * The payment, if its caller may see and command it.
 *
 * @throws PaymentNotFoundError also when someone else started it: the caller learns nothing of it
 */
export async function reachable<Payment extends Owned>(
  request: Requested,
  payment: Payment,
): Promise<Payment> {
  request.workflowId = payment.workflowId;
  if (!seesAll(request)) await requireOwner(payment, request.caller?.name);
  return payment;
}

/** What Temporal knows of a payment, if its caller may see it. @throws PaymentNotFoundError as {@link reachable} does */
export function reachableExecution(request: Requested, payment: Owned): Promise<Execution> {
  request.workflowId = payment.workflowId;
  return seesAll(request) ? payment.execution() : requireOwner(payment, request.caller?.name);
}
