import type { PayoutInput } from '../../src/contract/payout.js';
import { dayMs } from '../../src/domain/cadence.js';
import { isSettled, shownFrom, type Attempt } from '../../src/domain/payout-attempts.js';
import { payoutCadence } from '../../src/domain/payout-cadence.js';
import type { PayoutStage } from '../../src/domain/payout-stages.js';
import { listCoversUntil } from '../../src/domain/reconciling.js';
import type { Payment } from '../shared/payment.js';

/** What of a payout decides how often it is read, and how long it is watched. */
type Watched = Pick<Payment, 'now' | 'readBy' | 'reads' | 'record' | 'scaled' | 'start'> & {
  readonly attempts: readonly Attempt[];
  readonly input: Pick<PayoutInput, 'reconciled'>;
  readonly stage: PayoutStage;
};

/** Sets the next read, by the stage. */
export function planRead(payment: Watched): void {
  const { attempts, input, reads, stage } = payment;
  const isReconciled = input?.reconciled === true;
  payment.readBy(payoutCadence(stage, isReconciled));
  const watchEnds = watchEndsAt(payment);
  if (!isReconciled || stage !== 'watch' || !Number.isFinite(watchEnds)) return;
  // The daily list shows any change of a settled payout, as far as it reaches back: no read of its own before.
  const next = Math.min(watchEnds, listCoversUntil(attempts[0]?.decidedAt ?? 0));
  if (payment.now() < next) reads.dueAt(next);
}

/** The end of the watch: not before the service's list shows what it may have taken; never while an operator is needed. */
export function watchEndsAt(payment: Watched): number {
  const { attempts, record, start } = payment;
  if (record.attention !== null) return Infinity;
  const watched = record.data.changedAt + payment.scaled(start.watchDays * dayMs);
  return Math.max(watched, shownFrom(attempts, start.scale));
}

/** When the read at the end of the watch is due; one that did not work is made again by the schedule. */
export function lastReadDueAt(payment: Watched): number {
  const ends = watchEndsAt(payment);
  return closesUnread(payment) ? ends : payment.reads.onceDueAt(ends);
}

/** From when on a read confirms a refusal that ends the payout; Infinity when none does. */
export function refusalEndsAt(payment: Watched): number {
  const { attempts, record, start } = payment;
  if (!endsRefused(payment)) return Infinity;
  return Math.max(record.data.changedAt, shownFrom(attempts, start.scale));
}

/** Without a watch, whoever waits for the result gets a refusal as soon as a read was made. */
export function endsRefused({ attempts, record, start }: Watched): boolean {
  return start.watchDays === 0 && record.status === 'rejected' && isSettled(attempts);
}

/** Without a watch it closes with the read that has settled it, unless an operator has, or one attempt was not read. */
export function closesUnread({ record, start }: Watched): boolean {
  const { changedAt, lastRead, unreadableSince } = record.data;
  const isReadSince = lastRead !== null && (lastRead.knownAt ?? lastRead.at) >= changedAt;
  return start.watchDays === 0 && record.status !== 'abandoned' && unreadableSince === null && isReadSince;
}
