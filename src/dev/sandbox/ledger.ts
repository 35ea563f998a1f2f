import type { EndpointName } from './endpoints.js';
import { decimalText } from './money.js';
import type { Order, OrderKind, Orders } from './orders.js';
import type { Payout, PayoutMethod, Payouts } from './payouts.js';
import type { PostbackCounts } from './postbacks.js';
import { firstTime, type Records, type StatusChange, type Tracked } from './tracked.js';
import type { Validations } from './validations.js';

type Entry = {
  readonly id: string;
  readonly partner_code: string;
  readonly status: string;
  /** How many records were created with this partner_code: more than 1 is money moved twice. */
  readonly times_created: number;
  readonly created_at: string;
  readonly history: readonly StatusChange[];
};

export type OrderEntry = Entry & {
  readonly kind: OrderKind;
  readonly value: string;
  readonly paid_at: string | null;
  /** How often a card was sent for it, and how often that took its value. */
  readonly times_submitted: number;
  readonly times_charged: number;
  readonly refunds_requested: number;
  readonly refunds_done: number;
};
export type PayoutEntry = Entry & {
  readonly method: PayoutMethod;
  readonly value: string;
  readonly paid_at: string | null;
};
export type RefundEntry = {
  readonly order_id: string;
  readonly partner_code: string;
  readonly value: string;
  readonly requested_at: string;
  readonly refunded_at: string | null;
};

/** What the service really did, in exact decimals. Holds nothing of a card. */
export type Ledger = {
  readonly orders: readonly OrderEntry[];
  readonly payouts: readonly PayoutEntry[];
  readonly refunds: readonly RefundEntry[];
  readonly validations: readonly Entry[];
  readonly calls: Readonly<Record<string, number>>;
  readonly postbacks: PostbackCounts;
  readonly totals: {
    readonly charged: string;
    readonly refunded: string;
    readonly charged_back: string;
    readonly paid_out: string;
    /** Part of `paid_out` that came back: payouts that are `error` after `done`. */
    readonly returned: string;
  };
};

export type LedgerSources = {
  readonly orders: Orders;
  readonly payouts: Payouts;
  readonly validations: Validations;
  readonly calls: ReadonlyMap<EndpointName, number>;
  readonly postbacks: { readonly counts: PostbackCounts };
};

/** The ledger as of now; with a partner_code only its records, while calls and totals stay those of all. */
export function readLedger(sources: LedgerSources, partnerCode?: string): Ledger {
  const orders = sources.orders.all();
  const payouts = sources.payouts.all();
  const wanted = <T extends Tracked>(records: readonly T[]) =>
    partnerCode === undefined ? records : records.filter((record) => record.partnerCode === partnerCode);
  return {
    orders: wanted(orders).map((order) => orderEntry(order, sources.orders)),
    payouts: wanted(payouts).map((payout) => payoutEntry(payout, sources.payouts)),
    refunds: wanted(orders).flatMap(refundEntries),
    validations: wanted(sources.validations.all()).map((validation) =>
      entry(validation, sources.validations),
    ),
    calls: Object.fromEntries(sources.calls),
    postbacks: { ...sources.postbacks.counts },
    totals: {
      charged: total(orders, timesCharged),
      refunded: total(orders, refundsDone),
      charged_back: total(orders, ({ status }) => (status === 'chargeback' ? 1 : 0)),
      paid_out: total(payouts, (payout) => (firstTime(payout, 'done') === null ? 0 : 1)),
      returned: total(payouts, (payout) =>
        payout.status === 'error' && firstTime(payout, 'done') !== null ? 1 : 0,
      ),
    },
  };
}

function total<T extends { readonly centavos: number }>(
  records: readonly T[],
  times: (record: T) => number,
): string {
  return decimalText(records.reduce((sum, record) => sum + record.centavos * times(record), 0));
}

function paidAt(order: Order): string | null {
  return firstTime(order, 'paid', 'compensated', 'refunded', 'chargeback');
}

/** One, too, for an order that a control call has made paid. */
function timesCharged(order: Order): number {
  return Math.max(order.timesCharged, paidAt(order) === null ? 0 : 1);
}

function refundEntries(order: Order): RefundEntry[] {
  return order.refunds.map(({ requestedAt }) => ({
    order_id: order.id,
    partner_code: order.partnerCode,
    value: decimalText(order.centavos),
    requested_at: requestedAt,
    refunded_at:
      order.history.find(({ status, at }) => status === 'refunded' && at >= requestedAt)?.at ?? null,
  }));
}

/** Refunds requested and done; one, too, when the order was refunded without a request (a control call). */
function refundsDone(order: Order): number {
  const done = refundEntries(order).filter(({ refunded_at }) => refunded_at !== null).length;
  return Math.max(done, firstTime(order, 'refunded') === null ? 0 : 1);
}

function entry<T extends Tracked>(record: T, records: Records<T>): Entry {
  return {
    id: record.id,
    partner_code: record.partnerCode,
    status: record.status,
    times_created: records.timesCreated(record.partnerCode),
    created_at: record.createdAt,
    history: [...record.history],
  };
}

function orderEntry(order: Order, records: Orders): OrderEntry {
  return {
    ...entry(order, records),
    kind: order.kind,
    value: decimalText(order.centavos),
    paid_at: paidAt(order),
    times_submitted: order.timesSubmitted,
    times_charged: timesCharged(order),
    refunds_requested: order.refunds.length,
    refunds_done: refundsDone(order),
  };
}

function payoutEntry(payout: Payout, records: Payouts): PayoutEntry {
  return {
    ...entry(payout, records),
    method: payout.method,
    value: decimalText(payout.centavos),
    paid_at: firstTime(payout, 'done'),
  };
}
