import type { Ids } from './ids.js';
import { unsorted, type ListForm } from './list-form.js';
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
  /** How the list is given out. */
  listForm: ListForm = {};
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

  /** A second record under the code of a payout: its own identifier, its own status. */
  twin(payout: Payout, status: string): void {
    const createdAt = this.#lives.stamp();
    const id = this.#ids.next();
    this.add({ ...payout, id, createdAt, status, history: [{ status, at: createdAt }], listed: true });
  }

  override clear(): void {
    super.clear();
    this.listForm = {};
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
    const { order, endless, times, total_pages: count, per_page: most = Infinity } = this.listForm;
    const newestFirst = timed.map(({ payout }) => payout);
    const records =
      order === undefined
        ? newestFirst
        : order === 'unsorted'
          ? unsorted(newestFirst)
          : newestFirst.reverse();
    const perPage = Math.min(query.per_page, most);
    const pages = Math.ceil(records.length / perPage);
    const start = ((endless === true ? Math.min(query.page, pages) : query.page) - 1) * perPage;
    return {
      payouts: records.slice(start, start + perPage).map((payout) => listed(payout, times)),
      ...(count !== 'absent' && { total_pages: count === 'zero' ? 0 : pages }),
      current_page: query.page,
      per_page: perPage,
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
function listed(payout: Payout, times: ListForm['times']) {
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
    claimed_at: claimedAt(payout, times),
    paid_at: firstTime(payout, 'done'),
    provider: 'sandbox',
  };
}

function claimedAt({ createdAt }: Payout, times: ListForm['times']): string | null {
  if (times === undefined) return createdAt;
  if (times === 'absent') return null;
  if (times === 'equal') return '2026-01-02T03:04:05.000Z';
  return new Date(Date.parse(createdAt) + times * 3_600_000).toISOString();
}
