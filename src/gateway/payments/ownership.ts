import type { FastifyRequest } from 'fastify';
import { PaymentNotFoundError } from '../../client/errors.js';
import type { PaymentHandle } from '../../client/payment-handle.js';
import type { PaymentState } from '../../contract/state.js';
import type { StartedFor } from '../../temporal/start-once.js';

type Requested = Pick<FastifyRequest, 'caller' | 'workflowId'>;

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
 * The payment, if its caller may see and command it.
 *
 * @throws PaymentNotFoundError also when someone else started it: the caller learns nothing of it
 */
export async function reachable<Payment extends PaymentHandle<PaymentState>>(
  request: Requested,
  payment: Payment,
): Promise<Payment> {
  request.workflowId = payment.workflowId;
  if (seesAll(request)) return payment;
  const { owner } = await payment.execution();
  if (owner !== null && owner === request.caller?.name) return payment;
  throw new PaymentNotFoundError(payment.workflowId);
}
