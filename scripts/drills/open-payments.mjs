import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPaymentsClient } from '../../dist/src/client.js';
import { card, cardOrder, order, pixPayout } from './requests.mjs';

const longestMs = 180_000;
const reason = 'drill';
const paths = {
  payout: (code) => `/v1/payouts/${code}`,
  order: (code) => `/v1/orders/${code}`,
  refund: (code) => `/v1/orders/${code}/refund`,
};

/**
 * The stages in which a payment can be open: how one gets there, and how it then comes to its end. The sandbox moves
 * nothing by itself.
 *
 * @typedef {object} Stage
 * @property {string} name
 * @property {'payout' | 'order' | 'refund'} kind
 * @property {(drill: Drill, code: string) => Promise<void>} open
 * @property {string} status in which it is open
 * @property {(drill: Drill, code: string) => Promise<void>} [finish] undefined when nothing is left to happen
 * @property {string} end status at its end
 */

/** @type {Stage[]} */
export const stages = [
  {
    ...{ kind: 'payout', name: 'moving', status: 'claimed', end: 'done' },
    open: (drill, code) => drill.post('/v1/payouts/pix', pixPayout(code)),
    finish: (drill, code) => drill.set('payouts', code, 'done'),
  },
  {
    ...{ kind: 'payout', name: 'failed', status: 'error', end: 'done' },
    open: async (drill, code) => {
      await drill.post('/v1/payouts/pix', pixPayout(code));
      await drill.set('payouts', code, 'error');
    },
    finish: retried,
  },
  {
    ...{ kind: 'payout', name: 'paid', status: 'done', end: 'done' },
    open: async (drill, code) => {
      await drill.post('/v1/payouts/pix', pixPayout(code));
      await drill.set('payouts', code, 'done');
    },
  },
  {
    ...{ kind: 'payout', name: 'refused', status: 'rejected', end: 'done' },
    open: (drill, code) => drill.post('/v1/payouts/pix', pixPayout(code, { tags: ['422'] })),
    finish: retried,
  },
  {
    ...{ kind: 'payout', name: 'unknown', status: 'submission_unknown', end: 'done' },
    open: async (drill, code) => {
      drill.failOnce('POST /v1/payout/pix', code, 'none');
      await drill.post('/v1/payouts/pix', pixPayout(code));
    },
    finish: async (drill, code) => {
      await drill.post(`/v1/payouts/${code}/resolve`, { nothing_happened: true, reason });
      await retried(drill, code);
    },
  },
  {
    ...{ kind: 'order', name: 'paid', status: 'paid', end: 'compensated' },
    open: async (drill, code) => {
      await drill.post('/v1/orders/card', cardOrder(code));
      await drill.set('orders', code, 'paid');
    },
    finish: settled,
  },
  {
    ...{ kind: 'order', name: 'settled', status: 'compensated', end: 'compensated' },
    open: settledOrder,
  },
  {
    ...{ kind: 'order', name: 'unknown', status: 'submission_unknown', end: 'compensated' },
    open: async (drill, code) => {
      drill.failOnce('POST /v1/order', code, 'done');
      await drill.post('/v1/orders/card', cardOrder(code));
    },
    finish: async (drill, code) => {
      await drill.post(`/v1/orders/${code}/resolve`, { service_id: drill.orderOf(code).id, reason });
      await settled(drill, code);
    },
  },
  {
    ...{ kind: 'order', name: 'at its checkout', status: 'waiting_payment', end: 'compensated' },
    open: (drill, code) => drill.post('/v1/orders/checkout', checkoutOf(code)),
    finish: settled,
  },
  {
    ...{ kind: 'order', name: 'without a card', status: 'awaiting_card', end: 'compensated' },
    // Of a gateway that is gone.
    open: (drill, code) =>
      drill.patient.startCardOrder({
        ...order(code),
        card: { card_ref: randomUUID(), task_queue: `card-store-${randomUUID()}` },
      }),
    finish: async (drill, code) => {
      await drill.post(`/v1/orders/${code}/card`, { credit_card: card });
      await settled(drill, code);
    },
  },
  {
    ...{ kind: 'order', name: 'to be authenticated', status: 'awaiting_authentication', end: 'compensated' },
    open: (drill, code) => drill.patient.startThreeDSecureOrder(order(code)),
    finish: async (drill, code) => {
      const authenticated = { callback: 'authenticated', eci: '05', credit_card: card };
      await drill.post(`/v1/orders/${code}/3ds-completion`, authenticated);
      await drill.reaches('order', code, 'waiting_payment', 'paid');
      await settled(drill, code);
    },
  },
  {
    ...{ kind: 'refund', name: 'moving', status: 'refund_processing', end: 'refunded' },
    open: async (drill, code) => {
      await settledOrder(drill, code);
      await drill.post(`/v1/orders/${code}/refund`, { reason });
    },
    finish: refunded,
  },
  {
    ...{ kind: 'refund', name: 'unknown', status: 'unconfirmed', end: 'refunded' },
    open: unknownRefund,
    finish: async (drill, code) => {
      await drill.post(`/v1/orders/${code}/refund/retry`, { nothing_queued: true, reason });
      await refunded(drill, code);
    },
  },
  {
    ...{ kind: 'refund', name: 'resolved', status: 'resolved', end: 'resolved' },
    open: async (drill, code) => {
      await unknownRefund(drill, code);
      await drill.post(`/v1/orders/${code}/refund/resolve`, { outcome: 'not_refunded', reason });
    },
  },
];

