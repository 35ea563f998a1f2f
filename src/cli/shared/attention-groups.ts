import type { PaymentListing } from '../../client.js';
import { amount } from './tables.js';
import { columns } from './columns.js';

/** Why payments are put together. */
export const groupings = ['reason', 'cause', 'kind', 'day'] as const;
export type Grouping = (typeof groupings)[number];

/** Payments with something in common: how many, their sum in reais, and since when the oldest is as it is. */
export type AttentionGroup = {
  readonly group: string;
  readonly count: number;
  readonly value: number;
  readonly since: string;
};

const keys: Record<Grouping, (payment: PaymentListing) => string> = {
  reason: ({ attention }) => attention ?? 'unknown',
  cause: ({ cause }) => cause ?? 'no cause',
  kind: ({ kind }) => kind ?? 'unknown',
  day: (payment) => sinceOf(payment).slice(0, 10),
};

/** Since when a payment is as it is, in ISO 8601: its last change, or its start. */
export function sinceOf({ updated_at, started_at }: PaymentListing): string {
  return updated_at ?? started_at;
}

/** The groups of these payments, the oldest first. */
export function grouped(payments: readonly PaymentListing[], by: Grouping): AttentionGroup[] {
  const groups = new Map<string, { count: number; centavos: number; since: string }>();
  for (const payment of payments) {
    const name = keys[by](payment);
    const since = sinceOf(payment);
    const group = groups.get(name) ?? { count: 0, centavos: 0, since };
    groups.set(name, {
      count: group.count + 1,
      centavos: group.centavos + Math.round((payment.value ?? 0) * 100),
      since: since < group.since ? since : group.since,
    });
  }
  return [...groups]
    .map(([group, { count, centavos, since }]) => ({ group, count, value: centavos / 100, since }))
    .sort((a, b) => a.since.localeCompare(b.since));
}

/** The groups as a table, with a line for all of them. */
export function groupsTable(groups: readonly AttentionGroup[], by: Grouping): string {
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const centavos = groups.reduce((sum, { value }) => sum + Math.round(value * 100), 0);
  const rows = groups.map((group) => [
    ...[group.group, String(group.count), amount(group.value), age(group.since)],
  ]);
  return columns(
    [by, 'payments', 'sum', 'for'],
    [...rows, ['all', String(count), amount(centavos / 100), '']],
  );
}

/** How long ago, for people: `3 h`. */
export function age(since: string, now = Date.now()): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000));
  if (minutes < 60) return `${String(minutes)} min`;
  if (minutes < 48 * 60) return `${String(Math.floor(minutes / 60))} h`;
  return `${String(Math.floor(minutes / (24 * 60)))} days`;
}
