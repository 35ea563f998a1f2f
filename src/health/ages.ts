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
    return (await client.workflow.count(`${query} AND ${older}`)).count > 0;
  };
  if (!(await anyOlderThan(shortestMs))) return 0;
  let [older, notOlder] = [shortestMs, longestMs];
  // Most are young: the bounds are first looked for from below.
  for (let age = shortestMs * 60; age < longestMs; age *= 60) {
    if (await anyOlderThan(age)) older = age;
    else {
      notOlder = age;
      break;
    }
  }
  while (notOlder / older > precision) {
    const middle = Math.sqrt(older * notOlder);
    if (await anyOlderThan(middle)) older = middle;
    else notOlder = middle;
  }
  return older;
}
