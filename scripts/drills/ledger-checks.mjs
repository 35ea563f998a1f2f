/** Reads and the send itself take so long: a change at the service within it could be seen by nobody. */
const raceMs = 60_000;

/** The payout that an attempt belongs to. */
export const payoutOf = (attemptCode) => attemptCode.replace(/-r\d+$/, '');

/** Everything in the sandbox's ledger that moved money twice, in words; empty when nothing did. */
export function paidTwice({ orders, payouts }) {
  const sameCode = [...orders, ...payouts].filter(({ times_created: times }) => times > 1);
  const charged = orders.filter((order) => order.times_charged > 1 || order.times_submitted > 1);
  const refunded = orders.filter((order) => order.refunds_done > 1 || order.refunds_requested > 1);
  return [
    ...sameCode.map(
      ({ partner_code: code, times_created: times }) => `${code} was made ${String(times)} times`,
    ),
    ...charged.map(({ partner_code: code }) => `${code} was charged twice`),
    ...refunded.map(({ partner_code: code }) => `${code} was refunded twice`),
    ...byPayout(payouts).flatMap(attemptsTooMany),
  ];
}

function byPayout(payouts) {
  const groups = new Map();
  for (const record of payouts) {
    const code = payoutOf(record.partner_code);
    groups.set(code, [...(groups.get(code) ?? []), record]);
  }
  return [...groups.values()];
}

/** A further attempt may be there only when each one before it had failed, as far as that could be seen. */
function attemptsTooMany(attempts) {
  const inOrder = attempts.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  return inOrder.flatMap((later, index) =>
    inOrder
      .slice(0, index)
      .filter((earlier) => !hadFailed(earlier, Date.parse(later.created_at)))
      .map((earlier) => `${later.partner_code} was sent while ${earlier.partner_code} had not failed`),
  );
}

function hadFailed({ history }, atMs) {
  const changes = history.filter(({ at }) => Date.parse(at) <= atMs);
  const before = changes.findLast(({ at }) => Date.parse(at) <= atMs - raceMs);
  const meanwhile = changes.filter(({ at }) => Date.parse(at) > atMs - raceMs);
  return [before, ...meanwhile].some((change) => change?.status === 'error');
}
