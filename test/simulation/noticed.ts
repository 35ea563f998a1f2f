import { dailyCadence, dayMs, followCadence, type CadenceStep } from '../../src/domain/cadence.js';
import { orderCadence } from '../../src/domain/order-cadence.js';
import { attemptStatus, mayHideAtService, provenFailed } from '../../src/domain/payout-attempts.js';
import { payoutCadence } from '../../src/domain/payout-cadence.js';
import { isUnpaidOrderStatus } from '../../src/domain/statuses.js';
import type { Tracked } from '../../src/dev/sandbox/tracked.js';
import { PayoutPayment } from '../../workflows/payout/payment.js';
import { RefundPayment } from '../../workflows/refund/payment.js';
import type { Payment } from '../../workflows/shared/payment.js';
import { couldBeSeen, raceMs } from './shown.js';
import type { Simulated } from './simulated-run.js';
import { Violation } from './violation.js';

/** For what else takes time: a scan that is made daily, reads that are made again after a failure. */
const slackMs = dayMs;
const jitter = 1.1;

/** What the service holds under our codes is in the state, or an operator is asked, within a bounded time. */
export class Noticed {
  /** When an operator last acknowledged, and the last read before that which had worked: what was seen. */
  #seenAt: readonly number[] = [];
  #readAt = -Infinity;
  /** Since when the ledger holds something that the state does not show, by record. */
  readonly #unnoticed = new Map<string, number>();

  constructor(private readonly simulation: Simulated) {}

  /** Whether the state shows all that the ledger holds, or an operator is asked. */
  get isAll(): boolean {
    return this.#unnoticed.size === 0;
  }

  acknowledged(): void {
    this.#seenAt = [this.simulation.clock.now, this.#readAt];
  }

  /** A reset run has its own cadence to notice by. */
  wasSetBack(): void {
    this.#unnoticed.clear();
  }

  afterStep(): void {
    const { clock, service, run } = this.simulation;
    const { payment } = run.living;
    const { lastRead, unreadableSince } = payment.record.data;
    if (lastRead !== null && unreadableSince === null) this.#readAt = lastRead.at;
    for (const { record } of service.sent) {
      if (record === undefined) continue;
      const isAsked = payment.record.attention !== null;
      if (isAsked || this.#isAcknowledged(record) || this.#isShown(record)) {
        this.#unnoticed.delete(record.id);
        continue;
      }
      const since = this.#unnoticed.get(record.id);
      if (since === undefined) {
        this.#unnoticed.set(record.id, clock.now);
        continue;
      }
      const disturbedUntil = Math.max(since, service.outages.unreadableUntil);
      if (!run.ended && clock.now - disturbedUntil > noticedWithinMs(payment, clock.now)) {
        const what = `${record.partnerCode} is ${record.status} there`;
        throw new Violation('money at the service is noticed', what);
      }
    }
  }

  /** What came about before the payment closed is in the state, but for what came right before. */
  atTheEnd(): void {
    this.afterStep();
    const { plan, service } = this.simulation;
    for (const { deceived, record } of service.sent) {
      const changedAt = Date.parse(record?.history.at(-1)?.at ?? '');
      if (record === undefined || !this.#unnoticed.has(record.id)) continue;
      // A status code was not true, and the list showed that only later: a stated limit.
      if (deceived === true && plan.listing === 'late') continue;
      if (this.simulation.clock.now - changedAt > raceMs) {
        const what = `${record.id} was not noticed before the payment closed`;
        throw new Violation('the watch ends with a read', what);
      }
    }
  }

  /** An operator has seen what it shows, and left it at that. */
  #isAcknowledged({ history, status }: Tracked): boolean {
    return this.#seenAt.some((seenAt) => {
      const seen = history.findLast(({ at }) => Date.parse(at) < seenAt);
      return seen?.status === status;
    });
  }

  #isShown(record: Tracked): boolean {
    const { payment } = this.simulation.run.living;
    const { serviceId, status } = payment.record;
    if (payment instanceof PayoutPayment) {
      if (!couldBeSeen(this.simulation, record, this.simulation.clock.now)) return true;
      const shown = payment.attempts.find(({ partnerCode }) => partnerCode === record.partnerCode);
      // The state says that there are several under its code.
      const isOneOfSeveral = (shown?.listFault ?? null) !== null;
      if (isOneOfSeveral && (record.status === 'error' || shown?.serviceId !== record.id)) return true;
      // A failed attempt of which nothing is known any more, after a reset, has moved no money.
      if (record.status === 'error') return shown === undefined || provenFailed(shown);
      return shown !== undefined && attemptStatus(shown) === record.status;
    }
    switch (payment.kind) {
      case 'refund':
        return record.status !== 'refunded' || ['refunded', 'resolved'].includes(status);
      case 'payout':
      case 'account_validation':
        return true;
      default:
        // Of an order that the state does not know by its identifier, the service shows nothing.
        return serviceId !== record.id || isUnpaidOrderStatus(record.status) || status === record.status;
    }
  }
}

/** The longest gap between two reads that the lifecycle allows, doubled for one read that is disturbed. */
function noticedWithinMs(payment: Payment, now: number): number {
  const sinceChangeMs = now - payment.record.data.changedAt;
  const gapMs = longestGapMs(cadenceOf(payment), sinceChangeMs) * jitter;
  const isListedDaily = payment instanceof PayoutPayment && isOnlyInTheList(payment);
  return 2 * (isListedDaily ? Math.max(gapMs, dayMs) : gapMs) + slackMs;
}

function cadenceOf(payment: Payment): readonly CadenceStep[] {
  if (payment instanceof PayoutPayment) {
    return payoutCadence(payment.stage, payment.input.reconciled === true);
  }
  if (payment instanceof RefundPayment) {
    return payment.stage === 'decide' ? dailyCadence : followCadence;
  }
  return orderCadence(payment.record.status);
}

/** Of attempts without an identifier, and of a settled payout that the reconciliation covers, the daily list shows what moved. */
function isOnlyInTheList({ attempts, input, stage, wasReset }: PayoutPayment): boolean {
  return wasReset || attempts.some(mayHideAtService) || (stage === 'watch' && input.reconciled === true);
}

/** Of all steps that have begun: a read may have been planned by an earlier one. */
function longestGapMs(cadence: readonly CadenceStep[], sinceChangeMs: number): number {
  const begun = cadence.filter((_, index) => (cadence[index - 1]?.untilMs ?? 0) <= sinceChangeMs);
  return Math.max(...begun.map(({ everyMs }) => everyMs));
}
