import { PaymentNotFoundError } from './errors.js';
import type { Execution } from './execution.js';

/** A payment of any kind. */
export type Owned = { readonly workflowId: string; execution(): Promise<Execution> };

/**
 * What Temporal knows of a payment, for its owner alone.
 *
 * @throws PaymentNotFoundError also when someone else started it: the caller learns nothing of it
 */
export async function requireOwner(payment: Owned, caller: string | undefined): Promise<Execution> {
  const execution = await payment.execution();
  if (execution.owner === null || execution.owner !== caller) {
    throw new PaymentNotFoundError(payment.workflowId);
  }
  return execution;
}
