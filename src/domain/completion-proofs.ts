import type { ThreeDSecureStage } from './order-stages.js';
import { Refused } from './refused.js';

/** What a fresh read of a 3D Secure order has come to, once all that it settles is settled. */
export type FreshRead = {
  readonly stage: ThreeDSecureStage;
  /** Whether it worked, and showed this order. */
  readonly usable: boolean;
};

/**
 * What it means for a completion that was to be sent: `send` it; the order has `moved_on`; or `read_again`, for
 * the read did not work.
 */
export type CompletionVerdict = 'send' | 'moved_on' | 'read_again';

export function completionVerdict({ stage, usable }: FreshRead): CompletionVerdict {
  if (stage !== 'complete') return 'moved_on';
  return usable ? 'send' : 'read_again';
}

/**
 * Why the order is not proven to be open, so that a completion may be begun; undefined when it is.
 *
 * @param usable whether the read worked; null when none was needed
 * @param objection what speaks against a completion by all that is known since
 */
export function notProvenOpen(usable: boolean | null, objection: Refused | undefined): Refused | undefined {
  if (usable !== false) return objection;
  const what = 'The order could not be read just now, so nothing was sent. Try again.';
  return new Refused('CouldNotRead', what);
}
