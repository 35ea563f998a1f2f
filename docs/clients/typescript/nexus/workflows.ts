import { createNexusServiceClient } from '@temporalio/workflow';
import { paymentsService, type NexusStartPayout } from 'durable-payments-client/nexus';

/** Pays, and once more with another pix key when that has failed. Each step may be repeated, and pays once. */
export async function payRent(rent: NexusStartPayout, otherPix: string): Promise<string> {
  const payments = createNexusServiceClient({ endpoint: 'payments-oms', service: paymentsService });
  const { partner_code } = rent;
  await payments.executeOperation('startPayout', rent);
  let outcome = await payments.executeOperation('awaitOutcome', { kind: 'payout', partner_code });
  if (outcome.attention === 'payout_failed') {
    const retry = { attempt: 1, corrections: { pix: otherPix }, reason: 'wrong key' };
    await payments.executeOperation('retryPayout', { partner_code, ...retry });
    outcome = await payments.executeOperation('awaitOutcome', { kind: 'payout', partner_code });
  }
  return outcome.attention ?? outcome.status;
}
