import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { paymentActivities } from './payments.js';
import type { Card } from './store-card.js';
import type * as ticketActivities from './tickets.js';

// Retried without end, so that the sale learns what has become of the money.
const { charge, refund } = proxyActivities<ReturnType<typeof paymentActivities>>({
  startToCloseTimeout: '1 minute',
  retry: { maximumInterval: '1 minute' },
});
const { reserveSeats, releaseSeats, issueTickets } = proxyActivities<typeof ticketActivities>({
  startToCloseTimeout: '10 seconds',
});

/** Sells tickets. When a step fails, those before it are undone, the latest first. */
export async function sellTickets(partnerCode: string, card: Card): Promise<string> {
  const undo: (() => Promise<void>)[] = [];
  try {
    await reserveSeats(partnerCode);
    undo.unshift(() => releaseSeats(partnerCode));
    // A cancelled sale waits for the outcome as well: only then it knows whether there is money to give back.
    const serviceId = await CancellationScope.nonCancellable(() => charge(partnerCode, card));
    undo.unshift(() => refund(partnerCode, serviceId));
    await issueTickets();
    return 'sold';
  } catch (error) {
    await CancellationScope.nonCancellable(async () => {
      for (const step of undo) await step();
    });
    throw error;
  }
}
