import { setTimeout as sleep } from 'node:timers/promises';
import { activityInfo, ApplicationFailure, cancellationSignal, heartbeat } from '@temporalio/activity';
import { z } from 'zod';
import { payoutInput } from '../src/contract/payout.js';
import { rowOutcome, type RowOutcome } from '../src/contract/payout-batch.js';
import { fieldProblems } from '../src/contract/problems.js';
import { Pace } from '../src/domain/pace.js';
import type { OwnPaymentsDeps } from './shared/deps.js';

/** `pace` goes into each payout's input. */
export type StartPayoutsInput = {
  payouts: readonly unknown[];
  starts_per_second: number;
  pace: { poll_scale?: number; reconciled?: boolean };
};

/** Beyond the time that one start takes, starts overlap to keep the pace. */
const underWayAtOnce = 8;

const progress = z.array(rowOutcome);

/**
 * Starts payouts in their order, at most so many a second, as any payout is started; they belong to the owner of the
 * batch. Answers what became of each, or
 * of the first ones when it is cancelled or its worker is stopped.
 *
 * Safe to retry: each start is idempotent. The heartbeat carries what is settled, so that it is not done again.
 */
export const startPayouts =
  ({ startPayout, ownerOf }: OwnPaymentsDeps) =>
  async ({ payouts, starts_per_second, pace }: StartPayoutsInput): Promise<RowOutcome[]> => {
    const settled = settledBefore();
    const underWay: Promise<RowOutcome>[] = [];
    const settleOldest = async () => {
      const oldest = underWay.shift();
      if (oldest === undefined) return;
      settled.push(await oldest);
      heartbeat(settled);
    };
    const batchId = activityInfo().workflowExecution?.workflowId;
    const owner = batchId === undefined ? undefined : await ownerOf(batchId);
    const clock = new Pace(starts_per_second, performance.now());
    const signal = cancellationSignal();
    for (const payout of payouts.slice(settled.length)) {
      if (underWay.length >= underWayAtOnce) await settleOldest();
      await sleep(clock.waitMs(performance.now()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      const start = startRow((input) => startPayout(input, owner), payout, pace);
      start.catch(() => undefined);
      underWay.push(start);
      heartbeat(settled);
    }
    while (underWay.length > 0) await settleOldest();
    return settled;
  };

/** What the previous attempt of this activity had settled when its last heartbeat left. */
function settledBefore(): RowOutcome[] {
  return progress.safeParse(activityInfo().heartbeatDetails).data ?? [];
}

async function startRow(
  startPayout: OwnPaymentsDeps['startPayout'],
  payout: unknown,
  pace: StartPayoutsInput['pace'],
): Promise<RowOutcome> {
  const paced = typeof payout === 'object' && payout !== null ? { ...pace, ...payout } : payout;
  const parsed = payoutInput.safeParse(paced);
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
