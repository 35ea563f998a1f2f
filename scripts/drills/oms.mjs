import { setTimeout as sleep } from 'node:timers/promises';
import { cardOrder, pixPayout } from './requests.mjs';

/** An order-management service: knows what it has asked for, and what was answered. */
export class Oms {
  /** By path: a payment, or the refund of one. */
  payments = new Map();
  #count = 0;

  constructor(fleet, random) {
    this.fleet = fleet;
    this.random = random;
  }

  /** Starts a payout or an order of its own choice; resolves when it is answered, or is not. */
  startSome() {
    this.#count += 1;
    const watch = this.random.oneIn(2) ? { watch_days: 0 } : {};
    if (this.random.oneIn(3)) {
      const code = `order-${String(this.#count)}`;
      return this.start('order', `/v1/orders/${code}`, '/v1/orders/card', cardOrder(code, watch));
    }
    const tags = this.random.oneIn(4) ? ['error-once'] : [];
    const code = `payout-${String(this.#count)}x`;
    return this.start(
      'payout',
      `/v1/payouts/${code}`,
      '/v1/payouts/pix',
      pixPayout(code, { tags, ...watch }),
    );
  }

  /** Refunds an order that has settled, if there is one that it has not refunded yet. */
  async refundSome() {
    const { orders } = await this.fleet.sandbox.ledger();
    const settled = orders.filter(({ status }) => status === 'compensated');
    const refundOf = ({ partner_code: code }) => `/v1/orders/${code}/refund`;
    const wanted = settled.find((order) => !this.payments.has(refundOf(order)) && this.random.oneIn(2));
    if (wanted === undefined) return;
    const body = { service_id: wanted.id, reason: 'sent back' };
    await this.start('refund', refundOf(wanted), refundOf(wanted), body);
  }

  /** Shows that gateway and worker are at work. */
  async untilOnePaid() {
    this.#count += 1;
    const code = `first-${String(this.#count)}x`;
    const path = `/v1/payouts/${code}`;
    await this.start('payout', path, '/v1/payouts/pix', pixPayout(code, { watch_days: 0 }));
    for (;;) {
      const answer = await this.ask('GET', path);
      if (answer?.body?.status === 'done') return;
      if (answer?.status === 404) await this.repeat(this.payments.get(path));
      await sleep(100);
    }
  }

  async start(kind, path, startPath, body) {
    const code = path.split('/')[3];
    const payment = { kind, code, path, startPath, body, answeredAt: undefined };
    this.payments.set(path, payment);
    await this.repeat(payment);
  }

  /** The same request again. */
  async repeat(payment) {
    const answer = await this.ask('POST', payment.startPath, payment.body);
    if ([200, 201, 202].includes(answer?.status)) payment.answeredAt ??= Date.now();
    payment.answer = answer?.text;
    return answer;
  }

  /** Undefined when nobody answers. */
  ask(method, path, body) {
    return this.fleet.http(method, path, body).catch(() => undefined);
  }
}
