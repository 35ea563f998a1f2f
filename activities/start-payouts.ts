import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import { payoutInput } from '../src/contract/payout.js';
import { rowOutcome, type RowOutcome } from '../src/contract/payout-batch.js';
import { fieldProblems } from '../src/contract/problems.js';
import type { OwnPaymentsDeps } from './shared/deps.js';
import { atRate, firstOf } from './shared/at-rate.js';

/** `timing` goes into each payout's input. */
export type StartPayoutsInput = {
  payouts: readonly unknown[];
  starts_per_second: number;
  timing: { poll_scale?: number; reconciled?: boolean };
};

/**
 * Starts payouts in their order, at most so many a second, as any payout is started; they belong to the owner of the
 * batch. Returns the outcome of each, or of the first ones when it is cancelled or its worker is stopped.
 *
 * Safe to retry: each start is idempotent. The heartbeat carries what is settled, so that it is not done again.
 */
export const startPayouts =
  ({ startPayout, ownerOf, turn }: Pick<OwnPaymentsDeps, 'startPayout' | 'ownerOf' | 'turn'>) =>
  async ({ payouts, starts_per_second, timing }: StartPayoutsInput): Promise<RowOutcome[]> => {
    const batchId = activityInfo().workflowExecution?.workflowId;
    const owner = batchId === undefined ? undefined : await ownerOf(batchId);
    const start = (payout: unknown) => startRow((input) => startPayout(input, owner), payout, timing);
    return firstOf(await atRate(payouts, starts_per_second, rowOutcome, start, { turn }));
  };

async function startRow(
  startPayout: OwnPaymentsDeps['startPayout'],
  payout: unknown,
  timing: StartPayoutsInput['timing'],
): Promise<RowOutcome> {
  const timed = typeof payout === 'object' && payout !== null ? { ...timing, ...payout } : payout;
  const parsed = payoutInput.safeParse(timed);
  if (!parsed.success) {
    const message = fieldProblems(parsed.error).map(({ field, message: fault }) => `${field} ${fault}`);
    return { outcome: 'failed', message: message.join('; ') };
  }
  try {
    return await startPayout(parsed.data);
  } catch {
    // The cause may hold what was to be started.
    throw ApplicationFailure.create({
      type: 'NotStarted',
      message: 'Temporal did not take the start of a payout; it is tried again.',
      nonRetryable: false,
    });
  }
}
