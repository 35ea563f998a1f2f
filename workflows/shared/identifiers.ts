import { identifierClaimMs, searchableAfterMs } from '../../src/domain/call-limits.js';
import { Refused } from '../../src/domain/refused.js';
import type { Read } from '../../src/domain/called.js';
import type { PaymentContext } from './context.js';
import type { Payment } from './payment.js';

/** @throws Refused when another payment of ours has this identifier of the service */
export async function refuseForeign(ctx: PaymentContext, serviceId: string): Promise<void> {
  refuseOther(ctx, await ctx.ownerOf(serviceId));
}

/**
 * Claims this identifier of the service for the payment, when the service does not show whose it is.
 *
 * @param startedAt when the command began: search has to show what other payments had by then
 * @throws Refused when another payment of ours has it, or has claimed it a moment before
 */
export async function claim(
  ctx: PaymentContext,
  { start }: Payment,
  serviceId: string,
  startedAt: number,
): Promise<void> {
  const askedAt = ctx.now();
  const searchableFrom = new Date(startedAt + searchableAfterMs(start.scale)).toISOString();
  refuseOther(ctx, await ctx.claim(serviceId, searchableFrom));
  // The claim may be over when no worker has continued for long.
  if (ctx.now() < askedAt + identifierClaimMs / 2) return;
  throw new Refused('CouldNotRead', 'It took too long to claim the identifier. Nothing was changed.');
}

/** @throws Refused unless a fresh read shows that the service does not know the identifier any more */
export function refuseKnown(read: Read<unknown>, serviceId: string): void {
  if (read.kind === 'not_found') return;
  const what =
    read.kind === 'read'
      ? `The service shows it under ${serviceId}, which is known here.`
      : `Whether the service still knows it under ${serviceId} could not be read just now.`;
  throw new Refused(read.kind === 'read' ? 'AlreadyMoving' : 'CouldNotRead', `${what} Nothing was changed.`);
}

function refuseOther({ run }: PaymentContext, owner: string | null): void {
  if (owner === null || owner === run.workflowId) return;
  throw new Refused('InvalidMessage', `That identifier belongs to ${owner}. Nothing was changed.`);
}
