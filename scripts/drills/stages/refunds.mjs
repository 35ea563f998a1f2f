import { settledOrder } from './orders.mjs';
import { statusIs, waitsToBeSent } from './shown.mjs';

const reason = 'drill';
const endpoint = 'PUT /v1/order/{id}/refund';
const misfit = 'inconsistent_answer';
const begun = { lifecycle: 'refund', end: 'refunded' };

async function requested(mover, code) {
  await settledOrder(mover, code);
  await mover.post(`/v1/orders/${code}/refund`, { reason });
}

async function unconfirmed(mover, code) {
  mover.failOnce(endpoint, code, 'none');
  await requested(mover, code);
  await mover.reaches('refund', code, 'unconfirmed');
}

async function refunded(mover, code) {
  await mover.sandbox.until(({ orders }) =>
    orders.some((each) => each.partner_code === code && each.refunds_requested > 0),
  );
  await mover.set('orders', code, 'refunded');
}

export const refundStages = [
  {
    ...{ ...begun, stage: 'request' },
    open: async (mover, code) => {
      await settledOrder(mover, code);
      mover.holdBack(endpoint, code);
      await mover.payments.startRefund({ partner_code: code, service_id: mover.idOf('orders', code) });
    },
    shows: waitsToBeSent,
    finish: refunded,
  },
  {
    ...{ ...begun, stage: 'confirm' },
    open: requested,
    shows: statusIs('refund_processing'),
    finish: refunded,
  },
  {
    ...{ ...begun, stage: 'decide' },
    open: unconfirmed,
    shows: statusIs('unconfirmed'),
    finish: async (mover, code) => {
      await mover.post(`/v1/orders/${code}/refund/retry`, { nothing_queued: true, reason });
      await refunded(mover, code);
    },
  },
  {
    ...{ ...begun, stage: 'watch', end: 'resolved' },
    open: async (mover, code) => {
      await unconfirmed(mover, code);
      await mover.post(`/v1/orders/${code}/refund/resolve`, { outcome: 'not_refunded', reason });
    },
    shows: statusIs('resolved'),
  },
  {
    ...{ ...begun, stage: 'acknowledge' },
    open: async (mover, code) => {
      mover.answerOnce(endpoint, code, { id: '9'.repeat(12) });
      await requested(mover, code);
      await refunded(mover, code);
    },
    shows: ({ attention, closed, status }) => status === 'refunded' && attention === misfit && !closed,
    finish: async (mover, code) => {
      await mover.post(`/v1/orders/${code}/refund/acknowledge`, { attention: misfit, reason });
      await mover.until('refund', code, ({ closed }) => closed);
    },
  },
];
