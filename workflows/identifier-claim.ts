import { sleep } from '@temporalio/workflow';
import { identifierClaimMs } from '../src/domain/call-limits.js';

/**
 * Holds an identifier of the service for the payment for which an operator has named it, until Temporal's search is sure
 * to show that. The workflow id contains the identifier, and Temporal runs one workflow per id.
 */
export async function identifierClaim(): Promise<void> {
  await sleep(identifierClaimMs);
}
