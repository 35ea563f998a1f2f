import type { Tracked } from '../../src/dev/sandbox/tracked.js';
import type { Command } from '../../workflows/shared/commands.js';
import { card } from './lifecycles.js';
import type { Simulated, SimulatedRun } from './simulated-run.js';

/** A change at the service right before a send can be seen by nobody: reads and the send itself take so long. */
export const raceMs = 2 * 60_000;

/** Whether a record had one of these statuses when the send was decided, so long before it at most. */
export function hadStatus(
  { history }: Tracked,
  at: number,
  statuses: readonly string[],
  unseenMs = raceMs,
): boolean {
  const before = history.filter((change) => Date.parse(change.at) <= at - unseenMs).at(-1);
  const meanwhile = history.filter(
    (change) => Date.parse(change.at) > at - unseenMs && Date.parse(change.at) <= at,
  );
  return [before, ...meanwhile].some((change) => change !== undefined && statuses.includes(change.status));
}

/** Whether a scan could have shown a payout right before a send, or a read by its identifier. */
export function couldBeSeen({ plan, service }: Simulated, record: Tracked, at: number): boolean {
  const payout = service.sandbox.payouts.byId(record.id);
  if (!payout?.listed) return false;
  const listedAt = Date.parse(payout.createdAt) + (plan.listing === 'late' ? 20 * 60_000 : 0);
  return at - listedAt >= raceMs;
}

/** All that can be seen of a payment, and which commands it takes; without what it awaits, which a wait sets anew. */
export function shownBy({ living }: Pick<SimulatedRun, 'living'>): string {
  const { awaiting: _awaiting, next_read_at: _at, next_read_cause: _cause, ...view } = living.payment.view();
  const refusals = commandsOf(living.payment.attemptNumber()).map(
    (command) => living.payment.refusalOf(command)?.message,
  );
  return JSON.stringify([view, refusals]);
}

export const operator = { by: 'ops', reason: 'planned' };

/** Each command as it would be sent by somebody who means the present state. */
export function commandsOf(attempt: number | null): Command[] {
  return [
    { name: 'retryPayout', message: { ...operator, ...(attempt === null ? {} : { attempt }) } },
    { name: 'abandonPayout', message: operator },
    { name: 'resolveSubmission', message: { ...operator, nothing_happened: true } },
    { name: 'provideCard', message: card },
    { name: 'completeThreeDSecure', message: { callback: 'callback', eci: '05', card } },
    { name: 'retryRefund', message: { ...operator, nothing_queued: true } },
    { name: 'resolveRefund', message: { ...operator, outcome: 'not_refunded' } },
  ];
}
