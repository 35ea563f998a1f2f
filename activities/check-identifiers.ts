import type { OwnPaymentsDeps } from './shared/deps.js';
import { unlessUnsearchable } from './shared/unsearchable.js';

/** What has changed since then is checked. */
export type CheckIdentifiersInput = { since: string };
/** How many identifiers two payments have, where the next check begins, and whether this was all until now. */
export type CheckIdentifiersResult = { shared: number; next_since: string; complete: boolean };

/**
 * Finds identifiers of the service that two payments of ours have, and signals each of these payments.
 *
 * Safe to retry: a payment that knows of it takes no notice.
 *
 * @throws ApplicationFailure when our payments could not be searched
 */
export const checkIdentifiers =
  ({ findShared, signalShared }: Pick<OwnPaymentsDeps, 'findShared' | 'signalShared'>) =>
  ({ since }: CheckIdentifiersInput): Promise<CheckIdentifiersResult> =>
    unlessUnsearchable(async () => {
      const { complete, next_since, shared } = await findShared(since);
      for (const { serviceId, workflowIds } of shared) {
        for (const workflowId of workflowIds) {
          const other = workflowIds.find((id) => id !== workflowId) ?? workflowId;
          await signalShared(workflowId, { service_id: serviceId, workflow_id: other });
        }
      }
      return { shared: shared.length, next_since, complete };
    });
