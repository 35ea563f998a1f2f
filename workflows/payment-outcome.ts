import { ActivityFailure, ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import type { NexusAwaitOutcome, NexusPayment } from '../src/contract/nexus.js';
import { outcomeReads } from '../src/domain/payment-outcome.js';
import { inBulk } from './shared/activities.js';

/**
 * Awaits the outcome of a payment for a Nexus caller, for as long as it takes. No payment notices anything of it, and
 * cancelling it ends the wait alone.
 *
 * @throws ApplicationFailure `not-found`, `state-lost`: there will be no outcome
 */
export async function paymentOutcome(wanted: NexusAwaitOutcome): Promise<NexusPayment> {
  const cancelled = CancellationScope.current().cancelRequested;
  // The read is not cancelled but left: its end would be another event of the task, which the interceptors refuse.
  const read = CancellationScope.nonCancellable(() => reading().readOutcome(wanted));
  try {
    return await Promise.race([read, cancelled]);
  } catch (error) {
    if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) throw error.cause;
    throw error;
  }
}

/** Safe to retry, and retried until there is an outcome: it only reads. */
function reading() {
  return inBulk({
    startToCloseTimeout: '30 seconds',
    retry: {
      initialInterval: outcomeReads.firstWaitMs,
      backoffCoefficient: outcomeReads.growth,
      maximumInterval: outcomeReads.longestWaitMs,
    },
    summary: 'read the payment until it has an outcome',
  });
}
