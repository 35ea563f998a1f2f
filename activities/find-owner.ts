import { ApplicationFailure } from '@temporalio/activity';
import type { OwnPaymentsDeps } from './shared/deps.js';

/** `service_id` is an identifier of the service; `except_workflow_id` the payment that looks. */
export type FindOwnerInput = { service_id: string; except_workflow_id: string };
export type FindOwnerResult = { workflow_id: string | null };

/**
 * Finds the payment of ours that has an identifier of the service already.
 *
 * Safe to retry: it only searches.
 *
 * @throws ApplicationFailure when our payments could not be searched
 */
export const findOwner =
  ({ ownersOf }: Pick<OwnPaymentsDeps, 'ownersOf'>) =>
  async ({ service_id, except_workflow_id }: FindOwnerInput): Promise<FindOwnerResult> => {
    const owners = await ownersOf(service_id).catch(() => undefined);
    if (owners === undefined) {
      // Without its cause, which the SDK would copy into the history.
      const message = 'Our own payments could not be searched.';
      throw ApplicationFailure.create({ type: 'TemporalUnavailable', message, nonRetryable: false });
    }
    return { workflow_id: owners.find((id) => id !== except_workflow_id) ?? null };
  };
