import { unlessUnsearchable } from './shared/unsearchable.js';
import type { OwnPaymentsDeps } from './shared/deps.js';

/**
 * `service_id` is an identifier of the service, `workflow_id` the payment that an operator has named it for. Search shows
 * from `searchable_from` on which other payment had it when the operator named it.
 */
export type ClaimIdentifierInput = { service_id: string; workflow_id: string; searchable_from: string };
/** The payment that has the identifier. */
export type ClaimIdentifierResult = { workflow_id: string };

/**
 * Claims an identifier of the service for a payment: of several that claim it at once one has it.
 *
 * Safe to retry: the payment that has it already has it again.
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
    workflow_id: await unlessUnsearchable(() => claim(service_id, workflow_id, Date.parse(searchable_from))),
  });
