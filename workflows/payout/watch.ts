import { dayMs } from '../../src/domain/cadence.js';
import { isSettled } from '../../src/domain/payout-attempts.js';
import type { Payment } from '../shared/payment.js';
import type { Attempts } from './attempts.js';

/** What of a payout decides how long it is watched. */
type Watched = Pick<Payment, 'reads' | 'record' | 'scaled' | 'start'> & { readonly attempts: Attempts };

/** The end of the watch; never while an operator is needed. */
export function watchEndsAt(payment: Watched): number {
  if (payment.record.attention !== null) return Infinity;
  return payment.record.data.changedAt + payment.scaled(payment.start.watchDays * dayMs);
}

/** When the read at the end of the watch is due; one that did not work is made again by the schedule. */
export function lastReadDueAt(payment: Watched): number {
  const ends = watchEndsAt(payment);
  return closesUnread(payment) ? ends : payment.reads.onceDueAt(ends);
}

/** When the read that has to confirm a refusal is due; one that did not work is made again by the schedule. */
export function refusalReadDueAt(payment: Watched): number {
  return endsRefused(payment) ? payment.reads.onceDueAt(payment.record.data.changedAt) : Infinity;
}

/** Without a watch, whoever waits for the result gets a refusal as soon as a read was made. */
export function endsRefused({ attempts, record, start }: Watched): boolean {
  return start.watchDays === 0 && record.status === 'rejected' && isSettled(attempts.all);
}

/** Without a watch it closes with the read that has settled it, unless an operator has, or one attempt was not read. */
export function closesUnread({ record, start }: Watched): boolean {
  const { changedAt, lastRead, unreadableSince } = record.data;
  const isReadSince = lastRead !== null && lastRead.at >= changedAt;
  return start.watchDays === 0 && record.status !== 'abandoned' && unreadableSince === null && isReadSince;
}
