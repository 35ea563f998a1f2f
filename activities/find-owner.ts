import type { OwnPaymentsDeps } from './shared/deps.js';
import { orTemporalUnavailable } from './shared/temporal-unavailable.js';

/** `service_id` is an identifier of the service; `except_workflow_id` the payment that looks. */
export type FindOwnerInput = { service_id: string; except_workflow_id: string };
export type FindOwnerResult = { workflow_id: string | null };

/**
 * Finds our other payment with an identifier of the service: for an order another order, for a payout another payout.
 *
 * Safe to retry: it only searches.
 *
 * @throws ApplicationFailure when our payments could not be searched
 */
export const findOwner =
  ({ ownersOf }: Pick<OwnPaymentsDeps, 'ownersOf'>) =>
  async ({ service_id, except_workflow_id }: FindOwnerInput): Promise<FindOwnerResult> => {
    const owners = await orTemporalUnavailable(() => ownersOf(service_id, except_workflow_id));
    return { workflow_id: owners[0] ?? null };
  };
