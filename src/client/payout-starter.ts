import type { Client } from '@temporalio/client';
import { isGrpcServiceError } from '@temporalio/client';
import type { RowOutcome } from '../contract/payout-batch.js';
import type { PayoutInput } from '../contract/payout.js';
import { startPayment } from '../temporal/start-payment.js';
import { PaymentConflictError } from './errors.js';
import { payoutLifecycle, startOf } from './lifecycles.js';
import { callTemporal } from './temporal-calls.js';

const GRPC_INVALID_ARGUMENT = 3;

/**
 * Starts one payout of a batch as any other payout is started, and returns the outcome.
 *
 * Safe to repeat. @throws TemporalUnavailableError when it is not known whether it was started
 */
export function payoutStarter(client: Client, taskQueue: string, callTimeoutMs = 10_000) {
  return async (input: PayoutInput, owner?: string): Promise<RowOutcome> => {
    try {
      const start = startOf(payoutLifecycle, input);
      const outcome = await callTemporal({ client, callTimeoutMs }, () =>
        startPayment(client, start, {
          taskQueue,
          inBatch: true,
          ...(owner === undefined ? {} : { owner, onlyOwn: true }),
        }),
      );
      if (outcome.kind !== 'conflict') return { outcome: outcome.kind };
      const { message } = new PaymentConflictError(outcome.workflowId, outcome.difference, outcome.fields);
      return { outcome: 'conflict', message };
    } catch (error) {
      const cause = error instanceof Error && !isGrpcServiceError(error) ? error.cause : error;
      if (!isGrpcServiceError(cause) || Number(cause.code) !== GRPC_INVALID_ARGUMENT) throw error;
      return { outcome: 'failed', message: 'Temporal does not take this payout. Nothing was started.' };
    }
  };
}
