import type { Client } from '@temporalio/client';
import { searchAttributes } from '../domain/search-attributes.js';

const { PaymentUpdatedAt } = searchAttributes;
const shortestMs = 1_000;
const longestMs = 2 * 366 * 86_400_000;
/** The age that is found is at most so much too low. */
const precision = 1.05;

/**
 * How long the oldest payment of a query has been as it is, in milliseconds, within a twentieth; 0 when there is none.
 * `now` is Temporal's time. By counting, for Temporal's search neither sorts by age nor finds the least value.
 */
export async function oldestMs(client: Client, query: string, now: number): Promise<number> {
  const anyOlderThan = async (ageMs: number) => {
    const before = `'${new Date(now - ageMs).toISOString()}'`;
    // One that was never changed since its start has no time of its last change.
    const older =
      `(${PaymentUpdatedAt.name} < ${before} OR ` +
      `(${PaymentUpdatedAt.name} IS NULL AND StartTime < ${before}))`;
    return (await client.workflow.count(`${query} AND ${older}`)).count > 0 ? true : undefined;
  };
  return (await oldest(anyOlderThan))?.ageMs ?? 0;
}

/**
 * The oldest that `olderThan` finds, and an age at most a twentieth below that of the oldest there is; null when nothing
 * is older than a second.
 */
export async function oldest<Found>(
  olderThan: (ageMs: number) => Promise<Found | undefined>,
): Promise<{ readonly ageMs: number; readonly found: Found } | null> {
  const first = await olderThan(shortestMs);
  if (first === undefined) return null;
  let [oldestYet, notOlder] = [{ ageMs: shortestMs, found: first }, longestMs];
  const search = async (ageMs: number) => {
    const found = await olderThan(ageMs);
    if (found === undefined) notOlder = ageMs;
    else oldestYet = { ageMs, found };
  };
  // Most are young: the bounds are first looked for from below.
  for (let age = shortestMs * 60; age < notOlder; age *= 60) await search(age);
  while (notOlder / oldestYet.ageMs > precision) await search(Math.sqrt(oldestYet.ageMs * notOlder));
  return oldestYet;
}
