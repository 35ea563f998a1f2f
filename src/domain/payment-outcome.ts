import type { Attention } from './attention.js';
import type { PaymentKind } from './kinds.js';
import { isWatchedOrderStatus } from './statuses.js';

/** Statuses of a payout after which only its watch remains. One that failed has an attention. */
const endsOfPayouts: readonly string[] = ['done', 'rejected', 'abandoned', 'cancelled'];
/** Statuses of ours after which nothing is charged, beside those of {@link isWatchedOrderStatus}. */
const endsOfOrders: readonly string[] = ['rejected', 'cancelled'];

type Shown = {
  readonly kind: PaymentKind;
  readonly status: string;
  readonly attention: Attention | null;
  readonly closed: boolean;
};

/**
 * Whether a payout or order has come to what its caller awaits: one of the statuses named, its end, or an attention,
 * which an operator or a command has to end.
 */
export function hasOutcome({ kind, status, attention, closed }: Shown, statuses: readonly string[]): boolean {
  if (closed || attention !== null || statuses.includes(status)) return true;
  return kind === 'payout'
    ? endsOfPayouts.includes(status)
    : isWatchedOrderStatus(status) || endsOfOrders.includes(status);
}

/**
 * How often a payment is read for one who awaits its outcome: each wait is a tenth longer than the one before, so the
 * answer comes within about a tenth of the time that the payment took, an hour at most.
 */
export const outcomeReads = { firstWaitMs: 1_000, growth: 1.1, longestWaitMs: 3_600_000 } as const;
