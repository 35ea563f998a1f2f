import { setTimeout as sleep } from 'node:timers/promises';
import { payoutOf } from './ledger-checks.mjs';

const finalStatuses = {
  payout: ['done'],
  order: ['compensated', 'refunded', 'rejected'],
  refund: ['refunded', 'resolved'],
};

/** Waits until all payments have come to their end; answers those that have not in time. */
export async function untilSettled(oms, longestMs) {
  const deadline = Date.now() + longestMs;
  for (;;) {
    const open = [...oms.payments.values()].filter(({ isSettled }) => isSettled !== true);
    for (const payment of open) await settle(oms, payment);
    const left = open.filter(({ isSettled }) => isSettled !== true);
    if (left.length === 0 || Date.now() > deadline) return left;
    await sleep(1_000);
  }
}

async function settle(oms, payment) {
  const answer = await oms.ask('GET', payment.path);
  payment.lastRead = answer?.text;
  if (answer === undefined || ![200, 404].includes(answer.status)) return;
  payment.state = answer.body;
  payment.isUnknown = answer.status === 404;
  payment.isSettled =
    payment.isUnknown || isOver(answer.body) || finalStatuses[payment.kind].includes(answer.body.status);
  if (payment.isUnknown && payment.kind === 'refund') {
    // It is shown beside its order only, and refused as long as that has not settled here.
    const { orders } = await oms.fleet.sandbox.ledger(payment.code);
    payment.isSettled = orders[0]?.refunds_done > 0;
    if (!payment.isSettled) await oms.repeat(payment);
  }
}

/** A payout without a watch that was refused, or that came to nothing, is closed at once. */
const isOver = ({ closed, kind, status }) => kind === 'payout' && closed === true && status === 'rejected';

/** How the end of each payment differs from what the ledger shows, in words. */
export async function differences(oms) {
  const { orders, payouts } = await oms.fleet.sandbox.ledger();
  const orderOf = new Map(orders.map((order) => [order.partner_code, order]));
  const paid = new Set(
    payouts.filter(({ status }) => status === 'done').map(({ partner_code: attempt }) => payoutOf(attempt)),
  );
  return [...oms.payments.values()].flatMap(({ code, isUnknown, kind, state }) => {
    if (kind === 'order') return [];
    if (isUnknown) return [`${kind} ${code} is known to nobody`];
    if (kind === 'payout') {
      const wasPaid = paid.has(code);
      if (wasPaid !== isOver(state)) return [];
      return [`payout ${code} is ${state.status}, and was ${wasPaid ? '' : 'not '}paid`];
    }
    return orderOf.get(code)?.refunds_done === 1
      ? []
      : [`refund ${code} is ${state.status}, and was not done`];
  });
}

/**
 * Orders that the service has and that no workflow follows: unknown here since the restore, or believed to be unsent.
 * Nothing lists them; only a comparison with the service shows them.
 */
export function unfollowedOrders(oms) {
  return [...oms.payments.values()].filter(({ code, isUnknown, kind, state }) => {
    if (kind !== 'order') return false;
    const [atTheService] = oms.fleet.sandbox.ledger(code).orders;
    return atTheService !== undefined && (isUnknown || state?.status === 'rejected');
  });
}
