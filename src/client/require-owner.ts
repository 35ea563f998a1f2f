import { PaymentNotFoundError } from './errors.js';
import type { Execution } from './execution.js';

/** A payment of any kind. */
export type Owned = { readonly workflowId: string; execution(): Promise<Execution> };

/**
 * Lets only the owner of a payment go on.
 *
 * @throws PaymentNotFoundError also when someone else started it: the caller learns nothing of it
 */
export async function requireOwner(payment: Owned, caller: string | undefined): Promise<void> {
  const { owner } = await payment.execution();
  if (owner === null || owner !== caller) throw new PaymentNotFoundError(payment.workflowId);
}
