import { ApplicationFailure } from '@temporalio/activity';
import type { NexusAwaitOutcome, NexusPayment } from '../src/contract/nexus.js';
import { hasOutcome } from '../src/domain/payment-outcome.js';
import type { OwnPaymentsDeps } from './shared/deps.js';

/**
 * Reads a payment of ours whose outcome is awaited. While there is none it fails, and Temporal tries it again: that
 * way no wait costs an event.
 *
 * Safe to retry: it only reads.
 *
 * @throws ApplicationFailure `NoOutcomeYet`; `not-found` and `state-lost`, which no retry mends
 */
export const readOutcome =
  ({ readPayment }: Pick<OwnPaymentsDeps, 'readPayment'>) =>
  async (wanted: NexusAwaitOutcome): Promise<NexusPayment> => {
    const answer = await readPayment(wanted);
    if (answer.kind === 'gone') throw failure(answer.type, answer.message, true);
    if (answer.kind === 'unavailable') throw failure('NoOutcomeYet', 'The payment could not be read.', false);
    if (hasOutcome(answer.state, wanted.statuses ?? [])) return answer.state;
    throw failure('NoOutcomeYet', 'The payment has come to no outcome yet.', false);
  };

function failure(type: string, message: string, nonRetryable: boolean): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable, category: 'BENIGN' });
}
