import type { Order } from './orders.js';
import type { Payout } from './payouts.js';
import type { Life } from './scenario.js';
import type { Service } from './service.js';
import type { CurrentToken } from './tokens.js';
import type { AccountValidation } from './validations.js';

type Kept<T> = { readonly record: T; readonly ahead: Life['then'] };

/** What a sandbox knows, as JSON: records, what is still to become of them, the token. Nothing of a card. */
export type Snapshot = {
  readonly version: 1;
  readonly token: CurrentToken | null;
  readonly orders: readonly Kept<Order>[];
  readonly payouts: readonly Kept<Payout>[];
  readonly validations: readonly Kept<AccountValidation>[];
};

export function snapshotOf({ tokens, orders, payouts, validations, lives }: Service): Snapshot {
  const kept = <T extends Order | Payout | AccountValidation>(records: readonly T[]): Kept<T>[] =>
    records.map((record) => ({ record, ahead: lives.ahead(record) }));
  return {
    version: 1,
    token: tokens.snapshot(),
    orders: kept(orders.all()),
    payouts: kept(payouts.all()),
    validations: kept(validations.all()),
  };
}

/** Goes on where a previous sandbox was. Faults armed by hand, counters and postbacks under way are not kept. */
export function restore(service: Service, snapshot: Snapshot): void {
  service.tokens.restore(snapshot.token);
  for (const { record, ahead } of snapshot.orders) service.orders.restore(record, ahead);
  for (const { record, ahead } of snapshot.payouts) service.payouts.restore(record, ahead);
  for (const { record, ahead } of snapshot.validations) service.validations.restore(record, ahead);
}
