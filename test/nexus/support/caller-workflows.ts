import { ApplicationFailure, createNexusServiceClient, isCancellation } from '@temporalio/workflow';
import { operation as anyOperation, service } from 'nexus-rpc';
import { paymentsService, type NexusPayment, type NexusStartPayout } from '../../../src/nexus.js';

/** What an operation came to, as its caller sees it. */
export type Answered = { readonly answer: unknown } | { readonly refused: Refusal };
type Refusal = { readonly type: string; readonly message: string; readonly details: unknown };

/** Calls one operation, with whatever a caller in another language may send. */
export async function call(endpoint: string, name: string, input: unknown): Promise<Answered> {
  const untyped = service('payments', { operation: anyOperation<unknown, unknown>({ name }) });
  try {
    const client = createNexusServiceClient({ endpoint, service: untyped });
    return { answer: await client.executeOperation('operation', input) };
  } catch (error) {
    return { refused: refusalIn(error) };
  }
}

/** Pays, and retries once with another pix key when the payout has failed. */
export async function payRent(endpoint: string, rent: NexusStartPayout, pix: string): Promise<NexusPayment> {
  const payments = createNexusServiceClient({ endpoint, service: paymentsService });
  const { partner_code } = rent;
  await payments.executeOperation('startPayout', rent);
  const outcome = await payments.executeOperation('awaitOutcome', { kind: 'payout', partner_code });
  if (outcome.attention !== 'payout_failed') return outcome;
  const corrections = { pix };
  await payments.executeOperation('retryPayout', {
    partner_code,
    attempt: 1,
    corrections,
    reason: 'wrong key',
  });
  return payments.executeOperation('awaitOutcome', { kind: 'payout', partner_code });
}

/** Awaits an outcome until it is cancelled. */
export async function awaitPayout(endpoint: string, partner_code: string): Promise<string> {
  const payments = createNexusServiceClient({ endpoint, service: paymentsService });
  try {
    const { status } = await payments.executeOperation(
      'awaitOutcome',
      { kind: 'payout', partner_code },
      { cancellationType: 'WAIT_CANCELLATION_COMPLETED' },
    );
    return status;
  } catch (error) {
    if (isCancellation(error)) return 'no longer awaited';
    throw error;
  }
}

/** The problem, which is the innermost cause. */
function refusalIn(error: unknown): Refusal {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure && cause.type !== 'OperationError') {
      return { type: cause.type ?? '', message: cause.message, details: cause.details?.[0] ?? null };
    }
  }
  throw error;
}
