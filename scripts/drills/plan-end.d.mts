import type { Ledger, OrderEntry, PayoutEntry } from '../../src/dev/sandbox/ledger.js';

type Records = Pick<Ledger, 'orders' | 'payouts'>;
type Shown = {
  readonly attention: string | null;
  readonly closed: boolean;
  readonly service_id: string | null;
  readonly status: string;
  readonly updated_at: string;
  readonly timeline?: readonly { readonly what: string }[];
};

export function endOf(kind: string, record: OrderEntry | PayoutEntry): string | undefined;
export function isSettled(kind: string, state: Shown, record: OrderEntry | PayoutEntry | undefined): boolean;
export function latestOf(records: Records): OrderEntry | PayoutEntry | undefined;
export function violationsOf(end: {
  kind: string;
  records: Records;
  retriesTaken: number;
  state: Shown | undefined;
}): string[];
