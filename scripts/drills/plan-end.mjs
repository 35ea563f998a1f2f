import { paidTwice } from './ledger-checks.mjs';

const ends = {
  payout: ['done', 'error'],
  order: ['compensated', 'denied', 'error', 'chargeback', 'refunded'],
};
const ownEnds = ['rejected', 'cancelled', 'expired', 'abandoned', 'refunded', 'resolved', 'answered'];
const unpaid = ['waiting_payment', 'denied', 'error'];

const endsOf = (kind) => (kind === 'payout' ? ends.payout : ends.order);

/** The status that ends what the service has under way; undefined when nothing is. */
export function endOf(kind, { refunds_requested: refunds, status }) {
  if (kind === 'refund') {
    const isOver = ['refunded', 'refund_failed', 'chargeback'].includes(status);
    // The service may show a refund that nobody asked for.
    const isUnderWay = refunds > 0 || status === 'refund_processing';
    return isUnderWay && !isOver ? 'refunded' : undefined;
  }
  if (endsOf(kind).includes(status)) return undefined;
  if (kind === 'payout') return 'done';
  return status === 'paid' ? 'compensated' : 'denied';
}

/** Whether the service is done with it, as far as the state shows. */
export function isFinal(kind, { closed, status }) {
  return closed || ownEnds.includes(status) || endsOf(kind).includes(status);
}

/** As in the simulation's invariants: of an order that is not known by its identifier the service shows nothing. */
export function isAsAtTheService(kind, { attempts = [], service_id: id, status }, record) {
  if (kind === 'refund') return record.status !== 'refunded' || ['refunded', 'resolved'].includes(status);
  if (kind !== 'payout')
    return id !== record.id || unpaid.includes(record.status) || status === record.status;
  const attempt = attempts.find(({ partner_code: code }) => code === record.partner_code);
  return attempt?.status === record.status;
}

/**
 * Whether nothing has to be waited for any more: it is final as the service has it, needs an operator, or was seen by
 * one as it is.
 */
export function isSettled(kind, state, record) {
  if (state.attention !== null || isAcknowledged(state)) return true;
  if (!isFinal(kind, state)) return false;
  return record === undefined || isAsAtTheService(kind, state, record) || hasMovedSince(state, record);
}

/** Its last read may have come so shortly before it closed. */
const raceMs = 5_000;

/** Whether the service has changed it after it was closed, at the end of its watch. */
function hasMovedSince({ closed, updated_at: closedAt }, { history }) {
  return closed && Date.parse(history.at(-1)?.at) > Date.parse(closedAt) - raceMs;
}

/** What was refused since, or asked for in vain, has changed nothing. */
const changedNothing = /^(Refused \(|A cancel request came and changes nothing)/;

function isAcknowledged({ timeline = [] }) {
  const last = timeline.findLast(({ what }) => !changedNothing.test(what));
  return last?.what.startsWith('Acknowledged: ') ?? false;
}

/** What is wrong with the end of a payment, by the ledger and by its last state, if one is owed, in words. */
export function violationsOf({ kind, records, retriesTaken, state }) {
  return [
    ...twice(kind, records, 1 + retriesTaken),
    ...(state === undefined ? [] : untrue(kind, records, state)),
  ];
}

/** The record of a payment that was made last. */
export const latestOf = ({ orders, payouts }) => [...orders, ...payouts].at(-1);

function twice(kind, records, allowed) {
  if (kind === 'refund') {
    const requested = records.orders[0]?.refunds_requested ?? 0;
    return requested > allowed ? [`refunded ${String(requested)} times`] : [];
  }
  const attempts = records.payouts.length;
  const tooMany = attempts > allowed ? [`${String(attempts)} attempts, ${String(allowed)} commanded`] : [];
  return [...paidTwice(records), ...tooMany];
}

/** An acknowledged payment is final, as the service shows it, or needs an operator. */
function untrue(kind, records, state) {
  const record = latestOf(records);
  if (isSettled(kind, state, record)) return [];
  if (!isFinal(kind, state)) return [`neither final nor in need of an operator: ${String(state.status)}`];
  return [`is ${String(state.status)} here, and ${record.status} at the service`];
}
