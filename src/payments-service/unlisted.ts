import { setTimeout } from 'node:timers/promises';
import { classUnlisted, type AfterThrottling } from '../domain/outcome-classes.js';
import type { Creation, ServiceFailure, ServiceResult } from './result.js';

/** The creating call and this together stay below what Temporal waits for (`creatingActivity.startToCloseMs`). */
const confirmMs = 4_000;

/**
 * What is proven of a call that creates something no list shows, by its answer. A 401 is confirmed by `reads`, harmless
 * ones with the same token.
 */
export async function provenOfUnlisted(
  sent: ServiceResult<Creation>,
  reads: readonly (() => Promise<ServiceResult<unknown>>)[],
  after429: AfterThrottling,
): Promise<ServiceResult<Creation>> {
  if (sent.outcome === 'answered') return sent;
  const httpStatus = httpStatusOf(sent);
  const tokenIsRefused =
    httpStatus === 401 &&
    (await Promise.race([areRefused(reads), setTimeout(confirmMs, false, { ref: false })]));
  const outcome = classUnlisted({ outcome: sent.outcome, httpStatus }, { tokenIsRefused, after429 });
  if (outcome === sent.outcome || outcome !== 'unknown') return sent;
  const { reason, words } = sent;
  const why = httpStatus === 401 ? ' It takes the same token for a read.' : '';
  return {
    ...{ outcome, httpStatus, reason: `${reason}${why} That is no proof that nothing was done.` },
    ...(words !== undefined && { words }),
  };
}

/** One after the other: two large answers at once would stop the event loop for twice the time. */
async function areRefused(reads: readonly (() => Promise<ServiceResult<unknown>>)[]): Promise<boolean> {
  for (const read of reads) if (httpStatusOf(await read()) !== 401) return false;
  return true;
}

function httpStatusOf(result: ServiceFailure | { outcome: 'answered' }): number | null {
  return 'httpStatus' in result ? result.httpStatus : null;
}
