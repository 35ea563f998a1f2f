import { payoutOf } from './ledger-checks.mjs';

/** What the service has to hold of a payment of each lifecycle at its end, and holds otherwise. */
const ends = {
  payout: ({ payouts }, code) => {
    const done = payouts.filter((each) => payoutOf(each.partner_code) === code && each.status === 'done');
    return done.length === 1 ? [] : [`${code} is paid ${String(done.length)} times`];
  },
  card_order: orderPaid,
  hosted_checkout: orderPaid,
  three_d_secure_order: orderPaid,
  refund: ({ orders }, code, end) => {
    const [order] = orders.filter(({ partner_code: sent }) => sent === code);
    const wanted = end === 'refunded' ? 1 : 0;
    const done = order?.refunds_done;
    return done === wanted ? [] : [`${code} is refunded ${String(done)} times, not ${String(wanted)}`];
  },
  account_validation: ({ validations }, code) => {
    const made = validations.filter(({ partner_code: sent }) => sent === code);
    return made.length === 1 && made[0].status === 'valid' ? [] : [`${code} is not validated once`];
  },
};

function orderPaid({ orders }, code) {
  const [order] = orders.filter(({ partner_code: sent }) => sent === code);
  const isSo = order?.status === 'compensated' && order.times_charged === 1 && order.refunds_done === 0;
  return isSo ? [] : [`${code} is not charged and settled once: ${JSON.stringify(order)}`];
}

/** What the service's ledger does not hold of payments as their own states have it, in words. */
export function ledgerFaults(ledger, payments) {
  return payments.flatMap(({ code, stage: { end, lifecycle } }) => ends[lifecycle](ledger, code, end));
}
