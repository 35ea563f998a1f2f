import type { Ids } from './ids.js';
import type { Lives } from './lives.js';
import { centavosOf } from './money.js';
import type { Plan } from './plan.js';
import type { Life } from './scenario.js';
import { ServiceError } from './service-error.js';
import { Records, type Tracked } from './tracked.js';
import type { OrderFields } from './wire.js';

export type OrderKind = 'card' | 'checkout' | '3ds';

export type Order = Tracked & {
  readonly type: 'order';
  readonly kind: OrderKind;
  readonly centavos: number;
  readonly redirectUrl: string | null;
  /** How often a card was sent for it: 1 for a card order, else once per completion or payment at the checkout. */
  timesSubmitted: number;
  /** How often that took money. */
  timesCharged: number;
  readonly refunds: { readonly requestedAt: string }[];
};

const refundable = ['paid', 'compensated', 'refunded'];

/** Orders, their lives and refunds. Nothing of a card ever gets here. */
export class Orders extends Records<Order> {
  readonly #ids: Ids;
  readonly #lives: Lives;

  constructor(changed: () => void, ids: Ids, lives: Lives) {
    super(changed);
    this.#ids = ids;
    this.#lives = lives;
  }

  create(kind: OrderKind, fields: OrderFields, plan: Plan, redirectUrl: string | null = null): Order {
    const createdAt = this.#lives.stamp();
    const status = kind === 'card' ? plan.order.first : 'waiting_payment';
    const order: Order = {
      type: 'order',
      kind,
      id: this.#ids.next(),
      partnerCode: fields.partner_code,
      notificationUrl: fields.notification_url,
      redirectUrl,
      centavos: centavosOf(fields.value) ?? 0,
      createdAt,
      plan,
      status,
      history: [{ status, at: createdAt }],
      timesSubmitted: 0,
      timesCharged: 0,
      refunds: [],
    };
    this.add(order);
    if (kind === 'card') this.submit(order);
    if (kind === 'checkout' && plan.paysByItself) this.submit(order);
    return order;
  }

  /** A card reaches the order. Each time is a charge of its own: nothing is deduplicated. */
  submit(order: Order, { first, then }: Life = order.plan.order): void {
    order.timesSubmitted += 1;
    charge(order, first);
    if (order.kind !== 'card' && first !== 'waiting_payment') this.#lives.set(order, first);
    this.#goOn(order, then);
    this.changed();
  }

  /** Takes in an order of a previous run, with what is still to become of it. */
  restore(order: Order, steps: Life['then']): void {
    this.add(order);
    this.#goOn(order, steps);
    const { afterMs, status } = order.plan.refund;
    const pending = order.refunds.filter(
      ({ requestedAt }) =>
        !order.history.some((change) => change.status === status && change.at >= requestedAt),
    );
    if (status !== undefined) for (const _ of pending) this.#lives.later(order, afterMs, status);
  }

  /** Queues a refund. Each call is a refund of its own, even of an order refunded before. */
  refund(order: Order): void {
    if (!refundable.includes(order.status)) {
      throw new ServiceError(422, 'not_refundable', `An order that is ${order.status} cannot be refunded.`);
    }
    order.refunds.push({ requestedAt: this.#lives.stamp() });
    const { afterMs, status } = order.plan.refund;
    if (status !== undefined) this.#lives.later(order, afterMs, status);
    this.changed();
  }

  #goOn(order: Order, steps: Life['then']): void {
    this.#lives.follow(order, steps, (status) => charge(order, status));
  }

  /** What GET shows: no refund under way, unless a scenario has it. */
  visibleStatus(order: Order): string {
    const requested = order.refunds.at(-1);
    const over = ['refunded', 'refund_failed'].includes(order.status);
    return requested !== undefined && order.plan.refund.visible && !over ? 'refund_processing' : order.status;
  }
}

function charge(order: Order, status: string): void {
  if (status === 'paid') order.timesCharged += 1;
}
