import type { Expected, Incident, IncidentStack } from './incident.js';
import { recordsOf } from './sandbox-control.js';

/** How a payment of an incident stands now. */
export type Seen = Found & { readonly status: string; readonly attention: string | null };

/** A payment, and the statuses of its records in the sandbox's ledger. */
type Found = { readonly expected: Expected; readonly records: readonly string[] };

/** Whether an incident is solved; `paid_twice` when a payout was made more often than it should, for good. */
export type Verdict = {
  readonly outcome: 'open' | 'solved' | 'paid_twice';
  /** A line a payment: its status here, and its records at the service. */
  readonly lines: readonly string[];
};

/** Looks at the sandbox's ledger, and at the payments once that is as it should be: looking costs Temporal a query each. */
export async function lookAt({ expected }: Incident, { oms, sandbox }: IncidentStack): Promise<Verdict> {
  const ledger = await sandbox.records();
  const found = expected.map((payment) => ({ expected: payment, records: recordsOf(payment.code, ledger) }));
  if (!found.every(hasMoved) && !found.some(isPaidTwice)) return { outcome: 'open', lines: [] };
  return verdictOn(
    await Promise.all(found.map(async (one) => ({ ...one, ...(await oms.state(one.expected.path)) }))),
  );
}

export function verdictOn(seen: readonly Seen[]): Verdict {
  const solved = seen.every(isSolved) ? 'solved' : 'open';
  return { outcome: seen.some(isPaidTwice) ? 'paid_twice' : solved, lines: seen.map(lineOf) };
}

function isSolved(seen: Seen): boolean {
  return seen.status === seen.expected.status && seen.attention === null && hasMoved(seen);
}

function hasMoved({ expected, records }: Found): boolean {
  return records.join() === expected.records.join();
}

function isPaidTwice({ expected, records }: Found): boolean {
  return timesDone(records) > timesDone(expected.records);
}

function timesDone(records: readonly string[]): number {
  return records.filter((status) => status === 'done').length;
}

function lineOf({ attention, expected, records, status }: Seen): string {
  const here = attention === null ? status : `${status} (${attention})`;
  return `${expected.code}: ${here}; at the service: ${records.join(', ') || 'nothing'}`;
}
