import { orTemporalUnavailable } from './shared/temporal-unavailable.js';
import type { OwnPaymentsDeps } from './shared/deps.js';

/**
 * `service_id` is an identifier of the service, `workflow_id` the payment for which an operator has named it. From
 * `searchable_from` on, search shows whether another payment had it by then.
 */
export type ClaimIdentifierInput = { service_id: string; workflow_id: string; searchable_from: string };
/** The payment that has the identifier. */
export type ClaimIdentifierResult = { workflow_id: string };

/**
 * Claims an identifier of the service for a payment: of several payments that claim it at once, one gets it.
 *
 * Safe to retry: the payment that has it gets it again.
 *
 * @throws ApplicationFailure when our payments could not be searched, or Temporal did not take the claim
 */
export const claimIdentifier =
  ({ claim }: Pick<OwnPaymentsDeps, 'claim'>) =>
  async ({
    service_id,
    workflow_id,
    searchable_from,
  }: ClaimIdentifierInput): Promise<ClaimIdentifierResult> => ({
    workflow_id: await orTemporalUnavailable(() =>
      claim(service_id, workflow_id, Date.parse(searchable_from)),
    ),
  });