async function retried(drill, code) {
  const corrections = { pix: 'right@example.com' };
  await drill.post(`/v1/payouts/${code}/retry`, { reason, corrections });
  await drill.set('payouts', `${code}-r2`, 'done');
}

async function settledOrder(drill, code) {
  await drill.post('/v1/orders/card', cardOrder(code));
  await settled(drill, code);
}

async function settled(drill, code) {
  await drill.set('orders', code, 'compensated');
  await drill.reaches('order', code, 'compensated');
}

async function unknownRefund(drill, code) {
  await settledOrder(drill, code);
  drill.failOnce('PUT /v1/order/{id}/refund', code, 'none');
  await drill.post(`/v1/orders/${code}/refund`, { reason });
  await drill.reaches('refund', code, 'unconfirmed');
}

async function refunded(drill, code) {
  await drill.fleet.sandbox.until(({ orders }) =>
    orders.some((each) => each.partner_code === code && each.refunds_requested > 0),
  );
  await drill.set('orders', code, 'refunded');
}

function checkoutOf(code) {
  const body = order(code);
  return { ...body, order: { ...body.order, redirect_url: 'https://shop.example.com/thanks' } };
}

/** What moves payments from stage to stage: a fleet whose sandbox is moved by hand. */
export class Drill {
  constructor(fleet) {
    this.fleet = fleet;
    /** Starts those for which a person has a time, in which they stay open. */
    this.patient = createPaymentsClient({ client: fleet.client, taskQueue: 'payments' });
  }

  async post(path, body) {
    const { status, text } = await this.fleet.http('POST', path, body);
    if (status >= 400) throw new Error(`${path}: ${text}`);
  }

  /** The next call for it fails, with or without its effect. */
  failOnce(endpoint, code, effect) {
    this.fleet.sandbox.fault({ endpoint, partner_code: code, fault: { effect, status: 503, body: '' } });
  }

  orderOf(code) {
    const [found] = this.fleet.sandbox.ledger(code).orders;
    if (found === undefined) throw new Error(`The service has no order ${code}`);
    return found;
  }

  /** Sets the status at the service, once it has it. */
  async set(records, code, status) {
    const { sandbox } = this.fleet;
    await sandbox.until((ledger) => ledger[records].some(({ partner_code: sent }) => sent === code));
    if (records === 'payouts') sandbox.setPayoutStatus(code, status);
    else sandbox.setOrderStatus(code, status);
  }

  /** Its state once it is so. */
  async reaches(kind, code, ...statuses) {
    const deadline = Date.now() + longestMs;
    for (;;) {
      const { body, text } = await this.fleet.http('GET', paths[kind](code));
      if (statuses.includes(body?.status)) return body;
      if (Date.now() > deadline) throw new Error(`${kind} ${code} is not ${statuses.join()}: ${text}`);
      await sleep(200);
    }
  }

  /** Opens one in that stage. Answers the ids of the workflows that are open because of it, its own first. */
  async open({ kind, open, status }, code) {
    await open(this, code);
    const { workflow_id: own } = await this.reaches(kind, code, status);
    return { code, workflows: kind === 'refund' ? [own, `order-${code}`] : [own] };
  }

  async finish({ end, finish, kind }, code) {
    await finish?.(this, code);
    await this.reaches(kind, code, end);
  }
}
