import type { OwnPaymentsDeps } from './shared/deps.js';
import { orTemporalUnavailable } from './shared/temporal-unavailable.js';

/** Payments that have changed since then are checked. */
export type CheckIdentifiersInput = { since: string };
/** How many identifiers are shared, where the next check begins, and whether this one reached the present. */
export type CheckIdentifiersResult = { shared: number; next_since: string; complete: boolean };

/**
 * Finds identifiers of the service that two of our payments have, and signals both payments.
 *
 * Safe to retry: a payment ignores what it was signalled before.
 *
 * @throws ApplicationFailure when our payments could not be searched or signalled
 */
export const checkIdentifiers =
  ({ findShared, signalShared }: Pick<OwnPaymentsDeps, 'findShared' | 'signalShared'>) =>
  ({ since }: CheckIdentifiersInput): Promise<CheckIdentifiersResult> =>
    orTemporalUnavailable(async () => {
      const { complete, next_since, shared } = await findShared(since);
      for (const { serviceId, workflowIds } of shared) {
        for (const workflowId of workflowIds) {
          const other = workflowIds.find((id) => id !== workflowId) ?? workflowId;
          await signalShared(workflowId, { service_id: serviceId, workflow_id: other });
        }
      }
      return { shared: shared.length, next_since, complete };
    });
