import type { Ids } from './ids.js';
import type { Lives } from './lives.js';
import { centavosOf, wireNumber } from './money.js';
import type { Plan } from './plan.js';
import type { Life } from './scenario.js';
import { listedLateMs } from './scenarios.js';
import type { Clock } from './clock.js';
import { firstTime, Records, updatedAt, type Tracked } from './tracked.js';
import type { PayoutFields, PayoutListQuery } from './wire.js';

export type PayoutMethod = 'pix' | 'transfer';

export type Payout = Tracked & {
  readonly type: 'payout';
  readonly method: PayoutMethod;
  readonly centavos: number;
  readonly kind: string;
  readonly feePayer: string;
  listed: boolean;
};

const feeCentavos = 50;

/** Payouts, their lives and the list of `GET /v1/payouts`. */
export class Payouts extends Records<Payout> {
  readonly #ids: Ids;
  readonly #lives: Lives;
  readonly #clock: Clock;

  constructor(changed: () => void, ids: Ids, lives: Lives, clock: Clock) {
    super(changed);
    this.#ids = ids;
    this.#lives = lives;
    this.#clock = clock;
  }

  create(method: PayoutMethod, fields: PayoutFields, plan: Plan): Payout {
    const createdAt = this.#lives.stamp();
    const status = plan.payout.first;
    const payout: Payout = {
      type: 'payout',
      method,
      id: this.#ids.next(),
      partnerCode: fields.partner_code,
      notificationUrl: fields.notification_url,
      centavos: centavosOf(fields.value) ?? 0,
      kind: fields.kind,
      feePayer: fields.fee_payer,
      createdAt,
      plan,
      status,
      history: [{ status, at: createdAt }],
      listed: plan.listing === 'at once',
    };
    this.add(payout);
    this.#lives.follow(payout, plan.payout.then);
    if (plan.listing === 'late') this.#clock.after(listedLateMs, () => (payout.listed = true));
    return payout;
  }

  /** Takes in a payout of a previous run, with what is still to become of it. */
  restore(payout: Payout, steps: Life['then']): void {
    this.add(payout);
    this.#lives.follow(payout, steps);
    if (payout.plan.listing === 'late') payout.listed = true;
  }

  /** `GET /v1/payouts`. `from` and `to` bound the time that the list is sorted by. */
  page(query: PayoutListQuery) {
    const from = query.from === undefined ? -Infinity : Date.parse(query.from);
    const to = query.to === undefined ? Infinity : Date.parse(query.to);
    const timed = this.all()
      .filter((payout) => payout.listed && query.payout_method === undefined)
      .filter(({ status }) => query.status === undefined || status === query.status)
      .filter(({ method }) => query.payment_type === undefined || method === query.payment_type)
      .map((payout) => ({ payout, timeMs: Date.parse(timeBy(payout, query.sort) ?? '') }))
      .filter(({ timeMs }) => (query.from ?? query.to) === undefined || (timeMs >= from && timeMs <= to));
    const sign = query.direction === 'asc' ? 1 : -1;
    timed.sort(
      (a, b) => sign * ((a.timeMs || 0) - (b.timeMs || 0) || Number(a.payout.id) - Number(b.payout.id)),
    );
    const start = (query.page - 1) * query.per_page;
    return {
      payouts: timed.slice(start, start + query.per_page).map(({ payout }) => listed(payout)),
      total_pages: Math.ceil(timed.length / query.per_page),
      current_page: query.page,
      per_page: query.per_page,
    };
  }
}

function timeBy(payout: Payout, sort: PayoutListQuery['sort']): string | null {
  switch (sort) {
    case 'created_at':
      return payout.createdAt;
    case 'updated_at':
      return updatedAt(payout);
    case 'paid_at':
      return firstTime(payout, 'done');
  }
}

/** The record of the list: here the id is an integer. */
function listed(payout: Payout) {
  const fee = Math.min(feeCentavos, payout.centavos);
  return {
    id: Number(payout.id),
    partner_code: payout.partnerCode,
    value: wireNumber(payout.centavos),
    fee: wireNumber(fee),
    tax: 0,
    payment_type: payout.method,
    kind: payout.kind,
    total: wireNumber(payout.feePayer === 'merchant' ? payout.centavos + fee : payout.centavos - fee),
    status: payout.status,
    fee_payer: payout.feePayer,
    claimed_at: payout.createdAt,
    paid_at: firstTime(payout, 'done'),
    provider: 'sandbox',
  };
}
