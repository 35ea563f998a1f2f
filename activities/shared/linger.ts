import { heartbeat } from '@temporalio/activity';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lingering } from '../../src/domain/lingering.js';
import { isFinalPayoutStatus } from '../../src/domain/statuses.js';
import type { CreationOutcome, ReadByCall } from '../../src/domain/submission.js';
import type { ReadingDeps } from './deps.js';
import type { Lingerers } from './lingerers.js';
import { payoutReading, readBy } from './readings.js';

type Sent = { readonly serviceId: string; readonly partnerCode: string };

/**
 * What the service has answered, with what reads show of the payout until it is final, for a moment. The answer stands
 * whatever comes of them. It is heartbeated first: Temporal then knows the identifier though this worker dies.
 */
export async function lingered(
  deps: ReadingDeps & { readonly lingerers: Lingerers },
  outcome: CreationOutcome,
  partnerCode: string,
): Promise<CreationOutcome> {
  if (outcome.outcome !== 'answered' || outcome.service_id === null) return outcome;
  const { lingerers } = deps;
  const leave = lingerers.enter();
  if (leave === undefined) return outcome;
  try {
    heartbeat(outcome);
    const read = await readUntilFinal(deps, { serviceId: outcome.service_id, partnerCode }, lingerers.bounds);
    return read === undefined ? outcome : { ...outcome, read };
  } finally {
    leave();
  }
}

async function readUntilFinal(
  deps: ReadingDeps,
  payout: Sent,
  { endsMs, readAfterMs }: Lingering,
): Promise<ReadByCall | undefined> {
  const over = new AbortController();
  const ended = sleep(endsMs, undefined, { signal: over.signal }).catch(() => undefined);
  let last: ReadByCall | undefined;
  let waitedMs = 0;
  try {
    for (const afterMs of readAfterMs) {
      await sleep(afterMs - waitedMs);
      waitedMs = afterMs;
      // A read that is still under way at the end is left to itself: it changes nothing.
      const read = await Promise.race([readOnce(deps, payout), ended]);
      last = read ?? last;
      if (last !== undefined && isFinalPayoutStatus(last.shown.status)) return last;
    }
    return last;
  } finally {
    over.abort();
  }
}

/** Undefined when it shows nothing: the read that the workflow makes says why. */
async function readOnce(
  { service, tokens, now }: ReadingDeps,
  { partnerCode, serviceId }: Sent,
): Promise<ReadByCall | undefined> {
  try {
    const { token } = await tokens.current();
    const result = await service.readPayout(serviceId, { token });
    if (result.outcome !== 'answered') return undefined;
    return {
      shown: payoutReading(readBy(serviceId, result.value), partnerCode),
      read_at: new Date(now()).toISOString(),
    };
  } catch {
    return undefined;
  }
}
