import { sleep } from '@temporalio/workflow';
import { identifierClaimMs } from '../src/domain/call-limits.js';

/**
 * Holds an identifier of the service for the payment that an operator has named it for, until Temporal's search shows
 * surely that the payment has it. Its workflow id is the identifier: Temporal lets one at a time have it.
 */
export async function identifierClaim(): Promise<void> {
  await sleep(identifierClaimMs);
}
